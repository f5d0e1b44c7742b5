/** The Platform object as the interface shows it. */
import { fields } from '@hms/service';
import { z } from 'zod';

const condition = {
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string().describe('One word for programs'),
  message: z.string().describe('A sentence for people'),
  since: fields.timestamp.nullable(),
};
const count = z.int().min(0);

export const platformState = z
  .object({
    asOf: fields.timestamp.describe('What is shown was so then'),
    engines: z.array(
      z.object({
        name: z.string().describe('identity, storage, database or gateway'),
        ...condition,
        waiting: count.describe('Number of hospitals that wait for it'),
        findings: z
          .array(z.string())
          .describe('Parts that the platform did not create, and settings that the engine refuses'),
      }),
    ),
    migrations: z.object({
      state: z.enum(['Running', 'Halted']).describe('What people have decided'),
      ...condition,
      newest: count.describe('Version of a schema that has all migrations of this release'),
      all: count.describe('Number of hospitals that are to have the newest version'),
      done: count.describe('Number of hospitals that have the newest version'),
      waiting: count,
      held: count.describe('Number of hospitals that stay behind because they are paused or only observed'),
      running: z.array(z.string()).describe('Hospitals that are being migrated'),
      failed: z.array(z.object({ hospital: z.string(), message: z.string() })),
    }),
  })
  .meta({ id: 'PlatformState' });
export type PlatformState = z.output<typeof platformState>;
