/** For tests: the module `errands` as a process, which kills itself. */
import { startModule } from '../start.ts';
import { errandsModule } from './errands.ts';

await startModule({ name: 'errands', define: errandsModule });
