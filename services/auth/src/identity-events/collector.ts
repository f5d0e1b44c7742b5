/**
 * Copies Keycloak's events into the audit logs of the hospitals. Keycloak keeps them for 90 days, so an outage delays
 * them and loses none. Several processes share the realms: each takes the one that has waited longest.
 */
import { type Hospital, listHospitals } from '@hms/database';
import type { Platform } from '@hms/service';
import { CONSOLE_REALM } from '@hms/tenancy';
import { type Account, type Accounts, nameOf } from '../accounts.ts';
import { EVENT_KINDS, type EventKind, type IdentityEvent, identityEvent, isAboutPeople } from './events.ts';
import { FailedLogins, KEPT_FAILURES } from './failed-logins.ts';
import { consoleStore, type EventStore, hospitalStore } from './stores.ts';

export interface CollectorOptions {
  readonly platform: Pick<Platform, 'db' | 'tenants' | 'sealer' | 'log'>;
  readonly accounts: Pick<Accounts, 'events' | 'byId'>;
  /** Milliseconds between two readings of a realm. With many realms, it is longer. */
  readonly interval?: number;
  /** How many failed logins at Keycloak's own page are recorded of a realm in ten minutes. */
  readonly keptFailures?: number;
}

const INTERVAL = 10_000;
/** Milliseconds for each realm of the platform, so that Keycloak gets no more than a few requests a second. */
const INTERVAL_OF_REALM = 200;
/** Realms that a round takes at a time, and how many of them are read at the same time. */
const CLAIMED = 20;
const PARALLEL = 2;
const PAGE = 200;
/** New events of a kind after which other realms have their turn. */
const TURN = 1_000;
/** Keycloak may commit an event some time after its own time. Events this much older than the last are read again. */
const OVERLAP_MS = 120_000;

