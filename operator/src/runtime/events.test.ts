import { TestApiServer } from '@hms/kubernetes/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { EventRecorder } from './events.ts';

const OBJECT = {
  apiVersion: 'test/v1',
  kind: 'Thing',
  metadata: { name: 'a', uid: 'uid-a', resourceVersion: '1', creationTimestamp: '' },
};

let server: TestApiServer;
let now: number;

beforeEach(async () => {
  server = await TestApiServer.start();
  now = Date.parse('2026-01-01T00:00:00Z');
});
afterEach(() => server.stop());

function recorder(fence = () => undefined): EventRecorder {
  const logger = pino({ level: 'silent' });
  return new EventRecorder({ client: server.client(), logger, component: 'test', fence, now: () => new Date(now) });
}

interface Written {
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
}

/** The final events on the server, by name. */
function storedEvents(): ReadonlyMap<string, Written> {
  return new Map(server.requests.map(({ path, body }) => [path, body as Written]));
}

describe('EventRecorder', () => {
  it('keeps one event for repetitions, with a count and the first and last time', async () => {
    const events = recorder();
    for (let i = 0; i < 5; i++) {
      await events.record(OBJECT, 'Warning', 'Broken', 'the pipe leaks');
      now += 60_000;
    }
    expect([...storedEvents().values()]).toEqual([
      expect.objectContaining({
        count: 5,
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:04:00Z',
      }),
    ]);
  });

  it('separates other reasons, messages and objects', async () => {
    const events = recorder();
    await events.record(OBJECT, 'Warning', 'Broken', 'the pipe leaks');
    await events.record(OBJECT, 'Warning', 'Broken', 'the pipe is missing');
    await events.record(OBJECT, 'Normal', 'Fixed', 'the pipe leaks');
    await events.record(
      { ...OBJECT, metadata: { ...OBJECT.metadata, uid: 'b' } },
      'Warning',
      'Broken',
      'the pipe leaks',
    );
    expect(storedEvents().size).toBe(4);
  });

  it('creates no second event after a restart', async () => {
    await recorder().record(OBJECT, 'Normal', 'Created', 'it exists');
    await recorder().record(OBJECT, 'Normal', 'Created', 'it exists');
    expect(storedEvents().size).toBe(1);
  });

  it('restarts the count after an hour, when the server has expired the event', async () => {
    const events = recorder();
    await events.record(OBJECT, 'Normal', 'Created', 'it exists');
    now += 3_700_000;
    await events.record(OBJECT, 'Normal', 'Created', 'it exists');
    expect([...storedEvents().values()]).toEqual([expect.objectContaining({ count: 1 })]);
  });

  it('does not throw when the server is unavailable, and writes nothing if this process may not', async () => {
    const frozen = recorder(() => {
      throw new Error('not the leader');
    });
    await expect(frozen.record(OBJECT, 'Normal', 'Created', 'it exists')).rejects.toThrow('not the leader');
    expect(server.requests).toHaveLength(0);
    const events = recorder();
    server.cut();
    await server.stop();
    await expect(events.record(OBJECT, 'Normal', 'Created', 'it exists')).resolves.toBeUndefined();
    server = await TestApiServer.start();
  });
});
