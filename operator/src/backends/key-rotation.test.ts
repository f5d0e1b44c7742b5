import { describe, expect, it } from '@jest/globals';
import type { KeyRotation } from './backend.ts';
import { type KeyStep, type RealmKeys, rotationOf, type SigningKey } from './key-rotation.ts';

const START = Date.parse('2026-03-01T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 1_440 * MINUTE;
const at = (ms: number) => new Date(START + ms);
const first: SigningKey = {
  id: 'first',
  name: 'rsa-generated',
  priority: 100,
  active: true,
  createdAt: at(0),
  pem: 'first',
};
const new_: RealmKeys = { current: first, others: [] };
const EVERY_90: KeyRotation = { everyDays: 90, timezone: 'UTC' };
const requested = (request: string): KeyRotation => ({ everyDays: 0, timezone: 'UTC', request });

/** The keys after a step, as Keycloak would show them. */
function after({ current, others }: RealmKeys, step: KeyStep | undefined, now: Date): RealmKeys {
  if (step?.kind === 'create') {
    const key = { id: `k${now.getTime()}`, name: step.name, priority: step.priority, active: false };
    return { current, others: [...others, { ...key, createdAt: now, pem: key.id }] };
  }
  if (step?.kind === 'activate') {
    const { name, priority } = step;
    const rest = others.filter(({ id }) => id !== step.key.id);
    return { current: { ...step.key, name, priority, active: true }, others: [...rest, current] };
  }
  return { current, others: others.filter(({ id }) => id !== step?.key.id) };
}

/** Reconciles whenever the rotation asks for it. @returns the steps with their times in seconds, and the last keys. */
function run(keys: RealmKeys, wish: KeyRotation, from: number, until: number) {
  const steps: [string, number][] = [];
  let now = keys;
  for (let ms = from; ms <= until; ) {
    const { change, nextMs } = rotationOf(now, wish, at(ms));
    if (change) steps.push([change.step.kind, (ms - from) / SECOND]);
    if (change) now = after(now, change.step, at(ms));
    if (nextMs === undefined) break;
    ms += nextMs;
  }
  return { steps, keys: now };
}

describe('a requested rotation', () => {
  it('publishes the next key ten seconds before it signs, and the former one for 70 minutes afterwards', () => {
    const { steps, keys } = run(new_, requested('a'), 0, DAY);
    expect(steps).toEqual([
      ['create', 0],
      ['activate', 10],
      ['delete', 10 + 70 * 60],
    ]);
    expect(keys).toMatchObject({ current: { priority: 101, active: true }, others: [] });
  });

  it('is done once, and again for another request', () => {
    const { keys } = run(new_, requested('a'), 0, DAY);
    expect(rotationOf(keys, requested('a'), at(DAY))).toMatchObject({
      answered: 'a',
      isUnderWay: false,
      since: at(10 * SECOND),
    });
    expect(run(keys, requested('a'), DAY, 2 * DAY).steps).toEqual([]);
    expect(run(keys, requested('b'), DAY, 2 * DAY).steps.map(([kind]) => kind)).toEqual([
      'create',
      'activate',
      'delete',
    ]);
  });

  it('is not repeated after a rotation by schedule, whose key carries its mark too', () => {
    const { keys } = run(new_, requested('a'), 0, DAY);
    const later = run(keys, { ...EVERY_90, request: 'a' }, 100 * DAY, 101 * DAY);
    expect(later.steps.map(([kind]) => kind)).toEqual(['create', 'activate', 'delete']);
    expect(run(later.keys, requested('a'), 101 * DAY, 102 * DAY).steps).toEqual([]);
  });

  it('that comes during another one is answered by a second one', () => {
    const { change } = rotationOf(new_, requested('a'), at(0));
    const keys = after(new_, change?.step, at(0));
    expect(rotationOf(keys, requested('b'), at(5 * SECOND))).toMatchObject({ isUnderWay: true, nextMs: 5 * SECOND });
    const { steps } = run(keys, requested('b'), 5 * SECOND, 60 * SECOND);
    expect(steps.map(([kind]) => kind)).toEqual(['activate', 'create', 'activate']);
  });

  it('goes above a key that somebody added by hand meanwhile, and keeps later ones', () => {
    const { change } = rotationOf(new_, requested('a'), at(0));
    const next = after(new_, change?.step, at(0)).others;
    const hand = { ...first, id: 'hand', name: 'by hand', priority: 500, createdAt: at(5 * SECOND) };
    const { keys } = run({ current: hand, others: [first, ...next] }, requested('a'), 20 * SECOND, 2 * DAY);
    expect(keys).toMatchObject({ current: { priority: 501 }, others: [{ id: 'hand' }] });
  });
});

describe('a rotation by schedule', () => {
  it('comes in the first night after the time, by the clock of the hospital', () => {
    const stepAt = (timezone: string, ms: number) =>
      rotationOf(new_, { everyDays: 90, timezone }, at(ms)).change?.step.kind;
    // The key is from noon in UTC. Three hours of the night are 15 hours later.
    expect(stepAt('UTC', 90 * DAY - MINUTE)).toBeUndefined();
    expect(stepAt('UTC', 90 * DAY)).toBeUndefined();
    expect(stepAt('UTC', 90 * DAY + 15 * 60 * MINUTE)).toBe('create');
    expect(stepAt('Asia/Kolkata', 90 * DAY + 15 * 60 * MINUTE)).toBeUndefined();
    expect(stepAt('Asia/Kolkata', 90 * DAY + (9 * 60 + 30) * MINUTE)).toBe('create');
    // A process that was down all night does not wait for another one.
    expect(stepAt('UTC', 91 * DAY)).toBe('create');
  });

  it('never comes with 0, and not again before its time', () => {
    expect(rotationOf(new_, { ...EVERY_90, everyDays: 0 }, at(5_000 * DAY)).change).toBeUndefined();
    const { keys } = run(new_, EVERY_90, 91 * DAY, 92 * DAY);
    expect(keys.current.name).toMatch(/^hms-signing 2026-05-31T12:00:10.000Z$/);
    expect(run(keys, EVERY_90, 180 * DAY, 180 * DAY).steps).toEqual([]);
    expect(run(keys, EVERY_90, 182 * DAY + SECOND * 10, 183 * DAY).steps).toHaveLength(3);
  });
});

describe('keys', () => {
  it('that the operator did not create are not touched', () => {
    const hand = { ...first, id: 'hand', name: 'rotated', priority: 200, createdAt: at(MINUTE) };
    expect(rotationOf({ current: hand, others: [first] }, EVERY_90, at(DAY)).change).toBeUndefined();
    const passive = { ...hand, active: false };
    expect(rotationOf({ current: first, others: [passive] }, EVERY_90, at(DAY)).change).toBeUndefined();
  });

  it('from the future, after a jump of the clock, do not stop a rotation', () => {
    const { change } = rotationOf(new_, requested('a'), at(10 * DAY));
    const keys = after(new_, change?.step, at(10 * DAY));
    expect(rotationOf(keys, requested('a'), at(0)).change?.step.kind).toBe('activate');
  });
});
