/**
 * Compares a module with a bare server that runs the same statements (`replay.ts`), for requests of which each can be
 * sent once: the requests that are replayed were recorded in one hospital, and run in a twin of it that has the same ids.
 */
import { type Load, load, request } from '../load.ts';
import { compare, median, type Row } from '../table.ts';
import type { Server } from './processes.ts';
import type { Operation } from './recorder.ts';

const CONNECTIONS = 32;

interface Twins {
  /** The module, and the bare server. */
  readonly servers: Readonly<Record<'own' | 'peer', Server>>;
  /** Of the hospital in which the statements were recorded, and of its twin. */
  readonly tokens: Readonly<Record<'own' | 'peer', string>>;
  readonly seconds: number;
  readonly rounds: number;
}

/**
 * @param requests to the module, if they are not those that were recorded, which the bare server replays.
 * @returns rows of the table.
 * @throws Error if there are fewer than the servers answer in the time: no request is sent twice.
 */
export async function measureTwins(
  { name, title, method, requests: recorded }: Operation,
  { servers, tokens, seconds, rounds }: Twins,
  requests?: Operation['requests'],
): Promise<Row[]> {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const bytes = {
    own: (requests ?? recorded).map(({ path, body }) => request(method, path, bearer(tokens.own), body)),
    peer: recorded.map(({ body }, index) => request(method, `/replay/${name}/${index}`, bearer(tokens.peer), body)),
  };
  const sent = { own: 0, peer: 0 };
  const loads = { own: [] as Load[], peer: [] as Load[] };
  const run = (which: 'own' | 'peer', duration: number) => {
    const all = bytes[which];
    const next = () => {
      const number = sent[which]++;
      if (requests && number >= all.length) throw new Error(`${name}: ${all.length} requests are too few`);
      return all[number % all.length] as Buffer;
    };
    return load(servers[which].port, next, { connections: CONNECTIONS, seconds: duration });
  };
  for (const which of ['own', 'peer'] as const) await run(which, seconds / 2);
  for (let round = 0; round < rounds; round += 1)
    for (const which of ['own', 'peer'] as const) loads[which].push(await run(which, seconds));
  const all = (which: 'own' | 'peer', of: keyof Load) => loads[which].map((result) => result[of]);
  process.stderr.write(`${title}: ${(median(all('own', 'rate')) / median(all('peer', 'rate'))).toFixed(2)}\n`);
  return [
    compare(`${title}: requests a second`, all('own', 'rate'), 'same statements', all('peer', 'rate'), ''),
    compare(`${title}: p99`, all('own', 'p99'), 'same statements', all('peer', 'p99'), 'ms'),
  ];
}
