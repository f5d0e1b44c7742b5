import type { KubernetesObject } from '@hms/kubernetes';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { until } from '../../../test/support/until.ts';
import { Reflector, type ReflectorTiming } from './reflector.ts';
import { TestApiServer } from './testing.ts';

const FAST: ReflectorTiming = {
  backoff: { baseMs: 10, maxMs: 50 },
  watchSeconds: { min: 60, max: 60 },
  silenceMs: 60_000,
  relistMs: 600_000,
};

let server: TestApiServer;
let reflector: Reflector<KubernetesObject>;
let told: string[];

beforeEach(async () => {
  server = await TestApiServer.start();
});
afterEach(async () => {
  await reflector.stop();
  await server.stop();
});

async function reflect(timing: Partial<ReflectorTiming> = {}): Promise<void> {
  told = [];
  reflector = new Reflector({
    client: server.client(),
    path: '/apis/test/v1/things',
    logger: pino({ level: 'silent' }),
    onChange: ({ type, object }) => told.push(`${type} ${object.metadata.name}`),
    timing: { ...FAST, ...timing },
  });
  reflector.start();
  await until(
    'the first watch',
    async () => server.watchers,
    (count) => count > 0,
  );
}

const names = () => reflector.list().map(({ metadata }) => metadata.name);
const whenTold = (...changes: string[]) =>
  until(
    `to be told ${changes}`,
    async () => told,
    (list) => changes.every((change) => list.includes(change)),
  );

