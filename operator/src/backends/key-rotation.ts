/**
 * The rotation of a realm's signing key, which the gateway must follow: it holds one key for each issuer. Pure. Each
 * step is found from the realm's own keys alone, so a rotation that was interrupted anywhere continues.
 */
import { createHash } from 'node:crypto';
import type { Change, KeyRotation } from './backend.ts';

/** Days after which a key is rotated if nothing else is set, and those of the realm `console`. */
export const KEY_ROTATION_DAYS = 90;

/** An RS256 key that Keycloak generated. */
export interface SigningKey {
  /** Id and name of its component in the realm. */
  readonly id: string;
  readonly name: string;
  readonly priority: number;
  /** Whether the realm may sign with it. Tokens that it has signed are accepted either way. */
  readonly active: boolean;
  readonly createdAt: Date;
  readonly pem: string;
}

export interface RealmKeys {
  /** The key that the realm signs with. */
  readonly current: SigningKey;
  readonly others: readonly SigningKey[];
}

/** One step of a rotation. Keys are named by the id of their component. */
export type KeyStep =
  | { readonly kind: 'create'; readonly after: readonly string[]; readonly name: string; readonly priority: number }
  | { readonly kind: 'activate'; readonly key: SigningKey; readonly name: string; readonly priority: number }
  | { readonly kind: 'delete'; readonly key: SigningKey };

export interface KeyChange extends Change {
  readonly step: KeyStep;
}

export interface Rotation {
  readonly change?: KeyChange;
  /** Milliseconds until the next step. */
  readonly nextMs?: number;
  /** When the realm began to sign with the current key. */
  readonly since: Date;
  /** The request that the current key answers. */
  readonly answered?: string | undefined;
  /** Whether the next key exists, and does not sign yet. */
  readonly isUnderWay: boolean;
}

/**
 * How long the next key is published before it signs. Modules read unknown keys at once, but at most every five
 * seconds.
 */
const PUBLISHED_MS = 10_000;
/** How long the former key is published after it last signed: more than the longest life of an access token. */
const KEPT_MS = 70 * 60_000;
/** After a change, the next comparison shows its result. */
const SOON_MS = 1_000;
/** The hour of the night in which keys are rotated by schedule. */
const HOUR = 3;
const DAY_MS = 86_400_000;

/** The next step of a realm's rotation, if one is due. */
export function rotationOf(keys: RealmKeys, wish: KeyRotation, now: Date): Rotation {
  const { current, others } = keys;
  const mark = wish.request === undefined ? '' : markOf(wish.request);
  const own = ownOf(current);
  const since = own ? new Date(own.at) : current.createdAt;
  const known = { since, answered: mark !== '' && own?.mark === mark ? wish.request : undefined };
  const next = nextKey(keys);
  if (next) {
    const sinceMs = now.getTime() - next.own.at;
    // After a jump of the clock, the key may seem to be from the future.
    const waitMs = sinceMs < 0 ? 0 : PUBLISHED_MS - sinceMs;
    if (waitMs > 0) return { nextMs: waitMs, isUnderWay: true, ...known };
    const name = nameOf('hms-signing', now, next.own.mark);
    const step: KeyStep = { kind: 'activate', key: next.key, name, priority: highest(keys, next.key) + 1 };
    return { change: changeOf(step, now), nextMs: SOON_MS, isUnderWay: true, ...known };
  }
  const isRequested = mark !== '' && ![current, ...others].some((key) => ownOf(key)?.mark === mark);
  if (isRequested || isDue(since, wish, now)) {
    const name = nameOf('hms-next', now, mark);
    const after = [current, ...others].map(({ id }) => id);
    const step: KeyStep = { kind: 'create', after, name, priority: highest(keys) + 1 };
    return { change: changeOf(step, now), nextMs: PUBLISHED_MS, isUnderWay: true, ...known };
  }
  // Keys that somebody added afterwards are left alone.
  const former = own ? others.find(({ createdAt }) => createdAt <= current.createdAt) : undefined;
  if (!own || !former) return { isUnderWay: false, ...known };
  const leftMs = own.at + KEPT_MS - now.getTime();
  if (leftMs > 0) return { nextMs: leftMs, isUnderWay: false, ...known };
  return { change: changeOf({ kind: 'delete', key: former }, now), nextMs: SOON_MS, isUnderWay: false, ...known };
}

function isDue(since: Date, { everyDays, timezone }: KeyRotation, now: Date): boolean {
  if (everyDays === 0) return false;
  const lateMs = now.getTime() - since.getTime() - everyDays * DAY_MS;
  return lateMs >= DAY_MS || (lateMs >= 0 && hourIn(timezone, now) === HOUR);
}

function hourIn(timeZone: string, now: Date): number {
  try {
    return Number(new Intl.DateTimeFormat('en', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(now));
  } catch {
    // PostgreSQL and this process may know other time zones.
    return now.getUTCHours();
  }
}

function nextKey({ others }: RealmKeys) {
  const found = others.map((key) => ({ key, own: ownOf(key) }));
  return found.flatMap(({ key, own }) => (own?.stage === 'hms-next' && !key.active ? [{ key, own }] : []))[0];
}

function highest({ current, others }: RealmKeys, except?: SigningKey): number {
  return Math.max(...[current, ...others].filter((key) => key !== except).map(({ priority }) => priority));
}

/** What the operator wrote into the name of a key: its stage, since when, and the mark of the last request. */
function ownOf({ name }: SigningKey) {
  const match = /^(hms-next|hms-signing) (\S+) ?(\S*)$/.exec(name);
  const [, stage, time = '', mark = ''] = match ?? [];
  const at = Date.parse(time);
  return stage === undefined || Number.isNaN(at) ? undefined : { stage, at, mark };
}

function nameOf(stage: 'hms-next' | 'hms-signing', now: Date, mark: string): string {
  return `${stage} ${now.toISOString()} ${mark}`.trim();
}

/** A request may be a long text, and a name may not. */
function markOf(request: string): string {
  return createHash('sha256').update(request).digest('hex').slice(0, 16);
}

function changeOf(step: KeyStep, now: Date): KeyChange {
  const isNews = true;
  if (step.kind === 'create')
    return { action: 'create', object: 'signing key', detail: 'the next one, published before it signs', isNews, step };
  if (step.kind === 'delete')
    return { action: 'delete', object: 'signing key', detail: 'the former one', isNews, step };
  const message = `the realm signs with a new key since ${now.toISOString()}; access tokens from before need a refresh`;
  const event = { reason: 'KeyRotated', message };
  return { action: 'update', object: 'signing key', detail: 'rotated', isNews, event, step };
}
