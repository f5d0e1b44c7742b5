import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { until } from '../../../test/support/until.ts';
import type { KubernetesObject } from './client.ts';
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
let reported: string[];

beforeEach(async () => {
  server = await TestApiServer.start();
});
afterEach(async () => {
  await reflector.stop();
  await server.stop();
});

async function reflect(timing: Partial<ReflectorTiming> = {}): Promise<void> {
  reported = [];
  reflector = new Reflector({
    client: server.client(),
    path: '/apis/test/v1/things',
    logger: pino({ level: 'silent' }),
    onChange: ({ type, object }) => reported.push(`${type} ${object.metadata.name}`),
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
const whenReported = (...changes: string[]) =>
  until(
    `the changes ${changes}`,
    async () => reported,
    (list) => changes.every((change) => list.includes(change)),
  );

describe('Reflector', () => {
  it('lists all pages, then reports each change once', async () => {
    for (const name of ['a', 'b', 'c']) server.put(name);
    server.pageSize = 2;
    await reflect();
    expect(names()).toEqual(['a', 'b', 'c']);
    server.put('d');
    server.put('a');
    server.delete('b');
    await whenReported('deleted b');
    expect(reported).toEqual(['added a', 'added b', 'added c', 'added d', 'modified a', 'deleted b']);
    expect(server.lists).toBe(2);
  });

  it('is not synced before a list has succeeded', async () => {
    server.put('a');
    server.put('b');
    server.pageSize = 1;
    server.expiredPages = 2;
    await reflect();
    expect(reflector.synced).toBe(true);
    expect(reported).toEqual(['added a', 'added b']);
    expect(server.lists).toBe(6);
  });

  it('resumes a broken watch, also from a bookmark', async () => {
    server.put('a');
    await reflect();
    server.put('b');
    await whenReported('added b');
    server.cut();
    await until(
      'the next watch',
      async () => server.watches.length,
      (count) => count === 2,
    );
    expect(server.watches[1]?.query.get('resourceVersion')).toBe('102');
    server.put('c');
    await whenReported('added c');
    expect(server.lists).toBe(1);
    expect(reported).toEqual(['added a', 'added b', 'added c']);
  });

  it.each(['410', '410 event'] as const)('lists again after %s, and reports what it missed', async (form) => {
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
    await whenReported('modified a', 'deleted b', 'added c');
    expect(names()).toEqual(['a', 'c']);
    expect(reflector.missed).toBe(3);
    expect(server.lists).toBe(2);
  });

  it('backs off from a server that always answers 410 or ends each watch immediately', async () => {
    await reflect({ backoff: { baseMs: 60_000, maxMs: 60_000 } });
    server.put('a');
    await whenReported('added a');
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
    await whenReported('added b');
    server.nextWatches.push('end', 'end');
    server.endWatches();
    await until(
      'the pause',
      async () => server.nextWatches.length,
      (left) => left === 1,
    );
  });

  it('drops a silent connection, and watches again', async () => {
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
    await whenReported('added b');
  });

  it('recovers from errors of the server', async () => {
    await reflect();
    server.nextWatches.push('500', '500', '500');
    server.endWatches();
    server.put('a');
    await whenReported('added a');
    expect(server.lists).toBe(1);
  });

  it('compares with a list periodically, and counts only changes that the watch has missed', async () => {
    await reflect({ relistMs: 1_000, watchSeconds: { min: 1, max: 1 } });
    server.put('told');
    await whenReported('added told');
    server.deaf = true;
    server.put('missed');
    server.delete('told');
    server.deaf = false;
    const lists = server.lists;
    // The server ends a watch after its timeout. Here the test does.
    await until(
      'the comparison',
      async () => {
        server.endWatches();
        return server.lists;
      },
      (count) => count > lists,
    );
    // Reported between the list and the bookmark: not missed.
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
    expect(reported).toEqual(['added told', 'added later', 'added missed', 'deleted told'].sort(order(reported)));
  });

  it('applies the response of a write, reports its changes, and ignores older events of the watch', async () => {
    server.put('a');
    await reflect();
    const read = reflector.get('a') as KubernetesObject;
    reflector.replace({ ...read, metadata: { ...read.metadata, resourceVersion: '1000' } });
    expect(reported).toEqual(['added a', 'modified a']);
    reflector.replace({ ...read, metadata: { ...read.metadata, resourceVersion: '999' } });
    server.put('a');
    server.put('b');
    await whenReported('added b');
    expect(reflector.get('a')?.metadata.resourceVersion).toBe('1000');
    expect(reported).toEqual(['added a', 'modified a', 'added b']);
    server.delete('a');
    await whenReported('deleted a');
    reflector.replace({ ...read, metadata: { ...read.metadata, resourceVersion: '1001' } });
    expect(names()).toEqual(['b']);
  });

  it('removes an object that our own write has ended, whatever the watch still reports', async () => {
    server.put('a');
    await reflect();
    const read = reflector.get('a') as KubernetesObject;
    reflector.ended(read);
    expect([names(), reported]).toEqual([[], ['added a', 'deleted a']]);
    reflector.ended(read);
    server.put('a');
    server.delete('a');
    server.put('b');
    await whenReported('added b');
    expect(reported).toEqual(['added a', 'deleted a', 'added b']);
    const again = { ...read, metadata: { ...read.metadata, uid: 'of one before' } };
    reflector.ended({ ...again, metadata: { ...again.metadata, name: 'b' } });
    expect(names()).toEqual(['b']);
  });

  it('does not count our own write during a comparison as missed', async () => {
    await reflect({ relistMs: 1_000, watchSeconds: { min: 1, max: 1 } });
    server.put('a');
    await whenReported('added a');
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
    await whenReported('added b');
    expect(reflector.get('a')?.metadata.resourceVersion).toBe('1000');
    expect(reflector.missed).toBe(0);
  });
});

/** The order in which a comparison reports missed changes does not matter. */
function order(as: readonly string[]): (a: string, b: string) => number {
  return (a, b) => as.indexOf(a) - as.indexOf(b);
}