export class EventCollector {
  readonly #options: CollectorOptions;
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #ended = false;
  #lag = 0;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#interval = options.interval ?? INTERVAL;
  }

  /** Seconds for which the events of some open realm have not been read to their end. */
  get lag(): number {
    return this.#lag;
  }

  /** Reads again and again, until `end`. */
  start(): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#safeRound().then(() => {
        if (!this.#ended) this.start();
      });
    }, this.#interval / 2).unref();
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Reads the events of every realm whose turn it is. */
  async round(): Promise<void> {
    const { db } = this.#options.platform;
    const open = (await listHospitals(db)).filter(({ state }) => state === 'Active');
    const hospitals = new Map<string, Hospital | undefined>(open.map((one) => [one.prefix, one]));
    hospitals.set(CONSOLE_REALM, undefined);
    const names = [...hospitals.keys()];
    for (let realms = await this.#claim(names); realms.length > 0; realms = await this.#claim(names)) {
      await this.#measure(names);
      const waiting = [...realms];
      await Promise.all(
        Array.from({ length: PARALLEL }, async () => {
          for (let realm = waiting.pop(); realm && !this.#ended; realm = waiting.pop())
            await this.#safeCollect(realm, hospitals.get(realm));
        }),
      );
      if (this.#ended) return;
    }
    await this.#measure(names);
  }

  async #measure(names: string[]): Promise<void> {
    const { rows } = await this.#options.platform.db.raw<{ rows: { lag: number | null }[] }>(LAG, [names]);
    this.#lag = rows[0]?.lag ?? 0;
  }

  async #safeRound(): Promise<void> {
    try {
      await this.round();
    } catch (error) {
      this.#options.platform.log.warn({ error }, "could not read Keycloak's events");
    }
  }

  /** Takes realms that nobody has read for the interval, the longest waiting first. */
  async #claim(realms: string[]): Promise<readonly string[]> {
    const { db } = this.#options.platform;
    await db.raw('INSERT INTO platform.identity_collections (realm) SELECT unnest(?::text[]) ON CONFLICT DO NOTHING', [
      realms,
    ]);
    const seconds = Math.max(this.#interval, realms.length * INTERVAL_OF_REALM) / 1000;
    const { rows } = await db.raw<{ rows: { realm: string }[] }>(CLAIM, [realms, seconds, CLAIMED]);
    return rows.map(({ realm }) => realm);
  }

  async #safeCollect(realm: string, hospital: Hospital | undefined): Promise<void> {
    const { db, log } = this.#options.platform;
    try {
      const isComplete = await this.collect(realm, hospital);
      // The rest is read before realms that were read to their end.
      const change = isComplete ? { collected_at: db.fn.now() } : { claimed_at: '-infinity' };
      await db.withSchema('platform').from('identity_collections').where({ realm }).update(change);
    } catch (error) {
      log.warn({ error, realm }, "could not read the realm's events");
    }
  }

  /** @returns whether everything was read. */
  async collect(realm: string, hospital: Hospital | undefined): Promise<boolean> {
    const { db, tenants, sealer } = this.#options.platform;
    const store = hospital ? hospitalStore(tenants, hospital) : consoleStore(db, realm);
    const accounts = new Map<string, Promise<Account | undefined>>();
    const accountOf = (id: string) => {
      const known = accounts.get(id) ?? this.#options.accounts.byId(realm, id);
      accounts.set(id, known);
      return known;
    };
    let isComplete = true;
    let added = 0;
    for (const kind of EVENT_KINDS) {
      const read = await this.#read(realm, kind, store, accountOf);
      added += read.added;
      isComplete &&= read.isComplete;
    }
    if (hospital && added > 0) sealer.wrote(hospital);
    return isComplete;
  }

  async #read(
    realm: string,
    kind: EventKind,
    store: EventStore,
    accountOf: (id: string) => Promise<Account | undefined>,
  ) {
    const { accounts, keptFailures = KEPT_FAILURES } = this.#options;
    const failedLogins = new FailedLogins(store, keptFailures);
    let from = Math.max(0, (await store.until(kind)) - OVERLAP_MS);
    let first = 0;
    let added = 0;
    for (;;) {
      const page = await accounts.events(realm, kind, { from, first, max: PAGE });
      const unseen = page.length > 0 ? await store.unseen(page.map(({ id }) => id)) : new Set();
      const recordedAt = new Date().toISOString();
      const events: IdentityEvent[] = [];
      for (const event of page.filter((event) => unseen.has(event.id) && isAboutPeople(event))) {
        const admitted = await failedLogins.admit(identityEvent(event, recordedAt));
        if (admitted) events.push(admitted);
      }
      const latest = new Date(Math.max(...page.map(({ time }) => time)));
      if (page.some(({ id }) => unseen.has(id))) {
        const recorded = [];
        for (const event of events) {
          // An account that was deleted meanwhile has no address and no name any more.
          const found = event.account === undefined ? undefined : await accountOf(event.account);
          recorded.push({ ...event, actorEmail: found?.email ?? event.email, actorName: found && nameOf(found) });
        }
        await store.add(kind, recorded, latest);
        added += events.length;
      }
      if (page.length < PAGE) return { added, isComplete: true };
      if (added >= TURN) return { added, isComplete: false };
      // By time and not by number, because Keycloak deletes expired events meanwhile.
      const last = page.at(-1)?.time ?? from;
      first = last === from ? first + PAGE : 0;
      from = last;
    }
  }
}

const CLAIM = `
  UPDATE platform.identity_collections SET claimed_at = now() WHERE realm IN (
    SELECT realm FROM platform.identity_collections
    WHERE realm = ANY (?::text[]) AND claimed_at < now() - ? * interval '1 second'
    ORDER BY claimed_at LIMIT ? FOR UPDATE SKIP LOCKED)
  RETURNING realm`;
const LAG = `
  SELECT extract(epoch FROM max(now() - collected_at))::float8 AS lag FROM platform.identity_collections
  WHERE realm = ANY (?::text[])`;
