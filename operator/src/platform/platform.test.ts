import { afterEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { Change } from '../backends/backend.ts';
import { BackendError } from '../backends/errors.ts';
import { NotLeader } from '../runtime/leader.ts';
import { type Ensure, Platform } from './platform.ts';

const ROUTE: Change = { action: 'create', object: 'route hms' };

let platform: Platform;
/** The results of the next checks of the gateway, and the number of checks. */
let found: (readonly Change[] | Error)[];
let checks: number;
let changed: string[];
let ready: number;
let wake: () => void;
/** The milliseconds after which a check of the gateway asks for another one. */
let asked: number | undefined;
/** What a check of the gateway waits for. */
let checking: Promise<void> | undefined;

async function start(...first: typeof found): Promise<void> {
  [found, checks, changed, ready, checking] = [first, 0, [], 0, undefined];
  const gateway: Ensure = async (again) => {
    checks += 1;
    wake?.();
    if (asked !== undefined) again(asked);
    await checking;
    const next = found.shift() ?? [];
    if ('message' in next) throw next;
    return next;
  };
  platform = new Platform({
    pieces: new Map([['gateway', gateway]]),
    resyncMs: 3_600_000,
    logger: pino({ level: 'silent' }),
    onReady: () => {
      ready += 1;
    },
    onChanged: (name, changes, drift) => changed.push(`${name} ${changes.length} ${drift ? 'drift' : 'set up'}`),
  });
  platform.start();
  await platform.require('gateway').catch(() => undefined);
}

/** Waits for the next check and its effects. */
async function nextCheck(act: () => void): Promise<void> {
  const checked = new Promise<void>((resolve) => {
    wake = resolve;
  });
  act();
  await checked;
  await new Promise((resolve) => setImmediate(resolve));
}

afterEach(() => platform.stop());

describe('Platform', () => {
  it('has the hospitals checked after it restored a deleted part, with which they may have lost theirs', async () => {
    await start([ROUTE], [{ ...ROUTE, action: 'update' }], [ROUTE]);
    await nextCheck(() => platform.hasten('gateway', 0));
    expect(ready).toBe(0);
    await nextCheck(() => platform.hasten('gateway', 0));
    expect(ready).toBe(1);
  });

  it('checks early on request, once for many requests, and reports what was restored', async () => {
    await start([ROUTE], [ROUTE]);
    expect(platform.trouble('gateway')).toContain('was corrected a moment ago: create route hms');
    await nextCheck(() => {
      for (let i = 0; i < 100; i++) platform.hasten('gateway', 0);
    });
    expect(checks).toBe(2);
    expect(changed).toEqual(['gateway 1 set up', 'gateway 1 drift']);
  });

  it('keeps the minimum time between two checks', async () => {
    await start();
    await nextCheck(() => platform.hasten('gateway', 30));
    expect(checks).toBe(2);
    platform.hasten('gateway', 3_600_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(checks).toBe(2);
    expect(platform.trouble('gateway')).toBeUndefined();
  });

  it('checks again when a check asks for it, before the resync', async () => {
    await start();
    asked = 10;
    await nextCheck(() => platform.hasten('gateway', 0));
    await nextCheck(() => undefined);
    expect(checks).toBeGreaterThanOrEqual(3);
    asked = undefined;
  });

  it('keeps the backoff of a failing engine, and reports the error', async () => {
    await start([], new BackendError('Unavailable', 'the gateway is unavailable'));
    await nextCheck(() => platform.hasten('gateway', 0));
    platform.hasten('gateway', 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(checks).toBe(2);
    expect(platform.trouble('gateway')).toBe(
      "the platform's shared part of gateway can't be read: the gateway is unavailable",
    );
  });

  it('sets up a recovered engine immediately if it was never ready, while hospitals wait for that', async () => {
    const unavailable = new BackendError('Unavailable', 'the gateway is unavailable');
    await start(unavailable, unavailable);
    await nextCheck(() => void platform.answers('gateway'));
    await expect(platform.require('gateway')).rejects.toThrow('unavailable');
    await nextCheck(() => void platform.answers('gateway'));
    await platform.require('gateway');
    expect(checks).toBe(3);
    await platform.answers('gateway');
    expect(checks).toBe(3);
  });

  it('checks once more when the engine recovers during a check', async () => {
    let finish: (() => void) | undefined;
    const unavailable = new BackendError('Unavailable', 'the gateway is unavailable');
    await start(unavailable, unavailable);
    checking = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await nextCheck(() => void platform.answers('gateway'));
    const answers = Promise.all([platform.answers('gateway'), platform.answers('gateway')]);
    finish?.();
    await answers;
    await platform.require('gateway');
    expect(checks).toBe(3);
  });

  it('stops only after the current check has ended, and checks no more', async () => {
    await start();
    let finish: (() => void) | undefined;
    checking = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await nextCheck(() => platform.hasten('gateway', 0));
    let stopped = false;
    const end = platform.stop().then(() => {
      stopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    finish?.();
    await end;
    platform.hasten('gateway', 0);
    platform.start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(checks).toBe(2);
  });

  it('blames no engine if this process may not write', async () => {
    await start([], new NotLeader('not the leader'));
    await nextCheck(() => platform.hasten('gateway', 0));
    expect(platform.trouble('gateway')).toBeUndefined();
  });
});
