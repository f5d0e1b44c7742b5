/** What happens to streams whose clients read slowly or leave, and to those of a process that stops or hears nothing. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { platform } from '../../../../test/platform.ts';
import { FaultProxy } from '../../../../test/support/proxy.ts';
import { until } from '../../../../test/support/until.ts';
import { createLog } from '../log.ts';
import { type Route, route } from '../route.ts';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '../testing/index.ts';
import type { Broadcast } from './broadcast.ts';
import { ChangeListener, type Notice } from './listener.ts';

/** More than the system keeps for a connection, in a few events. */
const LARGE = 'x'.repeat(256 * 1024);
const MANY = 64;

/** How long a broadcast reads what has changed. */
let readingMs = 0;

/** Each change is a large event. Whoever has missed some gets only the last one. */
class Loud implements Broadcast {
  readonly records = ['loud'];
  #number = 0;

  get position(): string {
    return String(this.#number);
  }

  async take(): Promise<string> {
    await sleep(readingMs);
    this.#number += 1;
    return this.#event();
  }

  since(position: string | undefined): string {
    return position === this.position ? '' : this.#event();
  }

  #event(): string {
    return `id: ${this.#number}\ndata: ${LARGE}\n\n`;
  }
}

const loud: Route = route({
  method: 'GET',
  path: '/api/loud',
  operationId: 'followLoud',
  summary: 'Follow',
  access: 'authenticated',
  database: 'none',
  response: z.string(),
  contentType: 'text/event-stream',
  errors: [],
  handler: async (context) => ({
    contentType: 'text/event-stream',
    body: await context.follow({ name: 'loud', broadcast: () => new Loud(), lastId: context.lastEventId }),
  }),
});

/** What changes here is in no table. */
const heard = new Set<(notice: Notice) => void>();
const elsewhere: Route = route({
  method: 'GET',
  path: '/api/loud/elsewhere',
  operationId: 'followElsewhere',
  summary: 'Follow what is in no hospital',
  access: 'authenticated',
  database: 'none',
  response: z.string(),
  contentType: 'text/event-stream',
  errors: [],
  handler: async (context) => ({
    contentType: 'text/event-stream',
    body: await context.follow({
      name: 'elsewhere',
      broadcast: () => new Loud(),
      source: {
        ready: async () => undefined,
        subscribe: (_record, onNotice) => {
          heard.add(onNotice);
          return () => heard.delete(onNotice);
        },
      },
    }),
  }),
});

let module: TestModule;
let mary: TestHospital;
const open: Follower[] = [];
/** The ends of the connections in the process. */
const served = new Set<Socket>();

beforeAll(async () => {
  module = await start();
  module.server.on('connection', (socket: Socket) => served.add(socket));
});
afterAll(() => module.close());
beforeEach(async () => {
  mary = await createTestHospital(module.operator, module.issuer);
});
afterEach(() => {
  readingMs = 0;
  for (const { socket } of open.splice(0)) socket.destroy();
});

function start(identity?: TestModule['issuer'], app = platform().databaseUrls.app): Promise<TestModule> {
  return startTestModule({
    databaseUrls: { ...platform().databaseUrls, app },
    define: () => ({ name: 'loud', version: '0', title: 'Loud', routes: [loud, elsewhere] }),
    ttl: 0,
    ...(identity ? { identity } : {}),
  });
}

interface Follower {
  readonly socket: Socket;
  text(): string;
  /** Numbers of its events. */
  ids(): readonly number[];
}

async function follow(of = module, claims: object = {}): Promise<Follower> {
  return followAs(await mary.token(['NURSE'], { claims: { ...claims } }), '/api/loud', of);
}

