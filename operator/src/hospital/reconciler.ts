import type { Backend, BackendName, Tenant } from '../backends/backend.ts';
import { BackendError, toBackendError } from '../backends/errors.ts';
import { seconds } from '../config.ts';
import type { Migrations, Schema } from '../migration/migrations.ts';
import { jitter } from '../runtime/backoff.ts';
import type { Result } from '../runtime/controller.ts';
import type { EventRecorder } from '../runtime/events.ts';
import { announcements, driftOf, trouble } from './announcements.ts';
import type { Claim, Registry } from './claim.ts';
import { conditionOf, ERROR_REASON, type NewCondition, planOf, REASON, unclaimedConditions } from './conditions.ts';
import { Deletion } from './deletion.ts';
import { type HostSettings, hostConflict } from './hosts.ts';
import type { HospitalMetrics } from './metrics.ts';
import type { Orphans } from './orphans.ts';
import type { Outages } from './outages.ts';
import { failures, type Outcome, type Outcomes } from './outcome.ts';
import { Progress } from './progress.ts';
import type { Provisioner } from './provision.ts';
import { ANNOTATION, FINALIZER, type HospitalObject, type Owner } from './resource.ts';
import { refuseNone, takeTurn, withMigration } from './schema-turn.ts';
import { ROUTINE_LOOK_MS, type ServedOptions, untilServed } from './served.ts';
import { type Provisioned, pausedStatus, provisionedStatus, statusWith } from './status.ts';
import type { HospitalWriter } from './status-writer.ts';
import { tenantOf } from './tenant.ts';

export interface ReconcilerOptions extends ServedOptions {
  readonly get: (name: string) => HospitalObject | undefined;
  readonly list: () => readonly HospitalObject[];
  readonly writer: HospitalWriter;
  readonly registry: Registry;
  readonly provisioner: Provisioner;
  readonly orphans: Orphans;
  readonly outages: Outages;
  readonly backends: Readonly<Record<BackendName, Backend>>;
  /** Throws a BackendError while an engine has not what all hospitals share. */
  readonly requirePlatform: (name: BackendName) => Promise<void>;
  /** Invites the first person. @returns whether an invitation was sent now. */
  readonly inviteOwner: (tenant: Tenant, owner: Owner) => Promise<boolean>;
  readonly events: EventRecorder;
  readonly metrics: HospitalMetrics;
  readonly settings: HostSettings;
  readonly migrations: Migrations;
  /** Where the object names no resyncInterval. */
  readonly defaultResyncSeconds: number;
  readonly now?: () => Date;
}

const RESYNC_JITTER = 0.2;
/** The hospital itself is well: nothing speaks for looking at all of it again at once. */
const INVITE_AGAIN_MS = 60_000;

/** Makes the world agree with one Hospital object. */
export class HospitalReconciler {
  readonly #o: ReconcilerOptions;

  readonly #deletion: Deletion;

  constructor(options: ReconcilerOptions) {
    this.#o = options;
    this.#deletion = new Deletion({ ...options, now: () => this.#now() });
  }

  async reconcile(name: string): Promise<Result> {
    const hospital = this.#o.get(name);
    if (hospital?.metadata.deletionTimestamp) return this.#deletion.run(hospital);
    const orphaned = await this.#finishOrphan(name, hospital);
    if (orphaned) return orphaned;
    if (!hospital) {
      this.#o.outages.forget(name);
      return { forget: true };
    }
    if (hospital.metadata.annotations?.[ANNOTATION.paused] === 'true') return this.#pause(hospital);
    if (hospital.spec.managementPolicy === 'Observe') return this.#plan(hospital);
    return this.#provision(await this.#withFinalizer(hospital));
  }

