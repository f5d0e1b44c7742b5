/**
 * Somebody of the platform acts as somebody of a hospital: who may, as whom, and for how long. Keycloak issues the tokens
 * (JWT authorization grant). The registry knows whose they are.
 */
import { randomBytes } from 'node:crypto';
import type { Hospital } from '@hms/database';
import { activePeople, employmentOf } from '@hms/domain/employees';
import {
  type Caller,
  type DataReply,
  FORBIDDEN,
  missingPermission,
  type Platform,
  Problem,
  type RequestContext,
  type Work,
  workFor,
} from '@hms/service';
import { CONSOLE_REALM, type Permission } from '@hms/tenancy';
import { decodeJwt } from 'jose';
import type { Accounts, Person } from '../accounts.ts';
import { HOSPITAL_UNKNOWN } from '../hospital.ts';
import type { KeyWatch } from '../key-watch.ts';
import type { Keycloak } from '../keycloak.ts';
import { openRealm } from '../places.ts';
import { isSame, sha256 } from '../secrets.ts';
import {
  IMPERSONATION_ENDED,
  IMPERSONATION_UNKNOWN,
  PERSON_NOT_IMPERSONABLE,
  PERSON_UNKNOWN,
} from './impersonations.errors.ts';
import type { EndedBy, ImpersonationRow, ImpersonationStore } from './impersonations.repository.ts';
import type { Candidate, Granted, Impersonation, Mode, Start, Started, TokenBody } from './impersonations.schema.ts';
import { auditedCaller, impersonationEnded, impersonationStarted } from './impersonations.tasks.ts';

/** Longer ones are refused by the table. */
export const MOST_SECONDS = 900;
/** Of a search for people. */
export const MOST_CANDIDATES = 10;
/** As the realm's client issues them. */
const TOKEN_SECONDS = 120;
/** A token that ends sooner is of no use. */
const LEAST_SECONDS = 3;

export interface ImpersonationDependencies {
  readonly platform: Pick<Platform, 'tenants' | 'sealer' | 'registry'>;
  readonly store: ImpersonationStore;
  readonly keycloak: Pick<Keycloak, 'impersonate'>;
  readonly accounts: Pick<Accounts, 'person' | 'linkAssertions' | 'isLoggedIn'>;
  readonly keys: Pick<KeyWatch, 'saw'>;
  /** How long an impersonation lasts. */
  readonly seconds: number;
}

export type ImpersonationService = ReturnType<typeof impersonationService>;
type Source = Pick<RequestContext, 'clientAddress' | 'requestId'>;
type Wanted = Parameters<Accounts['person']>[1];

