/** A request's one transaction: idempotency key, handler, audit log, background tasks, change notices, commit. */
import type { Hospital, TenantPool, Transaction } from '@hms/database';
import { type Outcome, outcomeOf, outcomeOfProblem, toProblem } from './answer.ts';
import type { AuditEvent, AuditSource } from './audit/events.ts';
import type { Sealer } from './audit/sealer.ts';
import type { Caller } from './caller.ts';
import { claimKey, type KeyedRequest, keepOutcome } from './idempotency.ts';
import { Outbox } from './outbox.ts';
import type { Route } from './route.ts';
import { Totals } from './totals.ts';
import type { Effects, Work } from './work.ts';

export interface TransactionOptions {
  readonly pool: TenantPool;
  readonly route: Route;
  readonly hospital: Hospital;
  readonly source: AuditSource;
  readonly keyed: KeyedRequest | undefined;
  /** Is told after a commit with audit events. */
  readonly sealer: Pick<Sealer, 'wrote'>;
  /** Ids in the path, for the audit log of a refusal. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Aborts when the client has disconnected. A read then ends, and a write continues. */
  readonly abandoned: AbortSignal;
  /** The handler, with its input. */
  run(work: Effects): ReturnType<ReturnType<Route['prepare']>>;
  /** Sends a streamed response while the transaction is open. */
  stream(outcome: Outcome): Promise<void>;
}

/** Everything that a handler did since then is undone when it refuses. */
const BEFORE_WORK = 'work';

/**
 * Runs a handler in one transaction.
 *
 * A handler of a write that refuses (throws a problem below 500) is rolled back to a savepoint. The response, which a
 * repetition with the same key gets again, and the audit log of the refusal are kept.
 * @returns the response, unless it was streamed.
 * @throws whatever PostgreSQL or the handler throws. Nothing is changed then.
 */
export async function runInTransaction(options: TransactionOptions): Promise<Outcome | undefined> {
  const { pool, route, hospital, source, keyed, sealer, abandoned, run, stream } = options;
  const writes = route.method !== 'GET';
  let audited = false;

  const attempt = async (trx: Transaction): Promise<Outcome | undefined> => {
    if (keyed) {
      const kept = await claimKey(trx, keyHolder(source.caller), keyed);
      if (kept) return kept;
      await trx.savepoint(BEFORE_WORK);
    }
    const outbox = new Outbox(trx, hospital);
    let outcome: Outcome;
    try {
      outcome = outcomeOf(route, await (writes ? run(outbox) : trx.whileWanted(abandoned, () => run(outbox))));
    } catch (error) {
      const problem = toProblem(error);
      if (!writes || problem.kind.status >= 500) throw error;
      await trx.rollBackTo(BEFORE_WORK);
      outcome = outcomeOfProblem(problem, route);
      outbox.refuse(refusal(options, problem.kind.code));
    }
    audited = outbox.isAudited;
    const kept = keyed && keepOutcome(trx, keyHolder(source.caller), keyed, outcome);
    await Promise.all([outbox.send(source), kept]);
    if (typeof outcome.body === 'string' || outcome.body instanceof Uint8Array) return outcome;
    await stream(outcome);
    return undefined;
  };

  const begin = {
    ...(writes && !keyed ? { savepoint: BEFORE_WORK } : {}),
    ...(route.serializable ? { serializable: true } : {}),
  };
  for (let attempts = 1; ; attempts++) {
    try {
      const outcome = await pool.inTenant(hospital, attempt, begin);
      if (audited) sealer.wrote(hospital);
      return outcome;
    } catch (error) {
      if (!route.serializable || attempts === MOST_ATTEMPTS || !isSerializationFailure(error)) throw error;
    }
  }
}

/** Whoever acts as somebody else gets no stored response of theirs. */
function keyHolder({ sub, impersonation }: Caller): string {
  return impersonation ? `${sub} ${impersonation.id}` : sub;
}

const MOST_ATTEMPTS = 10;

/** Serialization failure and deadlock: the same transaction may succeed when it runs again. */
function isSerializationFailure(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].some((one) => one === '40001' || one === '40P01');
}

function refusal({ route, params }: Pick<TransactionOptions, 'route' | 'params'>, code: string): AuditEvent {
  const { id } = params;
  const details = { method: route.method, code };
  return { action: 'refuse', record: route.path, recordId: typeof id === 'string' ? id : undefined, details };
}

/** Where transactions of hospitals run. */
export interface TransactionEnvironment {
  readonly tenants: TenantPool;
  readonly sealer: Pick<Sealer, 'wrote'>;
  readonly totals?: Totals;
}

/**
 * Runs `work` in a transaction of a named hospital, for a task without a caller.
 * @param name of the task, which the audit log names in place of a user.
 * @param source of the request, if there is one.
 */
export function workFor<T>(
  platform: TransactionEnvironment,
  hospital: Hospital,
  name: string,
  work: (work: Work) => Promise<T>,
  { clientAddress, requestId }: Partial<Omit<AuditSource, 'caller'>> = {},
): Promise<T> {
  const caller: Caller = {
    sub: `task:${name}`,
    email: undefined,
    name: undefined,
    roles: [],
    permissions: new Set(),
    hospital,
    session: undefined,
    issuedAt: new Date(),
    expiresAt: new Date(8.64e15),
  };
  return audited(platform, hospital, { caller, clientAddress, requestId }, work);
}

/** Runs `work` in one of several transactions of a request. A refusal of a write is audited in another one. */
export async function workWithin<T>(
  platform: TransactionEnvironment,
  { route, hospital, source, params }: RequestOfWork,
  work: (work: Work) => Promise<T>,
): Promise<T> {
  try {
    return await audited(platform, hospital, source, work);
  } catch (error) {
    const problem = toProblem(error);
    if (route.method !== 'GET' && problem.kind.status < 500) {
      const event = refusal({ route, params }, problem.kind.code);
      await audited(platform, hospital, source, async ({ audit }) => audit(event));
    }
    throw problem;
  }
}

type RequestOfWork = Pick<TransactionOptions, 'route' | 'hospital' | 'source' | 'params'>;

async function audited<T>(
  { tenants, sealer, totals }: TransactionEnvironment,
  hospital: Hospital,
  source: AuditSource,
  work: (work: Work) => Promise<T>,
): Promise<T> {
  const { result, isAudited } = await tenants.inTenant(hospital, (trx) => workAs(trx, hospital, source, work, totals));
  if (isAudited) sealer.wrote(hospital);
  return result;
}

/** Runs `work` for a caller in an open transaction, and then writes its audit events, tasks and notices. */
export async function workAs<T>(
  trx: Transaction,
  hospital: Hospital,
  source: AuditSource,
  work: (work: Work) => Promise<T>,
  totals = new Totals(),
): Promise<{ readonly result: T; readonly isAudited: boolean }> {
  const outbox = new Outbox(trx, hospital);
  const result = await work({
    trx,
    hospital,
    caller: source.caller,
    totals,
    audit: (event) => outbox.audit(event),
    addTask: (...added) => outbox.addTask(...added),
    changed: (...changed) => outbox.changed(...changed),
  });
  await outbox.send(source);
  return { result, isAudited: outbox.isAudited };
}
