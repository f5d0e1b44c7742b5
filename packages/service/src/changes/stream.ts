/** Changes of a table as server-sent events, for live lists. */
import type { Hospital } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import type { Caller } from '../caller.ts';
import { FORBIDDEN, Problem } from '../errors.ts';
import type { Registry } from '../registry.ts';
import { type ChangeListener, RESET } from './listener.ts';

export interface ChangeStreamOptions {
  readonly changes: ChangeListener;
  readonly registry: Registry;
}

/** Proxies close a connection on which nothing is sent. */
const KEEP_ALIVE_MS = 15_000;
/** How soon the streams of a suspended hospital or person end. */
const WELCOME_MS = 1_000;
/** Before a browser opens an ended stream again. */
const RECONNECT_MS = 3_000;

/**
 * Each event has the id of a changed record: `event: change`, `data: {"id": "…"}`. The first one is `reset`: from then
 * on no change is missed, so a client reads its list when it gets one. Another `reset` follows when changes may have been
 * lost.
 * @throws Problem FORBIDDEN for users of the platform, TOO_MANY_STREAMS.
 */
export function changeEvents(options: ChangeStreamOptions, caller: Caller, record: string): AsyncIterable<string> {
  const { hospital } = caller;
  if (!hospital) throw new Problem(FORBIDDEN, { message: 'Only people of a hospital may use this' });
  options.changes.requireRoom(caller.sub);
  return eventsOf(options, caller, hospital, record);
}

async function* eventsOf(
  { changes, registry }: ChangeStreamOptions,
  caller: Caller,
  hospital: Hospital,
  record: string,
): AsyncGenerator<string> {
  const follower = await changes.follow(hospitalNames(hospital.prefix).role, record, caller.sub);
  const isWelcome = async () =>
    !follower.isClosed &&
    caller.expiresAt.getTime() > Date.now() &&
    (await registry.byIssuer(hospital.issuer))?.state === 'Active' &&
    caller.issuedAt.getTime() / 1000 >= (await registry.revokedBefore(hospital, caller.sub)) &&
    (!caller.impersonation || (await registry.impersonationOf(caller.impersonation.tokenId)) !== undefined);
  try {
    yield `retry: ${RECONNECT_MS}\n\nevent: reset\ndata: {}\n\n`;
    await follower.next(0);
    let sentAt = Date.now();
    while (await isWelcome()) {
      const remaining = caller.expiresAt.getTime() - Date.now();
      const notices = await follower.next(Math.max(1, Math.min(WELCOME_MS, remaining)));
      if (!(await isWelcome())) return;
      if (notices.length === 0 && Date.now() - sentAt < KEEP_ALIVE_MS) continue;
      sentAt = Date.now();
      if (notices.length === 0) yield ': keep-alive\n\n';
      for (const notice of notices) {
        yield notice === RESET
          ? 'event: reset\ndata: {}\n\n'
          : `event: change\ndata: ${JSON.stringify({ id: notice.id })}\n\n`;
      }
    }
  } finally {
    follower.close();
  }
}
