/**
 * A television in a real browser, while what it needs fails: the network, the gateway, a process of the queue, its token.
 * After each of them it shows the right board within five seconds, and nobody is called twice.
 */
import { dataOf } from '@hms/api-client';
import { connect } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { platform } from '../platform.ts';
import { Scene } from '../support/browser.ts';
import { Front } from '../support/front.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { NewerPages } from '../support/newer-pages.ts';
import { FaultProxy } from '../support/proxy.ts';
import { kill } from '../support/signal.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
/** After the end of a fault, in ms. */
const RIGHT_WITHIN = 5_000;
const CHANGES = 5_000;
/** Between two of them, in ms, so that each is a message of its own. */
const PACE = 12;
const MOST_GROWTH = 2_000_000;

const database = connect(platform().databaseUrls.app, { poolSize: 1, applicationName: 'test' });
let scene: Scene;
let front: Front;
let network: FaultProxy;
let tv: Page;
let clinicId: string;
let roomId: string;

/** Counts, in the page, how often it rings, and how many boards it has read. */
const COUNTERS = `
  window.rings = 0;
  window.boards = 0;
  const create = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    window.rings += 0.5;
    return create.call(this);
  };
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {
    if (typeof text === 'string' && text.startsWith('{"clinicId"')) window.boards += 1;
    return parse(text, ...more);
  };`;

beforeAll(async () => {
  front = await Front.before(platform().ports.gateway);
  network = await FaultProxy.before(front.address);
  scene = await Scene.start("St. Mary's Hospital", {}, [
    `--host-resolver-rules=MAP *.${platform().domain}:${platform().ports.gateway} ${network.address}`,
    '--autoplay-policy=no-user-gesture-required',
  ]);
  const admin = await desk();
  const ent = { code: 'ENT', name: 'Ear, nose and throat', tokenPrefix: 'A', isQueueEnabled: true };
  clinicId = (await dataOf(admin.POST('/api/hms/clinics', { body: ent }))).id;
  roomId = (await dataOf(admin.POST('/api/hms/rooms', { body: { code: 'R1', name: 'Room 1', clinicId } }))).id;
  tv = await (await scene.context({ viewport: { width: 1920, height: 1080 } })).newPage();
  await tv.addInitScript(COUNTERS);
  await tv.clock.install();
  await tv.goto(`${scene.origin}/tv`);
  const code = (await tv.locator('.code').textContent()) ?? '';
  await dataOf(admin.POST('/api/auth/displays', { body: { code, name: 'Waiting room', clinicIds: [clinicId] } }));
  await tv.getByText('Nobody is waiting.').waitFor();
}, 240_000);
afterAll(async () => {
  await scene?.stop();
  await network?.close();
  front?.close();
  await database.destroy();
});

const isThere = () =>
  fetch(`${platform().baseUrl}/api/queue/check`).then(
    ({ status }) => status === 401,
    () => false,
  );
const desk = async () => api(await tokenOf(scene.prefix, 'ADMIN'));

/** Somebody comes, and is called to the room. @returns the token. */
async function somebodyIsCalled(): Promise<string> {
  const admin = await desk();
  const path = { clinicId };
  await dataOf(admin.POST('/api/queue/{clinicId}/entries', { params: { path }, body: {} }));
  const here = await dataOf(admin.GET('/api/queue/{clinicId}', { params: { path } }));
  for (const { id } of here.called)
    await dataOf(admin.POST('/api/queue/entries/{id}/no-show', { params: { path: { id } }, body: {} }));
  const next = await dataOf(
    admin.POST('/api/queue/{clinicId}/call-next', { params: { path }, body: { roomId, finish: true } }),
  );
  return next?.label ?? '';
}

const shown = () => tv.locator('.calls .token bdi').allTextContents();
const rings = () => tv.evaluate<number>('window.rings');

/** The board has this call alone, soon enough. */
async function isRight(label: string): Promise<void> {
  const since = Date.now();
  await until('the right board', shown, (labels) => labels.join() === label);
  process.stderr.write(`${expect.getState().currentTestName}: right after ${Date.now() - since} ms\n`);
  expect(Date.now() - since).toBeLessThan(RIGHT_WITHIN);
}

/** So many have been announced since `before`, and no more follow. */
async function hasRung(before: number, times: number): Promise<void> {
  await until('the chime', rings, (count) => count >= before + times);
  await tv.waitForTimeout(3_000);
  expect((await rings()) - before).toBe(times);
}

it(
  'rings once for each call, and a second time for a second call',
  async () => {
    const before = await rings();
    await isRight(await somebodyIsCalled());
    await hasRung(before, 1);
    const admin = await desk();
    const { called } = await dataOf(admin.GET('/api/queue/{clinicId}', { params: { path: { clinicId } } }));
    const path = { id: called[0]?.id ?? '' };
    await dataOf(admin.POST('/api/queue/entries/{id}/recall', { params: { path }, body: {} }));
    await hasRung(before, 2);
  },
  SLOW,
);

