import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { EventRecorder } from './events.ts';
import { TestApiServer } from './testing.ts';

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

/** The events as the server has them in the end, by name. */
function kept(): ReadonlyMap<string, Written> {
  return new Map(server.requests.map(({ path, body }) => [path, body as Written]));
}

describe('EventRecorder', () => {
  it('keeps one event however often the same thing happens, with a count and the first and last time', async () => {
    const events = recorder();
    for (let i = 0; i < 5; i++) {
      await events.record(OBJECT, 'Warning', 'Broken', 'the pipe leaks');
      now += 60_000;
    }
    expect([...kept().values()]).toEqual([
      expect.objectContaining({
        count: 5,
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:04:00Z',
      }),
    ]);
  });

  it('keeps apart other reasons, messages and objects', async () => {
    const events = recorder();
    await events.record(OBJECT, 'Warning', 'Broken', 'the pipe leaks');
    await events.record(OBJECT, 'Warning', 'Broken', 'the pipe is gone');
    await events.record(OBJECT, 'Normal', 'Mended', 'the pipe leaks');
    await events.record(
      { ...OBJECT, metadata: { ...OBJECT.metadata, uid: 'b' } },
      'Warning',
      'Broken',
      'the pipe leaks',
    );
    expect(kept().size).toBe(4);
  });

  it('makes no second event after a restart', async () => {
    await recorder().record(OBJECT, 'Normal', 'Made', 'it is there');
    await recorder().record(OBJECT, 'Normal', 'Made', 'it is there');
    expect(kept().size).toBe(1);
  });

  it('counts anew after an hour, when the server has forgotten', async () => {
    const events = recorder();
    await events.record(OBJECT, 'Normal', 'Made', 'it is there');
    now += 3_700_000;
    await events.record(OBJECT, 'Normal', 'Made', 'it is there');
    expect([...kept().values()]).toEqual([expect.objectContaining({ count: 1 })]);
  });

  it('fails nobody when the server is away, and writes nothing when this process may not', async () => {
    const frozen = recorder(() => {
      throw new Error('not the leader');
    });
    await expect(frozen.record(OBJECT, 'Normal', 'Made', 'it is there')).rejects.toThrow('not the leader');
    expect(server.requests).toHaveLength(0);
    const events = recorder();
    server.cut();
    await server.stop();
    await expect(events.record(OBJECT, 'Normal', 'Made', 'it is there')).resolves.toBeUndefined();
    server = await TestApiServer.start();
  });
});
