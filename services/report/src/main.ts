/** The module report: figures of the hospital, and the records behind them. */
import { constants, setPriority } from 'node:os';
import { startModule } from '@hms/service';
import { z } from 'zod';
import { reportModule } from './module.ts';

// Whatever else runs on this machine goes first: somebody waits for it at a desk.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

await startModule({
  name: 'report',
  settings: {
    /** Reports of one hospital at the same time. Others wait. */
    REPORTS_PER_HOSPITAL: z.coerce.number().int().min(1).max(100).default(2),
    DATABASE_REPLICA_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(4),
  },
  define: (platform, { REPORTS_PER_HOSPITAL, DATABASE_REPLICA_POOL_SIZE }) =>
    reportModule(platform, { ofHospital: REPORTS_PER_HOSPITAL, all: DATABASE_REPLICA_POOL_SIZE }),
});
