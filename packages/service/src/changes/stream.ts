/** Changes of a table as server-sent events, for live lists. */
import type { Hospital } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import type { Caller } from '../caller.ts';
import { FORBIDDEN, Problem } from '../errors.ts';
import type { Registry } from '../registry.ts';
import { type ChangeListener, type Notice, RESET } from './listener.ts';

export interface ChangeStreamOptions {
  readonly changes: ChangeListener;
  readonly registry: Registry;
}

/** Proxies close a connection on which nothing is sent. */
const KEEP_ALIVE_MS = 15_000;
/** How soon the streams of a suspended hospital or person end. */
const WELCOME_MS = 1_000;
/** Before a browser opens an ended stream again: this, or up to twice as long. */
const RECONNECT_MS = 1_500;

/** What a stream says. */
export interface Events {
  /** The first events. No change after them is missed. @param quietMs for how long nothing has changed, at least */
  first(quietMs: number): Promise<string> | string;
  /** What follows from notices. They name changed records of the table, or say that some may have been lost. */
  next(notices: readonly Notice[]): Promise<string> | string;
}

/**
 * For live lists. Each event has the id of a changed record: `event: change`, `data: {"id": "…"}`. The first one is
 * `reset`: from then on no change is missed, so a client reads its list when it gets one, unless it has read it within
 * the time in `quietMs`. Another `reset` follows when changes may have been lost.
 */
const CHANGES: Events = {
  first: (quietMs) => `event: reset\ndata: ${JSON.stringify({ quietMs })}\n\n`,
  next: (notices) =>
    notices
      .map((notice) => (notice === RESET ? LOST : `event: change\ndata: ${JSON.stringify({ id: notice.id })}\n\n`))
      .join(''),
};
const LOST = 'event: reset\ndata: {"quietMs":0}\n\n';

/**
 * Server-sent events on the changes of a table. They end when the caller or the hospital is no longer welcome.
 * @throws Problem FORBIDDEN for users of the platform, TOO_MANY_STREAMS.
 */
export function changeEvents(
  options: ChangeStreamOptions,
  caller: Caller,
  record: string,
  events: Events = CHANGES,
): AsyncIterable<string> {
  const { hospital } = caller;
  if (!hospital) throw new Problem(FORBIDDEN, { message: 'Only people of a hospital may use this' });
  options.changes.requireRoom(caller.sub);
  return eventsOf(options, caller, hospital, record, events);
}

async function* eventsOf(
  { changes, registry }: ChangeStreamOptions,
  caller: Caller,
  hospital: Hospital,
  record: string,
  events: Events,
): AsyncGenerator<string> {
  const { role } = hospitalNames(hospital.prefix);
  const follower = await changes.follow(role, record, caller.sub);
  // Another setting of the hospital may concern what the stream shows: it begins again.
  const isSame = (now: Hospital | undefined) =>
    now?.state === 'Active' && now.updatedAt?.getTime() === hospital.updatedAt?.getTime();
  const isWelcome = async () =>
    !follower.isClosed &&
    caller.expiresAt.getTime() > Date.now() &&
    isSame(await registry.byIssuer(hospital.issuer)) &&
    caller.issuedAt.getTime() / 1000 >= (await registry.revokedBefore(hospital, caller.sub)) &&
    (!caller.impersonation || (await registry.impersonationOf(caller.impersonation.tokenId)) !== undefined);
  try {
    await follower.next(0);
    yield `retry: ${reconnectAfter()}\n\n${await events.first(changes.quietFor(role, record))}`;
    let sentAt = Date.now();
    while (await isWelcome()) {
      const remaining = caller.expiresAt.getTime() - Date.now();
      const notices = await follower.next(Math.max(1, Math.min(WELCOME_MS, remaining)));
      if (!(await isWelcome())) return;
      const text = notices.length === 0 ? '' : await events.next(notices);
      if (text === '' && Date.now() - sentAt < KEEP_ALIVE_MS) continue;
      sentAt = Date.now();
      yield text === '' ? ': keep-alive\n\n' : text;
    }
  } finally {
    follower.close();
  }
}

/** Those whose process has ended do not all come back at the same moment. */
function reconnectAfter(): number {
  return RECONNECT_MS + Math.floor(Math.random() * RECONNECT_MS);
}
