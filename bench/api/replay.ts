/**
 * The peer of `records.ts`: a bare server of Express, pg and jose that verifies the same token, and runs the statements
 * that a module was seen to run for each request, one after the other. It answers with the module's own answer, so it does
 * nothing to find out what to run, and nothing to make an answer of the rows.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { callerOf, createApp, inTenant, listen } from './peer.ts';

/** What was seen of one request. */
export interface Recording {
  readonly statements: readonly { readonly text: string; readonly values: readonly unknown[] }[];
  /** Ids that the request has given to new records. Each run gives new ones. */
  readonly newIds: readonly string[];
  readonly status: number;
  readonly answer: unknown;
}

const [, , file = ''] = process.argv;
const recordings = JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly Recording[]>;
const app = createApp();

app.use('/replay/:name/:index', async (request, response) => {
  const caller = await callerOf(request);
  const { name, index } = request.params;
  const all = recordings[name] ?? [];
  const recording = all[Number(index) % all.length];
  if (!recording) throw new Error(`nothing was recorded for ${name}`);
  const renewed = new Map(recording.newIds.map((id) => [id, randomUUID()]));
  await inTenant(caller, async (client) => {
    for (const { text, values } of recording.statements) {
      await client.query(
        text,
        values.map((value) => withNewIds(value, renewed)),
      );
    }
  });
  response.status(recording.status).json(recording.answer);
});

function withNewIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (ids.size === 0) return value;
  if (Array.isArray(value)) return value.map((one) => withNewIds(one, ids));
  if (typeof value !== 'string') return value;
  let text = value;
  for (const [before, after] of ids) text = text.replaceAll(before, after);
  return text;
}

listen(app);
