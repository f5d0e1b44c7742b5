/** The module hms: core hospital management. */
import { startModule } from '@hms/service';
import { hmsModule } from './module.ts';

await startModule({ name: 'hms', define: hmsModule });