describe('after a fault', () => {
  it(
    'of the network, for ten minutes',
    async () => {
      const before = await rings();
      await tv.context().setOffline(true);
      await tv.clock.fastForward('10:00');
      await tv.getByText(/^As of \d\d:\d\d\. Please ask at the desk\.$/).waitFor();
      const label = await somebodyIsCalled();
      await tv.context().setOffline(false);
      await isRight(label);
      await hasRung(before, 1);
      expect(await tv.getByText('Please ask at the desk').count()).toBe(0);
    },
    SLOW,
  );

  it(
    'of a network that swallows everything',
    async () => {
      const before = await rings();
      await network.set('hang');
      await tv.clock.fastForward('01:00');
      await tv.getByText(/^As of \d\d:\d\d/).waitFor();
      const label = await somebodyIsCalled();
      await network.set('pass');
      await isRight(label);
      await hasRung(before, 1);
    },
    SLOW,
  );

  it(
    'of the gateway, which is killed',
    async () => {
      const before = await rings();
      await kill('gateway');
      await until('the gateway', isThere, Boolean);
      const label = await somebodyIsCalled();
      await isRight(label);
      await hasRung(before, 1);
    },
    SLOW,
  );

  it.each(['queue-1', 'queue-2'])(
    'of %s, which is killed',
    async (name) => {
      const before = await rings();
      const killed = kill(name);
      const label = await somebodyIsCalled();
      await isRight(label);
      await killed;
      await hasRung(before, 1);
    },
    SLOW,
  );

  it.each([502, 503, 429])(
    'of a server that answers %i',
    async (status) => {
      const before = await rings();
      const route = /\/api\/queue\/display/;
      await tv.route(route, (one) => one.fulfill({ status, headers: { 'Retry-After': '2' }, body: '' }));
      await network.set('pass');
      const label = await somebodyIsCalled();
      await tv.waitForTimeout(3_000);
      await tv.unroute(route);
      await isRight(label);
      await hasRung(before, 1);
    },
    SLOW,
  );

  it(
    'of its token, which is refreshed',
    async () => {
      const before = await rings();
      const refreshed = tv.waitForResponse(/\/session\/display\/token/);
      await tv.clock.fastForward('04:30');
      await refreshed;
      await isRight(await somebodyIsCalled());
      await hasRung(before, 1);
    },
    SLOW,
  );
});

it(
  'shows its page without a network',
  async () => {
    await until('the service worker', () => tv.evaluate<boolean>('!!navigator.serviceWorker.controller'), Boolean);
    await network.set('refuse');
    await tv.reload();
    await tv.locator('.hospital').getByText("St. Mary's Hospital").waitFor();
    await network.set('pass');
    await tv.getByRole('heading', { name: 'Ear, nose and throat' }).waitFor();
  },
  SLOW,
);

describe('a release', () => {
  let newer: NewerPages;
  let loads = 0;
  beforeAll(async () => {
    newer = await NewerPages.start();
    tv.on('load', () => {
      loads += 1;
    });
  });
  afterAll(() => newer?.stop());

  const build = () => tv.evaluate<string>("JSON.parse(document.getElementById('start').textContent).build");

  /** In steps: a request ends when the clock jumps too far. */
  async function passMinutes(count: number): Promise<void> {
    for (let step = 0; step < count * 30; step += 1) {
      await tv.clock.runFor(2_000);
      await tv.waitForTimeout(50);
    }
  }

  it(
    'is loaded once all of its files are here, and rings nobody twice',
    async () => {
      const label = await somebodyIsCalled();
      await isRight(label);
      const before = await rings();
      await hasRung(before, 0);
      const older = await build();
      front.pages = newer.port;
      await passMinutes(2);
      await until('the newer page', build, (shown) => shown === newer.build);
      expect(older).not.toBe(newer.build);
      expect(loads).toBe(1);
      await isRight(label);
      await tv.waitForTimeout(3_000);
      expect(await rings()).toBe(0);
      expect(await tv.evaluate('caches.keys()')).toEqual([`tv-${newer.build}`]);
    },
    SLOW,
  );

  it(
    'that is taken back is followed, and servers that change to and fro cause no loop',
    async () => {
      front.pages = undefined;
      await passMinutes(2);
      await until('the former page', build, (shown) => shown !== newer.build);
      expect(loads).toBe(2);
      for (const pages of [newer.port, undefined, newer.port]) {
        front.pages = pages;
        await passMinutes(2);
      }
      expect(loads).toBe(2);
      front.pages = undefined;
      await isRight(await somebodyIsCalled());
    },
    SLOW,
  );
});

it(`does not grow with ${CHANGES} changes`, async () => {
  const label = await somebodyIsCalled();
  await isRight(label);
  const session = await tv.context().newCDPSession(tv);
  const used = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  await change(CHANGES / 10);
  const [before, read] = [await used(), await tv.evaluate<number>('window.boards')];
  await change(CHANGES);
  await until('the last board', shown, (labels) => labels.length === 1);
  const [growth, boards] = [(await used()) - before, (await tv.evaluate<number>('window.boards')) - read];
  process.stderr.write(`${boards} boards: the heap grew by ${Math.round(growth / 1000)} kB\n`);
  expect(boards).toBeGreaterThan(CHANGES * 0.9);
  expect(growth).toBeLessThan(MOST_GROWTH);
}, 300_000);

/** Calls the person in the room again, so many times. */
async function change(times: number): Promise<void> {
  const { role, schema } = hospitalNames(scene.prefix);
  for (let one = 0; one < times; one += 1) {
    const next = Date.now() + PACE;
    await database.transaction(async (trx) => {
      await trx.raw(`SET LOCAL ROLE "${role}"`);
      await trx.raw(`SET LOCAL search_path TO "${schema}"`);
      await trx.raw("UPDATE queue_entries SET calls = calls + 1, called_at = now() WHERE status = 'called'");
      await trx.raw('UPDATE queue_boards SET revision = revision + 1, changed_at = now() WHERE clinic_id = ?', [
        clinicId,
      ]);
      await trx.raw("SELECT platform.notify_change('queue_boards', ?)", [clinicId]);
    });
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - Date.now())));
  }
}
