/** For tests: tasks that leave a row, fail, or kill their process at a chosen step. */
import process from 'node:process';
import { z } from 'zod';
import type { ModuleDefinition, Platform } from '../module.ts';
import { task } from '../tasks/task.ts';

export const ERRANDS_TABLES = `
  CREATE TABLE effects (n integer NOT NULL, hospital_id own_hospital_id);
  CREATE TABLE deaths (n integer PRIMARY KEY, hospital_id own_hospital_id)`;

/** Where a process is killed, the first time that it runs the task. */
export const STEPS = ['prepare', 'run', 'committed'] as const;
type Step = (typeof STEPS)[number];

/** Never the process of the test. */
const kill = (): void => {
  if (process.env.ERRANDS_PROCESS) process.kill(process.pid, 'SIGKILL');
};
let dieAfterCommit = false;

const errand = task({
  name: 'test-errand',
  input: z.object({ n: z.int(), dieAt: z.enum(STEPS).optional() }),
  prepare: async ({ inTransaction }, { n, dieAt }): Promise<Step | undefined> => {
    if (!dieAt) return undefined;
    const first = await inTransaction(({ trx }) =>
      trx.query('INSERT INTO deaths VALUES ($1) ON CONFLICT DO NOTHING RETURNING n', [n]),
    );
    if (first.length > 0 && dieAt === 'prepare') kill();
    return first.length > 0 ? dieAt : undefined;
  },
  run: async ({ trx, audit }, { n }, dieAt) => {
    await trx.query('INSERT INTO effects (n) VALUES ($1)', [n]);
    audit({ action: 'create', record: 'effects' });
    if (dieAt === 'run') kill();
    if (dieAt === 'committed') dieAfterCommit = true;
  },
});

const failing = task({
  name: 'test-failing',
  input: z.object({ until: z.string() }),
  attempts: 1,
  run: async ({ trx }, { until }) => {
    const [found] = await trx.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [until]);
    if (!found?.there) throw new Error(`there is no table ${until}`);
  },
});

export const errands = { errand, failing };

export function errandsModule(platform: Platform): ModuleDefinition {
  // It is called after the commit and before the task is completed.
  const { sealer } = platform;
  const wrote = sealer.wrote.bind(sealer);
  sealer.wrote = (hospital) => (dieAfterCommit ? kill() : wrote(hospital));
  return {
    name: 'errands',
    version: '1.0.0',
    title: 'Errands',
    routes: [],
    tasks: [errand, failing],
  };
}
