/** The module hms: core hospital management. */
import { startModule } from '@hms/service';
import { hmsModule } from './module.ts';
import { UsagePlanner } from './usage/planner.ts';

await startModule({ name: 'hms', define: (platform) => hmsModule(platform, new UsagePlanner(platform)) });