describe('Reflector', () => {
  it('lists all pages and then tells each change once', async () => {
    for (const name of ['a', 'b', 'c']) server.put(name);
    server.pageSize = 2;
    await reflect();
    expect(names()).toEqual(['a', 'b', 'c']);
    server.put('d');
    server.put('a');
    server.delete('b');
    await whenTold('deleted b');
    expect(told).toEqual(['added a', 'added b', 'added c', 'added d', 'modified a', 'deleted b']);
    expect(server.lists).toBe(2);
  });

  it('is not synced before a list has come through', async () => {
    server.put('a');
    server.put('b');
    server.pageSize = 1;
    server.expiredPages = 2;
    await reflect();
    expect(reflector.synced).toBe(true);
    expect(told).toEqual(['added a', 'added b']);
    expect(server.lists).toBe(6);
  });

  it('goes on from where the watch broke off, and from a bookmark', async () => {
    server.put('a');
    await reflect();
    server.put('b');
    await whenTold('added b');
    server.cut();
    await until(
      'the next watch',
      async () => server.watches.length,
      (count) => count === 2,
    );
    expect(server.watches[1]?.query.get('resourceVersion')).toBe('102');
    server.put('c');
    await whenTold('added c');
    expect(server.lists).toBe(1);
    expect(told).toEqual(['added a', 'added b', 'added c']);
  });

  it.each(['410', '410 event'] as const)('reads the list again after %s, and tells what it missed', async (form) => {
    server.put('a');
    server.put('b');
    await reflect();
    server.deaf = true;
    server.put('a');
    server.delete('b');
    server.put('c');
    server.deaf = false;
    server.nextWatches.push(form);
    server.endWatches();
    await whenTold('modified a', 'deleted b', 'added c');
    expect(names()).toEqual(['a', 'c']);
    expect(reflector.missed).toBe(3);
    expect(server.lists).toBe(2);
  });

  it('does not run against a server that always says 410, or ends each watch at once', async () => {
    await reflect({ backoff: { baseMs: 60_000, maxMs: 60_000 } });
    server.put('a');
    await whenTold('added a');
    server.nextWatches.push('410', '410', '410', '410');
    server.endWatches();
    await until(
      'the pause',
      async () => server.nextWatches.length,
      (left) => left === 2,
    );
    expect(server.lists).toBe(2);
    await reflector.stop();
    server.nextWatches.length = 0;

    await reflect({ backoff: { baseMs: 60_000, maxMs: 60_000 } });
    server.put('b');
    await whenTold('added b');
    server.nextWatches.push('end', 'end');
    server.endWatches();
    await until(
      'the pause',
      async () => server.nextWatches.length,
      (left) => left === 1,
    );
  });

  it('gives up a connection that says nothing any more, and watches again', async () => {
    await reflect({ silenceMs: 200 });
    server.deaf = true;
    server.put('a');
    server.deaf = false;
    const before = server.watches.length;
    await until(
      'a new watch after the silence',
      async () => server.watches.length,
      (count) => count > before,
    );
    server.put('b');
    await whenTold('added b');
  });

  it('comes back after errors of the server', async () => {
    await reflect();
    server.nextWatches.push('500', '500', '500');
    server.endWatches();
    server.put('a');
    await whenTold('added a');
    expect(server.lists).toBe(1);
  });

  it('compares with a list from time to time, and counts only what the watch has really missed', async () => {
    await reflect({ relistMs: 1_000, watchSeconds: { min: 1, max: 1 } });
    server.put('told');
    await whenTold('added told');
    server.deaf = true;
    server.put('missed');
    server.delete('told');
    server.deaf = false;
    const lists = server.lists;
    // The server ends a watch after its time; this one leaves that to the test.
    await until(
      'the comparison',
      async () => {
        server.endWatches();
        return server.lists;
      },
      (count) => count > lists,
    );
    // Told between the list and the bookmark: no miss.
    server.put('later');
    await until(
      'the copy to be right',
      async () => {
        server.bookmark();
        return names();
      },
      (list) => list.includes('missed') && !list.includes('told') && list.includes('later'),
    );
    expect(reflector.missed).toBe(2);
    expect(told).toEqual(['added told', 'added later', 'added missed', 'deleted told'].sort(order(told)));
  });

  it('takes up the answer to a write, tells what it brought, and does not go back when the watch tells the past', async () => {
    server.put('a');
    await reflect();
    const read = reflector.get('a') as KubernetesObject;
    reflector.replace({ ...read, metadata: { ...read.metadata, resourceVersion: '1000' } });
    expect(told).toEqual(['added a', 'modified a']);
    reflector.replace({ ...read, metadata: { ...read.metadata, resourceVersion: '999' } });
    server.put('a');
    server.put('b');
    await whenTold('added b');
    expect(reflector.get('a')?.metadata.resourceVersion).toBe('1000');
    expect(told).toEqual(['added a', 'modified a', 'added b']);
    server.delete('a');
    await whenTold('deleted a');
    reflector.replace({ ...read, metadata: { ...read.metadata, resourceVersion: '1001' } });
    expect(names()).toEqual(['b']);
  });

  it('has an object no more that our own write has ended, whatever the watch still tells of it', async () => {
    server.put('a');
    await reflect();
    const read = reflector.get('a') as KubernetesObject;
    reflector.ended(read);
    expect([names(), told]).toEqual([[], ['added a', 'deleted a']]);
    reflector.ended(read);
    server.put('a');
    server.delete('a');
    server.put('b');
    await whenTold('added b');
    expect(told).toEqual(['added a', 'deleted a', 'added b']);
    const again = { ...read, metadata: { ...read.metadata, uid: 'of one before' } };
    reflector.ended({ ...again, metadata: { ...again.metadata, name: 'b' } });
    expect(names()).toEqual(['b']);
  });

  it('does not take our own write during a comparison for a change that the watch missed', async () => {
    await reflect({ relistMs: 1_000, watchSeconds: { min: 1, max: 1 } });
    server.put('a');
    await whenTold('added a');
    const read = reflector.get('a') as KubernetesObject;
    const release = server.holdLists();
    await until(
      'the comparison',
      async () => {
        server.endWatches();
        return server.heldLists;
      },
      (count) => count > 0,
    );
    reflector.replace({ ...read, metadata: { ...read.metadata, resourceVersion: '1000' } });
    release();
    await until(
      'the next bookmark',
      async () => {
        server.bookmark();
        return server.watchers;
      },
      (count) => count > 0,
    );
    server.bookmark();
    server.put('b');
    await whenTold('added b');
    expect(reflector.get('a')?.metadata.resourceVersion).toBe('1000');
    expect(reflector.missed).toBe(0);
  });
});

/** The order in which a comparison tells what was missed does not matter. */
function order(as: readonly string[]): (a: string, b: string) => number {
  return (a, b) => as.indexOf(a) - as.indexOf(b);
}