async function followAs(token: string, at: string, of = module): Promise<Follower> {
  const { port } = new URL(of.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (bytes) => {
    // Without what fills the events.
    text += bytes.toString('latin1').replaceAll(/x{100,}/g, '');
  });
  socket.write(`GET ${at} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const follower = {
    socket,
    text: () => text,
    ids: () => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)),
  };
  open.push(follower);
  await until('the first event', async () => follower.ids().length, Boolean);
  return follower;
}

const notify = () =>
  module.operator.raw("SELECT pg_notify('hms_changes', ?)", [
    JSON.stringify({ role: hospitalNames(mary.hospital.prefix).role, record: 'loud', id: 'x' }),
  ]);

/** One change after the other, so that each is an event of its own. */
async function change(times: number, seenBy: Follower): Promise<void> {
  for (let one = 0; one < times; one += 1) {
    const before = seenBy.ids().length;
    await notify();
    await until(
      'the change',
      async () => seenBy.ids().length,
      (count) => count > before,
    );
  }
}

describe('a client that takes nothing', () => {
  it('costs no memory, and gets only the last state when it goes on', async () => {
    const [slow, quick] = [await follow(), await follow()];
    slow.socket.pause();
    await change(MANY, quick);
    // Two events at most wait for it in the process.
    const waiting = [...served].map(({ writableLength }) => writableLength);
    expect(Math.max(...waiting)).toBeGreaterThan(0);
    expect(Math.max(...waiting)).toBeLessThan(3 * LARGE.length);
    slow.socket.resume();
    await until(
      'the last state',
      async () => slow.ids().at(-1),
      (last) => last === quick.ids().at(-1),
    );
    expect(slow.ids().length).toBeLessThan(MANY / 2);
    expect(slow.ids()).toEqual(slow.ids().toSorted((one, other) => one - other));
    // It follows again like everybody.
    await change(1, quick);
    await until(
      'the next change',
      async () => slow.ids().at(-1),
      (last) => last === quick.ids().at(-1),
    );
  });

  it('is disconnected after 15 s, and its place is free', async () => {
    const [slow, quick] = [await follow(), await follow()];
    slow.socket.pause();
    await change(MANY, quick);
    const streams = () => new Promise((resolve) => module.server.getConnections((_error, count) => resolve(count)));
    const all = await streams();
    const begun = Date.now();
    await until('the end of the connection', streams, (count) => count === Number(all) - 1);
    expect(Date.now() - begun).toBeLessThan(18_000);
    expect(quick.socket.closed).toBe(false);
  }, 40_000);
});

it('a stream says something every 10 s', async () => {
  const quiet = await follow();
  const begun = Date.now();
  await until(
    'a sign of life',
    async () => quiet.text().match(/^: keep-alive/gm)?.length ?? 0,
    (count) => count === 2,
  );
  expect(Date.now() - begun).toBeLessThan(20_500);
  expect(Date.now() - begun).toBeGreaterThan(16_000);
}, 60_000);

it('people of the platform follow what is in no hospital, until their token ends', async () => {
  const path = '/api/loud/elsewhere';
  const sign = (expiresIn: number) => module.issuer.sign('console', { roles: ['PLATFORM_ADMIN'] }, { expiresIn });
  const [long, short] = [await followAs(await sign(300), path), await followAs(await sign(6), path)];
  // They share a broadcast.
  expect(heard.size).toBe(1);
  for (const tell of heard) tell({ record: 'loud', id: 'x' });
  for (const { ids } of [long, short])
    await until(
      'the change',
      async () => ids().length,
      (count) => count === 2,
    );
  await until(
    'the end with the token',
    async () => short.text(),
    (text) => /\nretry: \d+\n\n\r\n0\r\n\r\n$/.test(text),
  );
  expect(long.socket.closed).toBe(false);
  const token = await module.issuer.sign('console', { roles: ['PLATFORM_ADMIN'] });
  expect((await module.send('GET', '/api/loud', { token })).status).toBe(403);
}, 30_000);

it('whoever leaves makes room at once', async () => {
  const claims = { sub: 'busy' };
  const all = await Promise.all(Array.from({ length: 30 }, () => follow(module, claims)));
  const token = await mary.token(['NURSE'], { claims });
  const status = async () => (await module.send('GET', '/api/loud', { token })).status;
  expect(await status()).toBe(429);
  all[0]?.socket.resetAndDestroy();
  await sleep(50);
  expect((await follow(module, claims)).ids()).toHaveLength(1);
});

it('a process that stops sends everybody on within a second, at different times', async () => {
  const other = await start(module.issuer);
  const all = await Promise.all(Array.from({ length: 20 }, () => follow(other)));
  const begun = performance.now();
  const closed = other.close();
  await Promise.all(all.map(({ socket }) => socket.closed || once(socket, 'close')));
  expect(performance.now() - begun).toBeLessThan(1_000);
  const returns = all.map((one) => Number([...one.text().matchAll(/^retry: (\d+)$/gm)].at(-1)?.[1]));
  for (const ms of returns) expect(ms >= 500 && ms <= 4_000).toBe(true);
  expect(new Set(returns).size).toBeGreaterThan(10);
  expect(all.every(({ text }) => text().endsWith('0\r\n\r\n'))).toBe(true);
  await closed;
});

it('whoever comes while the first state is read slowly gets it on the same connection', async () => {
  readingMs = 3_000;
  const first = await follow();
  expect(first.text().match(/^retry:/gm)).toHaveLength(1);
  expect(first.socket.closed).toBe(false);
});

function urlOf({ address }: FaultProxy): string {
  const url = new URL(platform().databaseUrls.app);
  url.host = address;
  return url.href;
}

describe('a process that can’t hear of changes', () => {
  let database: FaultProxy;
  let deaf: TestModule;
  beforeEach(async () => {
    database = await FaultProxy.before(new URL(platform().databaseUrls.app).host);
    deaf = await start(module.issuer, urlOf(database));
  });
  afterEach(async () => {
    await database.set('pass');
    await deaf.close();
    await database.close();
  });

  it('ends its streams after 5 s, and serves them again when it hears', async () => {
    const one = await follow(deaf);
    const begun = Date.now();
    await database.set('refuse');
    await until(
      'the end of the stream',
      async () => one.text(),
      (text) => text.endsWith('\n0\r\n\r\n'),
    );
    expect(Date.now() - begun).toBeGreaterThan(4_000);
    expect(Date.now() - begun).toBeLessThan(8_000);
    expect(one.text()).toMatch(/\nretry: \d+\n\n\r\n0\r\n\r\n$/);
    await database.set('pass');
    const again = await follow(deaf);
    await change(1, again);
  });

  it('keeps its streams when it hears again soon', async () => {
    const one = await follow(deaf);
    await database.set('refuse');
    await sleep(2_000);
    await database.set('pass');
    // What may have been missed.
    await until(
      'the state after that',
      async () => one.ids().length,
      (count) => count === 2,
    );
    await change(1, one);
    expect(one.socket.closed).toBe(false);
  });

  it('lets whoever comes wait until it hears', async () => {
    const listener = new ChangeListener({ databaseUrl: urlOf(database), log: createLog('test', 'silent') });
    const ready = async () => Promise.race([listener.ready().then(() => true), sleep(100, false)]);
    await listener.ready();
    expect(listener.deafFor).toBe(0);
    await database.set('refuse');
    await until('the loss', ready, (is) => !is);
    expect(listener.deafFor).toBeGreaterThan(0);
    await database.set('pass');
    await listener.ready();
    expect(listener.deafFor).toBe(0);
    await listener.end();
  });
});