  /** What an earlier hospital of this name left behind goes first. @returns undefined when nothing of it is there. */
  async #finishOrphan(name: string, hospital: HospitalObject | undefined): Promise<Result | undefined> {
    const { orphans } = this.#o;
    if (!orphans.synced) return { retry: true };
    const orphan = orphans.find(name);
    const error = orphan && (await orphans.finish(orphan));
    if (!error) return undefined;
    if (!hospital) return { retry: true };
    const message = `what an earlier hospital of this name left behind is dealt with first: ${error.message}`;
    return this.#refuse(hospital, new BackendError(error.kind, message, error));
  }

  /** The finalizer is there before anything is made, so that nothing can be left behind. */
  async #withFinalizer(hospital: HospitalObject): Promise<HospitalObject> {
    const finalizers = hospital.metadata.finalizers ?? [];
    if (finalizers.includes(FINALIZER)) return hospital;
    return this.#o.writer.writeFinalizers(hospital, [...finalizers, FINALIZER]);
  }

  async #provision(seen: HospitalObject): Promise<Result> {
    const claim = await this.#tryClaim(seen, () => this.#o.registry.claim(seen));
    if (claim instanceof BackendError) return this.#refuse(seen, claim, unclaimedConditions(seen.status, claim));
    const tenant = tenantOf(seen, claim.hospitalId, this.#o.settings);
    const progress = new Progress(seen, (hospital, outcomes) =>
      this.#show(hospital, { tenant, outcomes, missing: undefined, schema: undefined }),
    );
    const made = await this.#o.provisioner.run(tenant, {
      write: true,
      refused: this.#refusals(seen),
      settle: (outcome) => progress.add(this.#waitsForProxy(outcome) ? outcome : this.#o.outages.note(seen, outcome)),
    });
    this.#o.sharedGateway.look(ROUTINE_LOOK_MS);
    const { asked, missing } = await this.#askGateway(seen, tenant, made);
    const { outcomes, schema } = await this.#lookAtSchema(seen, tenant, asked, (looked) =>
      refuseNone(tenant.names, looked),
    );
    const shown = await this.#show(await progress.end(), { tenant, outcomes, missing, schema });
    await this.#announce(seen, shown, claim, outcomes);
    if (failures(outcomes).length > 0 || missing) return { retry: true };
    const { hospital, postponed } = await this.#migrate(shown, { tenant, outcomes, missing, schema });
    if (postponed) return { retry: true };
    const invited = await this.#invited(hospital, tenant);
    return { requeueAfterMs: Math.min(this.#resyncMs(hospital), invited ? Number.POSITIVE_INFINITY : INVITE_AGAIN_MS) };
  }

  /** What is known before an engine is asked. */
  #refusals(hospital: HospitalObject): Partial<Record<BackendName, Error>> {
    const conflict = hostConflict(hospital, this.#o.list(), this.#o.settings);
    return conflict ? { gateway: new BackendError('Conflict', conflict) } : {};
  }

  async #lookAtSchema(
    hospital: HospitalObject,
    { names }: Tenant,
    outcomes: Outcomes,
    check: (looked: Schema) => Schema = (looked) => looked,
  ): Promise<{ readonly outcomes: Outcomes; readonly schema: Schema | undefined }> {
    const { database } = outcomes;
    if (!database || database.error) return { outcomes, schema: undefined };
    try {
      return { outcomes, schema: check(await this.#o.migrations.look(names, requestOf(hospital))) };
    } catch (cause) {
      const failed = this.#o.outages.note(hospital, { ...database, error: toBackendError(cause, 'database') });
      return { outcomes: { ...outcomes, database: failed }, schema: undefined };
    }
  }

  /** Only a hospital that is well is migrated, and when it is its turn. */
  async #migrate(
    hospital: HospitalObject,
    provisioned: Provisioned,
  ): Promise<{ readonly hospital: HospitalObject; readonly postponed: boolean }> {
    const { tenant, schema } = provisioned;
    if (!schema?.behind) return { hospital, postponed: false };
    const { migrations, list, events } = this.#o;
    const turn = await takeTurn(tenant.names, schema, requestOf(hospital), {
      migrations,
      list,
      record: (type, reason, message) => events.record(hospital, type, reason, message),
    });
    const { result, ...after } = turn;
    return {
      hospital: await this.#show(hospital, { ...provisioned, schema: after }),
      postponed: result === 'postponed',
    };
  }

  #show(hospital: HospitalObject, provisioned: Provisioned): Promise<HospitalObject> {
    const { settings, writer } = this.#o;
    return writer.writeStatus(hospital, provisionedStatus(hospital, provisioned, settings, this.#now()));
  }

  async #announce(seen: HospitalObject, hospital: HospitalObject, claim: Claim, outcomes: Outcomes): Promise<void> {
    const { events, metrics } = this.#o;
    const after = hospital.status ?? {};
    for (const { backend } of driftOf(seen.status, outcomes)) metrics.driftCorrected(backend);
    for (const { type, reason, message } of announcements(seen.status, after, claim, outcomes)) {
      await events.record(hospital, type, reason, message);
      if (reason === 'Created') metrics.becameReady(hospital, this.#now());
    }
  }

  /** The gateway may have taken everything and its proxy be away: that is known only when it was asked. */
  #waitsForProxy({ backend, error, waitsFor }: Outcome): boolean {
    return backend === 'gateway' && !error && !waitsFor;
  }

  /** Asks the gateway whether it serves the hospital, unless something is wrong that this takes; files it does not. */
  async #askGateway(
    hospital: HospitalObject,
    tenant: Tenant,
    made: Outcomes,
  ): Promise<{ readonly asked: Outcomes; readonly missing: string | undefined }> {
    const { outages } = this.#o;
    const { gateway } = made;
    if (!gateway || !this.#waitsForProxy(gateway)) return { asked: made, missing: undefined };
    try {
      const canBe = failures(made).every(({ backend }) => backend === 'storage');
      const missing = canBe ? await untilServed(tenant, this.#o) : undefined;
      outages.note(hospital, gateway);
      return { asked: made, missing };
    } catch (cause) {
      const failed = outages.note(hospital, { ...gateway, error: toBackendError(cause, 'gateway') });
      return { asked: { ...made, gateway: failed }, missing: undefined };
    }
  }

  /**
   * A mail server that is away must not keep the hospital from being Ready. What Keycloak refuses it will refuse again,
   * until the object is changed. @returns false when to try again soon.
   */
  async #invited(hospital: HospitalObject, tenant: Tenant): Promise<boolean> {
    const { owner, state } = hospital.spec;
    if (!owner || state === 'Suspended') return true;
    try {
      if (await this.#o.inviteOwner(tenant, owner)) {
        await this.#o.events.record(hospital, 'Normal', 'OwnerInvited', `mailed an invitation to ${owner.email}`);
      }
      return true;
    } catch (cause) {
      const { kind, message } = toBackendError(cause, 'identity');
      await this.#o.events.record(hospital, 'Warning', 'InvitationFailed', `could not invite the owner: ${message}`);
      return kind === 'Invalid';
    }
  }

  /** It may not be begun: nothing is touched. @param more what is to be said besides Ready. */
  async #refuse(hospital: HospitalObject, error: BackendError, more: readonly NewCondition[] = []): Promise<Result> {
    const reason = ERROR_REASON[error.kind];
    const { message } = error;
    const conditions: NewCondition[] = [
      { type: 'Ready', status: 'False', reason, message },
      { type: 'Synced', status: 'False', reason, message },
      ...more,
    ];
    const told = conditionOf(hospital.status, 'Ready')?.reason === reason;
    const written = await this.#o.writer.writeStatus(hospital, statusWith(hospital, conditions, {}, this.#now()));
    if (!told) await this.#o.events.record(written, 'Warning', reason, message);
    return { retry: true };
  }

  async #pause(hospital: HospitalObject): Promise<Result> {
    this.#o.outages.forget(hospital.metadata.name);
    const message = `annotation ${ANNOTATION.paused} is set: nothing is compared or changed until it is removed`;
    const condition: NewCondition = { type: 'Synced', status: 'Unknown', reason: REASON.paused, message };
    await this.#o.writer.writeStatus(hospital, pausedStatus(hospital, condition, this.#now()));
    return { forget: true };
  }

  /** Observe: says what would change and writes nothing but that. */
  async #plan(hospital: HospitalObject): Promise<Result> {
    const claim = await this.#tryClaim(hospital, () => this.#o.registry.find(hospital));
    if (claim instanceof BackendError) return this.#refuse(hospital, claim);
    const tenant = tenantOf(hospital, claim.hospitalId, this.#o.settings);
    const seen = await this.#o.provisioner.run(tenant, {
      write: false,
      refused: this.#refusals(hospital),
      settle: (outcome) => this.#o.outages.note(hospital, outcome),
    });
    const { outcomes: looked, schema } = await this.#lookAtSchema(hospital, tenant, seen);
    const outcomes = withMigration(looked, tenant.names, schema);
    const { plan, condition, backends } = planOf(outcomes);
    const [failure] = failures(outcomes);
    const conditions: NewCondition[] = [
      condition,
      ...backends,
      failure
        ? { type: 'Ready', status: 'False', reason: ERROR_REASON[failure.error.kind], message: failure.error.message }
        : { type: 'Ready', status: 'Unknown', reason: REASON.observed, message: condition.message },
    ];
    const shown = await this.#o.writer.writeStatus(hospital, statusWith(hospital, conditions, { plan }, this.#now()));
    for (const { type, reason, message } of trouble(hospital.status, shown.status ?? {}, outcomes))
      await this.#o.events.record(shown, type, reason, message);
    return failure ? { retry: true } : { requeueAfterMs: this.#resyncMs(hospital) };
  }

  async #tryClaim({ metadata, status }: HospitalObject, claim: () => Promise<Claim>): Promise<Claim | BackendError> {
    try {
      await this.#o.requirePlatform('database');
      return await claim();
    } catch (cause) {
      const error = toBackendError(cause, 'database');
      return this.#o.outages.noteError(metadata.name, 'database', error, conditionOf(status, 'Ready')?.message);
    }
  }

  #resyncMs({ spec }: HospitalObject): number {
    const interval = spec.resyncInterval ? seconds(spec.resyncInterval) : this.#o.defaultResyncSeconds;
    return jitter(interval * 1000, RESYNC_JITTER);
  }

  #now(): Date {
    return this.#o.now?.() ?? new Date();
  }
}

function requestOf({ metadata }: HospitalObject): string | undefined {
  return metadata.annotations?.[ANNOTATION.reconcileRequestedAt];
}
