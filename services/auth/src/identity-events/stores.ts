/** Where the events of a realm are recorded, and where the next reading begins. */
import type { Hospital, TenantPool, Transaction } from '@hms/database';
import { addOutsideEvents, unseenEvents } from '@hms/service';
import type { Knex } from 'knex';
import type { EventKind, IdentityEvent } from './events.ts';

/** An event with the address and the name of its actor. */
interface RecordedEvent extends IdentityEvent {
  readonly actorEmail: string | undefined;
  /** Stored for users of the platform. For those of a hospital, the list of employees has it. */
  readonly actorName: string | undefined;
}

export interface EventStore {
  /** Time of the last recorded event, in milliseconds since 1970. 0 if there is none. */
  until(kind: EventKind): Promise<number>;
  /** Times of the recorded failed logins of other clients than this one, in milliseconds since 1970, oldest first. */
  failuresBeside(client: string, since: Date): Promise<number[]>;
  /** Those of the ids that are not recorded. */
  unseen(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Records events, and until when they were read, in one transaction. Events that another process has just recorded are
   * left out.
   */
  add(kind: EventKind, events: readonly RecordedEvent[], until: Date): Promise<void>;
}

/** The audit log of a hospital. */
export function hospitalStore(tenants: TenantPool, hospital: Hospital): EventStore {
  const run = <T>(work: (trx: Transaction) => Promise<T>) => tenants.inTenant(hospital, work);
  return {
    until: async (kind) => {
      const [cursor] = await run((trx) =>
        trx.query<{ until: Date }>('SELECT until FROM identity_cursors WHERE kind = $1', [kind]),
      );
      return cursor?.until.getTime() ?? 0;
    },
    failuresBeside: async (...values) => {
      const found = await run((trx) => trx.query<{ at: Date }>(failuresIn('audit_events', '$1', '$2'), values));
      return found.map(({ at }) => at.getTime());
    },
    unseen: async (ids) => {
      return run((trx) => unseenEvents(trx, ids));
    },
    add: (kind, events, until) =>
      run(async (trx) => {
        await Promise.all([addOutsideEvents(trx, events.map(rowOf)), trx.query(MOVE, [kind, until])]);
      }),
  };
}

/** The table of the platform's own users. */
export function consoleStore(db: Knex, realm: string): EventStore {
  const cursors = () => db.withSchema('platform').from('identity_collections').where({ realm });
  return {
    until: async (kind) => {
      const row: Record<string, Date | null> | undefined = await cursors().first(`${kind}_until`);
      return row?.[`${kind}_until`]?.getTime() ?? 0;
    },
    failuresBeside: async (...values) => {
      const { rows } = await db.raw<{ rows: { at: Date }[] }>(failuresIn('platform.console_events', '?', '?'), values);
      return rows.map(({ at }) => at.getTime());
    },
    unseen: async (ids) => {
      const seen: { id: string }[] = await db.withSchema('platform').from('console_events').whereIn('id', ids);
      return new Set(ids.filter((id) => !seen.some((one) => one.id === id)));
    },
    add: (kind, events, until) =>
      db.transaction(async (trx) => {
        const rows = events.map((event) => {
          const { actor_roles, ...row } = rowOf(event);
          return { ...row, actor_name: event.actorName };
        });
        if (rows.length > 0)
          await trx.withSchema('platform').from('console_events').insert(rows).onConflict('id').ignore();
        const column = `${kind}_until`;
        await trx.raw('UPDATE platform.identity_collections SET ?? = greatest(??, ?::timestamptz) WHERE realm = ?', [
          ...[column, column],
          ...[until, realm],
        ]);
      }),
  };
}

/** The drivers write parameters differently. */
const failuresIn = (table: string, client: string, since: string) => `
  SELECT at FROM ${table}
  WHERE action = 'login.failed' AND details ->> 'client' IS DISTINCT FROM ${client} AND at > ${since} ORDER BY at`;

const MOVE = `
  INSERT INTO identity_cursors AS known (kind, until) VALUES ($1, $2)
  ON CONFLICT (kind) DO UPDATE SET until = greatest(known.until, excluded.until)`;

function rowOf({ id, at, actor, actorEmail, action, record, recordId, details, address }: RecordedEvent) {
  return {
    id,
    at: at.toISOString(),
    actor,
    actor_email: actorEmail,
    actor_roles: [],
    action,
    record,
    record_id: recordId,
    details,
    address,
  };
}
