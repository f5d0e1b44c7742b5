/** The module queue: who waits where, and the boards that show it. */
import { startModule } from '@hms/service';
import { queueModule } from './module.ts';

await startModule({ name: 'queue', define: queueModule });
