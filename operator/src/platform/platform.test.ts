import { afterEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { BACKEND_NAMES, type BackendName, type Change } from '../backends/backend.ts';
import { BackendError } from '../backends/errors.ts';
import { NotLeader } from '../runtime/leader.ts';
import { Platform } from './platform.ts';

const ROUTE: Change = { action: 'create', object: 'route hms' };

let platform: Platform;
/** What the next looks at the gateway find, and how many there were. */
let found: (readonly Change[] | Error)[];
let looks: number;
let told: string[];
let wake: () => void;
/** What a look at the gateway waits for. */
let looking: Promise<void> | undefined;

async function start(...first: typeof found): Promise<void> {
  [found, looks, told, looking] = [first, 0, [], undefined];
  const gateway = async () => {
    looks += 1;
    wake?.();
    await looking;
    const next = found.shift() ?? [];
    if ('message' in next) throw next;
    return next;
  };
  platform = new Platform({
    pieces: {
      ...(Object.fromEntries(BACKEND_NAMES.map((name) => [name, async () => []])) as unknown as Record<
        BackendName,
        () => Promise<readonly Change[]>
      >),
      gateway,
    },
    resyncMs: 3_600_000,
    logger: pino({ level: 'silent' }),
    onReady: () => undefined,
    onChanged: (name, changes, drift) => told.push(`${name} ${changes.length} ${drift ? 'drift' : 'set up'}`),
  });
  platform.start();
  await platform.require('gateway').catch(() => undefined);
}

/** Waits for the next look and for what it leads to. */
async function nextLook(act: () => void): Promise<void> {
  const looked = new Promise<void>((resolve) => {
    wake = resolve;
  });
  act();
  await looked;
  await new Promise((resolve) => setImmediate(resolve));
}

afterEach(() => platform.stop());

describe('Platform', () => {
  it('looks before its time when asked to, once for many who ask, and tells what was put back', async () => {
    await start([ROUTE], [ROUTE]);
    expect(platform.trouble('gateway')).toContain('was corrected a moment ago: create route hms');
    await nextLook(() => {
      for (let i = 0; i < 100; i++) platform.hasten('gateway', 0);
    });
    expect(looks).toBe(2);
    expect(told).toEqual(['gateway 1 set up', 'gateway 1 drift']);
  });

  it('keeps the time between two looks', async () => {
    await start();
    await nextLook(() => platform.hasten('gateway', 30));
    expect(looks).toBe(2);
    platform.hasten('gateway', 3_600_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toBe(2);
    expect(platform.trouble('gateway')).toBeUndefined();
  });

  it('leaves an engine that fails its own pace, and says what is wrong', async () => {
    await start([], new BackendError('Unavailable', 'the gateway is away'));
    await nextLook(() => platform.hasten('gateway', 0));
    platform.hasten('gateway', 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toBe(2);
    expect(platform.trouble('gateway')).toBe(
      "the platform's shared part of gateway can't be read: the gateway is away",
    );
  });

  it('makes ready at once what never was, when the engine answers again, and hospitals wait for that', async () => {
    const away = new BackendError('Unavailable', 'the gateway is away');
    await start(away, away);
    await nextLook(() => void platform.answers('gateway'));
    await expect(platform.require('gateway')).rejects.toThrow('away');
    await nextLook(() => void platform.answers('gateway'));
    await platform.require('gateway');
    expect(looks).toBe(3);
    await platform.answers('gateway');
    expect(looks).toBe(3);
  });

  it('looks once more when the engine answers while a look is under way that began before', async () => {
    let finish: (() => void) | undefined;
    const away = new BackendError('Unavailable', 'the gateway is away');
    await start(away, away);
    looking = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await nextLook(() => void platform.answers('gateway'));
    const answers = Promise.all([platform.answers('gateway'), platform.answers('gateway')]);
    finish?.();
    await answers;
    await platform.require('gateway');
    expect(looks).toBe(3);
  });

  it('ends only when the look that is under way has ended, and looks no more', async () => {
    await start();
    let finish: (() => void) | undefined;
    looking = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await nextLook(() => platform.hasten('gateway', 0));
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
    expect(looks).toBe(2);
  });

  it('blames no engine when this process may not write', async () => {
    await start([], new NotLeader('not the leader'));
    await nextLook(() => platform.hasten('gateway', 0));
    expect(platform.trouble('gateway')).toBeUndefined();
  });
});
