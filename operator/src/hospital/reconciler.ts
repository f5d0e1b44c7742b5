import { ANNOTATION, FINALIZER, type HospitalObject, type Owner } from '@hms/hospitals';
import { jitter } from '@hms/kubernetes';
import type { Logger } from 'pino';
import { describe, type Tenant } from '../backends/backend.ts';
import { BackendError, toBackendError } from '../backends/errors.ts';
import type { Invited } from '../backends/identity/invitation.ts';
import { seconds } from '../config.ts';
import type { Migrations } from '../migration/migrations.ts';
import type { Platform } from '../platform/platform.ts';
import type { Result } from '../runtime/controller.ts';
import { announcements, driftOf, trouble } from './announcements.ts';
import type { Claim } from './claim.ts';
import { conditionOf, ERROR_REASON, type NewCondition, planOf, REASON, unclaimedConditions } from './conditions.ts';
import { confirmationExpiresIn } from './confirmation.ts';
import { Deletion, type DeletionOptions } from './deletion.ts';
import type { HostClaim, HostSettings, Hosts } from './hosts.ts';
import type { HospitalMetrics } from './metrics.ts';
import { entranceOf, failures, hasErrors, type Outcome, type Outcomes, pendingOutcomes } from './outcome.ts';
import { Progress } from './progress.ts';
import { provision } from './provision.ts';
import { readSchema, refuseNone, takeTurn, withMigration } from './schema-turn.ts';
import { checkSoon, isUnproved, prove, ROUTINE_CHECK_MS, type ServedOptions } from './served.ts';
import { type Provisioned, pausedStatus, provisionedStatus, statusWith } from './status.ts';
import { tenantOf } from './tenant.ts';

export interface ReconcilerOptions extends ServedOptions, Omit<DeletionOptions, 'now'> {
  readonly get: (name: string) => HospitalObject | undefined;
  readonly list: () => readonly HospitalObject[];
  readonly hosts: Hosts;
  /** Enqueues a hospital. */
  readonly wake: (name: string) => void;
  readonly platform: Platform;
  readonly logger: Logger;
  /** Invites the owner. @returns undefined if that was done before. */
  readonly inviteOwner: (tenant: Tenant, owner: Owner) => Promise<Invited | undefined>;
  readonly metrics: HospitalMetrics;
  readonly settings: HostSettings;
  readonly migrations: Migrations;
  /** The default if the object has no resyncInterval. */
  readonly defaultResyncSeconds: number;
  readonly now?: () => Date;
}

const RESYNC_JITTER = 0.2;
/** The hospital itself is Ready, so a reconcile for the invitation alone is not urgent. */
const INVITE_AGAIN_MS = 60_000;

