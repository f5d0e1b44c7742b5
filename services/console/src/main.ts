/** The module console: administration of the platform. */
import { startModule } from '@hms/service';
import { consoleModule } from './module.ts';

await startModule({ name: 'console', define: consoleModule });
