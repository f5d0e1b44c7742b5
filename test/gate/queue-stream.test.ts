/** What somebody else's program sees of a queue, as the interface describes it: an EventSource with the token in its address. */
import { once } from 'node:events';
import net from 'node:net';
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EventSource, type MessageEvent } from 'undici';
import { platform } from '../platform.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';
import { until } from '../support/until.ts';

/** The gateway spreads them over both processes of the module. */
const STREAMS = 4;
const SOON_MS = 1_000;

interface Seen {
  readonly id: string;
  readonly at: number;
  readonly board: { readonly called: readonly { readonly label: string }[]; readonly revision: number };
}

const sources: EventSource[] = [];
const seen: Seen[][] = [];
let hospital: string;
let clinicId: string;

beforeAll(async () => {
  hospital = (await freshHospital()).metadata.name;
  const admin = api(await tokenOf(hospital, 'ADMIN'));
  const ent = { code: 'ENT', name: 'Ear, nose and throat', tokenPrefix: 'A', isQueueEnabled: true };
  clinicId = (await dataOf(admin.POST('/api/hms/clinics', { body: ent }))).id;
}, 120_000);
afterAll(() => {
  for (const source of sources) source.close();
});

it('reads each message as JSON, and has a call within a second, whichever process it follows', async () => {
  const nurse = await tokenOf(hospital, 'NURSE');
  for (let one = 0; one < STREAMS; one += 1) {
    const messages: Seen[] = [];
    const source = new EventSource(`${platform().baseUrl}/api/queue/${clinicId}/stream?jwt=${nurse}`);
    source.onmessage = ({ data, lastEventId }: MessageEvent) =>
      void messages.push({ id: lastEventId, at: Date.now(), board: JSON.parse(data) });
    sources.push(source);
    seen.push(messages);
  }
  const last = () => Promise.resolve(seen.map((messages) => messages.at(-1)));
  const path = { clinicId };
  const own = api(nurse);
  await dataOf(own.POST('/api/queue/{clinicId}/entries', { params: { path }, body: {} }));
  await until('the first boards', last, (all) => all.every((one) => one?.board.revision === 1));
  await dataOf(own.POST('/api/queue/{clinicId}/call-next', { params: { path }, body: {} }));
  const called = Date.now();
  const all = await until('the call', last, (some) => some.every((one) => one?.board.called[0]?.label === 'A-001'));
  for (const one of all) {
    expect((one?.at ?? Number.POSITIVE_INFINITY) - called).toBeLessThan(SOON_MS);
    expect(one?.id).toBe(String(one?.board.revision));
  }
});

it('has room for whoever comes after clients that have hung up, however they did', async () => {
  const token = await tokenOf(hospital, 'DOCTOR');
  const { hostname, port } = new URL(platform().baseUrl);
  /** @returns the status line. @param isPatient waits for it before it hangs up. */
  const visit = async (hangUp: (socket: net.Socket) => void, isPatient = true): Promise<string> => {
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => undefined);
    // What nobody reads would keep the socket open after the server has closed it.
    socket.resume();
    socket.write(`GET /api/queue/${clinicId}/stream?jwt=${token} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    const [line] = isPatient ? String((await once(socket, 'data'))[0]).split('\r\n') : [''];
    hangUp(socket);
    if (!socket.destroyed) await once(socket, 'close');
    return line ?? '';
  };
  const ways = [
    (socket: net.Socket) => void socket.destroy(),
    (socket: net.Socket) => void socket.resetAndDestroy(),
    (socket: net.Socket) => void socket.end(),
  ];
  const lines: string[] = [];
  // More than one person may have in both processes.
  for (let one = 0; one < 70; one += 1) {
    const hangUp = ways[one % ways.length] as (typeof ways)[number];
    if (one % 10 === 9) await visit(hangUp, false);
    else lines.push(await visit(hangUp));
  }
  expect(new Set(lines)).toEqual(new Set(['HTTP/1.1 200 OK']));
});