export function impersonationService(dependencies: ImpersonationDependencies) {
  const { platform, store, keycloak, accounts, keys, seconds } = dependencies;

  async function openHospital(prefix: string): Promise<Hospital | undefined> {
    const hospital = await platform.registry.byPrefix(prefix);
    return openRealm(hospital) === undefined ? undefined : hospital;
  }

  /** The person, if somebody may act as them now. @throws Problem PERSON_UNKNOWN, PERSON_NOT_IMPERSONABLE. */
  async function impersonable(hospital: Hospital, wanted: Wanted): Promise<Person> {
    const person = await accounts.person(hospital.prefix, wanted);
    if (!person) throw new Problem(PERSON_UNKNOWN);
    const employment = await workFor(platform, hospital, 'impersonation', (work) => employmentOf(work, person.id));
    const { roles } = await platform.registry.rights(hospital, person.roles);
    const reason = obstacle({ ...person, roles }, employment);
    if (reason) throw new Problem(PERSON_NOT_IMPERSONABLE, { message: SENTENCES[reason], details: { reason } });
    return { ...person, roles };
  }

  /** Whether the person of the platform may still do this, and is still logged in at the console. */
  async function mayAct(actor: string, mode: Mode): Promise<boolean> {
    const person = await accounts.person(CONSOLE_REALM, { id: actor });
    if (!person?.isEnabled || !(await accounts.isLoggedIn(CONSOLE_REALM, actor))) return false;
    const { permissions } = await platform.registry.rights(undefined, person.roles);
    return permissions.has(permissionFor(mode));
  }

  async function missing(hospital: Hospital | undefined, permission: Permission): Promise<Problem> {
    return missingPermission(permission, await platform.registry.rolesWith(hospital, permission));
  }

  /** A token of the person from Keycloak. The link that it needs is made on demand. */
  async function grant(realm: string, subject: string, until: Date, address: string) {
    const first = await keycloak.impersonate(realm, subject, until, address);
    if (first.kind !== 'unlinked') return first;
    await accounts.linkAssertions(realm, subject);
    return keycloak.impersonate(realm, subject, until, address);
  }

  /** Lets the audit log have the end now, instead of when its time would be over. */
  async function recordEnd(row: Pick<ImpersonationRow, 'id' | 'prefix'>): Promise<void> {
    const hospital = await platform.registry.byPrefix(row.prefix);
    if (hospital?.state !== 'Active') return;
    await workFor(platform, hospital, 'impersonation', async (work) =>
      work.addTask(impersonationEnded, { impersonationId: row.id }, { key: row.id }),
    );
  }

  /** @param by undefined: it is refused. */
  async function endNow(row: ImpersonationRow, by?: EndedBy): Promise<void> {
    if (await store.end(row.id, by)) await recordEnd(row);
  }

  return {
    async start(
      { hospital: prefix, email, accountId, reason, mode }: Start,
      caller: Caller,
      source: Source,
    ): Promise<Started> {
      if (!caller.permissions.has(permissionFor(mode))) throw await missing(undefined, permissionFor(mode));
      const hospital = await openHospital(prefix);
      if (!hospital) throw new Problem(HOSPITAL_UNKNOWN);
      const person = await impersonable(hospital, accountId === undefined ? { email: email ?? '' } : { id: accountId });
      const code = newSecret();
      const { id, ended } = await store.add({
        hospital_id: hospital.id,
        subject: person.id,
        subject_email: person.email,
        subject_name: person.name ?? null,
        actor: caller.sub,
        actor_email: caller.email ?? caller.sub,
        actor_name: caller.name ?? null,
        mode,
        reason,
        seconds,
        code_hash: sha256(code),
      });
      for (const former of ended) {
        const row = await store.find(former);
        // Otherwise, its start is in no audit log.
        if (row?.recorded_at) await recordEnd(row);
      }
      const row = await found(id);
      await workFor(
        platform,
        hospital,
        'impersonation',
        async (work) => {
          const details = { reason, mode, endsAt: row.ends_at.toISOString() };
          const as = auditedCaller(row, person.roles);
          work.audit({ action: 'impersonate.start', record: 'impersonations', recordId: id, details, caller: as });
          work.addTask(impersonationStarted, { impersonationId: id });
          // The row says when it really ended.
          work.addTask(impersonationEnded, { impersonationId: id }, { key: id, runAt: after(row.ends_at) });
        },
        source,
      );
      await store.recorded(id);
      return { impersonation: toImpersonation(await found(id)), code };
    },

    /** Active employees with an account, the best matches first. */
    async candidates(
      { hospital: prefix, q }: { readonly hospital: string; readonly q: string },
      { sub, email, roles }: Caller,
      source: Source,
    ): Promise<Candidate[]> {
      const hospital = await openHospital(prefix);
      if (!hospital) throw new Problem(HOSPITAL_UNKNOWN);
      const search = async (work: Work) => {
        const found = await activePeople(work, q, MOST_CANDIDATES);
        const details = { q, ids: found.map(({ id }) => id) };
        work.audit({ action: 'list', record: 'employees', details, caller: { sub, email, roles } });
        return found;
      };
      const found = await workFor(platform, hospital, 'impersonation', search, source);
      return found.flatMap(({ accountId, employeeCode, firstName, lastName, email: address, roles: all }) =>
        accountId === null
          ? []
          : [{ accountId, employeeCode, name: `${firstName} ${lastName}`, email: address, roles: [...all] }],
      );
    },

    /** A token for whoever has the code or the key, after everything was checked again. */
    async token(id: string, { hospital: prefix, code, key }: TokenBody, address: string): Promise<Granted> {
      const row = await store.find(id);
      const given = sha256(code ?? key ?? '');
      const known = code === undefined ? row?.key_hash : row?.is_code_valid ? row.code_hash : null;
      if (!row?.is_live || row.prefix !== prefix || !known || !isSame(known, given))
        throw new Problem(IMPERSONATION_ENDED);
      const hospital = await openHospital(prefix);
      if (!hospital) throw new Problem(IMPERSONATION_ENDED);
      try {
        if (!(await mayAct(row.actor, row.mode))) throw new Problem(FORBIDDEN);
        await impersonable(hospital, { id: row.subject });
      } catch (error) {
        if (error instanceof Problem && error.kind.status < 500) await endNow(row);
        throw error;
      }
      const until = new Date(Math.min(Date.now() + TOKEN_SECONDS * 1000, row.ends_at.getTime()));
      if (until.getTime() - Date.now() < LEAST_SECONDS * 1000) throw new Problem(IMPERSONATION_ENDED);
      const answer = await grant(hospital.prefix, row.subject, until, address);
      if (answer.kind !== 'token') {
        await endNow(row);
        throw new Problem(PERSON_NOT_IMPERSONABLE, { message: 'Keycloak refuses a token of this person' });
      }
      const { sub, jti = '' } = decodeJwt(answer.value);
      // Somebody may have linked another account to this one in Keycloak.
      if (sub !== row.subject) throw new Error('Keycloak issued a token of another person');
      keys.saw(hospital.prefix, answer.value);
      const next = key ?? newSecret();
      const secret = { code: code === undefined ? undefined : given, key: sha256(next) };
      const isValid = await store.addToken(id, { jti, seconds: answer.seconds }, secret);
      if (!isValid) throw new Problem(IMPERSONATION_ENDED);
      return {
        impersonation: toImpersonation(row),
        accessToken: answer.value,
        expiresIn: answer.seconds,
        key: next,
      };
    },

    /** Ends what somebody does as others who has logged out of the console everywhere. */
    async loggedOut(actor: string): Promise<void> {
      const { rows } = await store.list({ actor }, { page: 1, limit: 1 });
      const [latest] = rows;
      // Keycloak decides, not whoever names the person.
      if (latest?.is_live && !(await accounts.isLoggedIn(CONSOLE_REALM, actor)))
        await endNow(latest, { email: latest.actor_email, name: latest.actor_name });
    },

    /** @throws Problem IMPERSONATION_UNKNOWN, or FORBIDDEN for administrators who are no owners. */
    async end(id: string, caller: Caller): Promise<Impersonation> {
      const row = await store.find(id);
      if (!row || !knows(caller, row)) throw new Problem(IMPERSONATION_UNKNOWN);
      const isOwn = caller.impersonation?.id === id || caller.hospital === undefined;
      if (!isOwn && (caller.impersonation || !caller.permissions.has('impersonations.end')))
        throw await missing(caller.hospital, 'impersonations.end');
      const isActor = caller.impersonation?.id === id || caller.sub === row.actor;
      await endNow(
        row,
        isActor
          ? { email: row.actor_email, name: row.actor_name }
          : { email: caller.email ?? caller.sub, name: caller.name ?? null },
      );
      return toImpersonation(await found(id));
    },

    async list(
      of: Parameters<ImpersonationStore['list']>[0],
      { page, limit }: { readonly page: number; readonly limit: number },
    ): Promise<DataReply<Impersonation[]>> {
      const { rows, total } = await store.list(of, { page, limit });
      return { data: rows.map(toImpersonation), meta: { page, limit, total } };
    },
  };

  async function found(id: string): Promise<ImpersonationRow> {
    const row = await store.find(id);
    if (!row) throw new Error('an impersonation is missing that was just there');
    return row;
  }
}