/** Reconciles one Hospital object. */
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
    return this.#provision(await this.#withFinalizer(await this.#withoutOldConfirmation(hospital)));
  }

  /** First removes what an earlier hospital of this name left behind. @returns undefined if nothing is left. */
  async #finishOrphan(name: string, hospital: HospitalObject | undefined): Promise<Result | undefined> {
    const { orphans } = this.#o;
    if (!orphans.synced) return { retry: true };
    const orphan = orphans.find(name);
    const error = orphan && (await orphans.finish(orphan));
    if (!error) return undefined;
    if (!hospital) return { retry: true };
    const message = `the operator first removes what an earlier hospital of this name left behind: ${error.message}`;
    return this.#refuse(hospital, new BackendError(error.kind, message, error));
  }

  /** Removes an expired confirmation, so that the API server refuses the next deletion again. */
  async #withoutOldConfirmation(hospital: HospitalObject): Promise<HospitalObject> {
    if (confirmationExpiresIn(hospital, this.#now()) !== 0) return hospital;
    const message = `annotation ${ANNOTATION.confirmDelete} was set 15 minutes ago and not used: it was removed; to delete the hospital, set it again`;
    await this.#o.events.record(hospital, 'Normal', 'ConfirmationExpired', message);
    return this.#o.writer.removeAnnotation(hospital, ANNOTATION.confirmDelete);
  }

  /** Sets the finalizer before anything is created, so that nothing can be left behind. */
  async #withFinalizer(hospital: HospitalObject): Promise<HospitalObject> {
    const finalizers = hospital.metadata.finalizers ?? [];
    if (finalizers.includes(FINALIZER)) return hospital;
    return this.#o.writer.writeFinalizers(hospital, [...finalizers, FINALIZER]);
  }

  async #provision(observed: HospitalObject): Promise<Result> {
    const { backends, outages } = this.#o;
    const claimed = await this.#claim(observed, true);
    if (claimed instanceof BackendError)
      return this.#refuse(observed, claimed, unclaimedConditions(backends, observed.status, claimed));
    const { claim, hosts, tenant } = claimed;
    const progress = new Progress(observed, pendingOutcomes(backends, tenant), (hospital, outcomes) =>
      this.#show(hospital, { tenant, outcomes, missing: undefined, schema: undefined, verified: false }),
    );
    if (tenant.suspended && conditionOf(observed.status, 'Suspended')?.status !== 'True')
      await this.#o.proof.prepare(tenant);
    const applied = await provision(tenant, {
      ...this.#o,
      write: true,
      objection: hosts.objection,
      settle: (outcome) => progress.add(isUnproved(outcome) ? outcome : outages.note(observed, outcome)),
    });
    await this.#releaseHosts(tenant, hosts, applied);
    checkSoon(this.#o, ROUTINE_CHECK_MS);
    const note = (outcome: Outcome) => outages.note(observed, outcome);
    const { missing, verified, ...proved } = await prove(tenant, applied, this.#o, note);
    const read = async () => refuseNone(tenant.names, await this.#o.migrations.read(tenant.names, requestOf(observed)));
    const { outcomes, schema } = await readSchema(proved.outcomes, read, note);
    const provisioned = { tenant, outcomes, missing, schema, verified };
    const last = await progress.end();
    const status = provisionedStatus(last, provisioned, this.#now());
    // Before the status: after a crash in between, the next leader tells the same events again, which changes nothing.
    await this.#announce(observed, { ...last, status }, claim, outcomes);
    const written = await this.#o.writer.writeStatus(last, status);
    if (hasErrors(outcomes) || missing) return { retry: true };
    const { hospital, postponed } = await this.#migrate(written, provisioned);
    if (postponed) return { retry: true };
    const invited = await this.#invited(hospital, tenant);
    if (failures(outcomes).length > 0) return { retry: true };
    const others = [
      ...(invited ? [] : [INVITE_AGAIN_MS]),
      confirmationExpiresIn(observed, this.#now()) ?? [],
      ...Object.values(outcomes).map(({ report }) => report?.nextMs ?? []),
    ].flat();
    return { requeueAfterMs: Math.min(this.#resyncMs(hospital), ...others) };
  }

  /** A host is free for others once the entrance has no route for it. Hospitals that wait for it are reconciled. */
  async #releaseHosts({ names, hospitalId }: Tenant, { surplus }: HostClaim, applied: Outcomes): Promise<void> {
    const entrance = entranceOf(applied);
    if (surplus.length === 0 || !entrance?.hash) return;
    await this.#o.hosts.release(hospitalId, surplus);
    for (const { metadata, status } of this.#o.list()) {
      if (
        metadata.name !== names.prefix &&
        conditionOf(status, entrance.backend.condition)?.reason === ERROR_REASON.Conflict
      )
        this.#o.wake(metadata.name);
    }
  }

  /** Migrates a hospital without errors when it is its turn. */
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
    return this.#o.writer.writeStatus(hospital, provisionedStatus(hospital, provisioned, this.#now()));
  }

  async #announce(observed: HospitalObject, hospital: HospitalObject, claim: Claim, outcomes: Outcomes): Promise<void> {
    const { events, metrics, logger } = this.#o;
    const after = hospital.status ?? {};
    for (const { backend, change } of driftOf(observed.status, outcomes)) {
      metrics.driftCorrected(backend);
      // The event has room for the first ones only.
      logger.info({ hospital: hospital.metadata.name, backend, change: describe(change) }, 'restored a manual change');
    }
    for (const { type, reason, message } of announcements(observed.status, after, claim, outcomes)) {
      await events.record(hospital, type, reason, message);
      if (reason === 'Created') metrics.becameReady(hospital, this.#now());
    }
  }

  /**
   * An invitation that fails must not prevent the hospital from being Ready. What Keycloak refuses is not retried until
   * the object is changed. @returns false to retry soon.
   */
  async #invited(hospital: HospitalObject, tenant: Tenant): Promise<boolean> {
    const { owner, state } = hospital.spec;
    if (!owner || state === 'Suspended') return true;
    try {
      const invited = await this.#o.inviteOwner(tenant, owner);
      const former = invited?.former ? `; ${invited.former} no longer has the role OWNER` : '';
      const message = `invited ${owner.email}, who gets a mail${former}`;
      if (invited) await this.#o.events.record(hospital, 'Normal', 'OwnerInvited', message);
      return true;
    } catch (cause) {
      const { kind, message } = toBackendError(cause, 'invitation');
      await this.#o.events.record(hospital, 'Warning', 'InvitationFailed', `could not invite the owner: ${message}`);
      return kind === 'Invalid';
    }
  }

  /** Refuses to reconcile: nothing is changed. @param more conditions besides Ready and Synced. */
  async #refuse(hospital: HospitalObject, error: BackendError, more: readonly NewCondition[] = []): Promise<Result> {
    const reason = ERROR_REASON[error.kind];
    const { message } = error;
    const conditions: NewCondition[] = [
      { type: 'Ready', status: 'False', reason, message },
      { type: 'Synced', status: 'False', reason, message },
      ...more,
    ];
    const isRecorded = conditionOf(hospital.status, 'Ready')?.reason === reason;
    const written = await this.#o.writer.writeStatus(hospital, statusWith(hospital, conditions, {}, this.#now()));
    if (!isRecorded) await this.#o.events.record(written, 'Warning', reason, message);
    return { retry: true };
  }

  async #pause(hospital: HospitalObject): Promise<Result> {
    this.#o.outages.forget(hospital.metadata.name);
    const message = `annotation ${ANNOTATION.paused} is set: the operator does not reconcile this hospital until it is removed`;
    const condition: NewCondition = { type: 'Synced', status: 'Unknown', reason: REASON.paused, message };
    await this.#o.writer.writeStatus(hospital, pausedStatus(hospital, condition, this.#now()));
    return { forget: true };
  }

  /** Observe: writes the plan to the status and changes nothing else. */
  async #plan(hospital: HospitalObject): Promise<Result> {
    const claimed = await this.#claim(hospital, false);
    if (claimed instanceof BackendError) return this.#refuse(hospital, claimed);
    const { hosts, tenant } = claimed;
    const settle = (outcome: Outcome) => this.#o.outages.note(hospital, outcome);
    const planned = await provision(tenant, { ...this.#o, write: false, objection: hosts.objection, settle });
    const read = () => this.#o.migrations.read(tenant.names, requestOf(hospital));
    const { outcomes: observed, schema } = await readSchema(planned, read, settle);
    const outcomes = withMigration(observed, tenant.names, schema);
    const { plan, condition, backends } = planOf(outcomes);
    const [failure] = failures(outcomes);
    const conditions: NewCondition[] = [
      condition,
      ...backends,
      failure
        ? { type: 'Ready', status: 'False', reason: ERROR_REASON[failure.error.kind], message: failure.error.message }
        : { type: 'Ready', status: 'Unknown', reason: REASON.observed, message: condition.message },
    ];
    const written = await this.#o.writer.writeStatus(hospital, statusWith(hospital, conditions, { plan }, this.#now()));
    for (const { type, reason, message } of trouble(hospital.status, written.status ?? {}, outcomes))
      await this.#o.events.record(written, type, reason, message);
    return failure ? { retry: true } : { requeueAfterMs: this.#resyncMs(hospital) };
  }

  /** Claims the name and the hosts. @param write false only reads. @returns the error with the outage's details. */
  async #claim(hospital: HospitalObject, write: boolean) {
    const { registry, hosts: all, settings, outages } = this.#o;
    const lastMessage = conditionOf(hospital.status, 'Ready')?.message;
    const claimed = await outages.ask(hospital.metadata.name, lastMessage, async () => {
      const claim = await (write ? registry.claim(hospital) : registry.find(hospital));
      return { claim, hosts: await all.claim(hospital, claim.hospitalId, write), roles: await registry.roles() };
    });
    if (claimed instanceof BackendError) return claimed;
    const { claim, hosts, roles } = claimed;
    return { claim, hosts, tenant: tenantOf(hospital, claim.hospitalId, settings, hosts.held, roles) };
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