type Obstacle = 'suspended' | 'owner' | 'display' | 'no-role';

const SENTENCES: Readonly<Record<Obstacle, string>> = {
  suspended: 'Nobody may act as this person, whose account is not active',
  owner: 'Nobody may act as an OWNER',
  display: 'Nobody may act as a television display',
  'no-role': 'Nobody may act as this person, who has no role at the hospital',
};

/** Why nobody may act as a person, by the roles that give something. The account and the row must both allow it, because one follows the other. Pure. */
function obstacle(
  { isEnabled, roles }: Pick<Person, 'isEnabled' | 'roles'>,
  employment: { readonly status: string; readonly roles: readonly string[] } | undefined,
): Obstacle | undefined {
  const all = [...roles, ...(employment?.roles ?? [])];
  if (all.includes('OWNER')) return 'owner';
  if (all.includes('DISPLAY')) return 'display';
  if (!isEnabled || (employment && employment.status !== 'active')) return 'suspended';
  return roles.length > 0 ? undefined : 'no-role';
}

function permissionFor(mode: Mode): Permission {
  return mode === 'write' ? 'impersonations.write' : 'impersonations.start';
}

/** Whether the caller may know that there is this impersonation. */
function knows({ hospital, sub, permissions, impersonation }: Caller, row: ImpersonationRow): boolean {
  if (!hospital) return row.actor === sub;
  if (hospital.id !== row.hospital_id) return false;
  return impersonation?.id === row.id || permissions.has('impersonations.read');
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Clocks of processes may differ a little. */
function after(moment: Date): Date {
  return new Date(moment.getTime() + 2_000);
}

function toImpersonation(row: ImpersonationRow): Impersonation {
  return {
    id: row.id,
    hospital: { prefix: row.prefix, name: row.hospital_name },
    person: { id: row.subject, email: row.subject_email, name: row.subject_name },
    actor: { id: row.actor, email: row.actor_email, name: row.actor_name },
    mode: row.mode,
    reason: row.reason,
    startedAt: row.started_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    endedBy: row.ended_by,
    endedByName: row.ended_by_name,
    isLive: row.is_live,
  };
}
