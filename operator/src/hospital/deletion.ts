import { ANNOTATION, FINALIZER, type HospitalObject, type HospitalStatus } from '@hms/hospitals';
import { hospitalNames } from '@hms/tenancy';
import type { Backend, DeletionPolicy } from '../backends/backend.ts';
import { BackendError } from '../backends/errors.ts';
import type { Result } from '../runtime/controller.ts';
import type { EventRecorder, EventType } from '../runtime/events.ts';
import type { Registry } from './claim.ts';
import { conditionOf, ERROR_REASON, type NewCondition, REASON } from './conditions.ts';
import { isConfirmed } from './confirmation.ts';
import type { Orphans } from './orphans.ts';
import type { Outages } from './outages.ts';
import { statusWith } from './status.ts';
import type { HospitalWriter } from './status-writer.ts';
import { leftInPlace, teardown } from './teardown.ts';

export type DeletionStep =
  /** The operator's finalizer is removed already. */
  | { readonly kind: 'nothing' }
  /** Only observed: the object is released and everything else is kept. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'askToConfirm'; readonly message: string }
  /** Release the object immediately, and record what remains. */
  | { readonly kind: 'force'; readonly policy: DeletionPolicy }
  | { readonly kind: 'teardown'; readonly policy: DeletionPolicy };

/**
 * The next step of a hospital's deletion, by its current object: a policy that is changed meanwhile counts from
 * then on. Suspended and paused hospitals are treated alike. Pure.
 */
export function nextDeletionStep(hospital: HospitalObject): DeletionStep {
  const { metadata, spec } = hospital;
  const { name, annotations = {}, finalizers = [] } = metadata;
  if (!finalizers.includes(FINALIZER)) return { kind: 'nothing' };
  if (spec.managementPolicy === 'Observe') return { kind: 'leave' };
  const confirmed = isConfirmed(hospital);
  const policy = spec.deletionPolicy;
  // Force is not a confirmation: unconfirmed data is retained.
  if (annotations[ANNOTATION.forceFinalize] === name) {
    return { kind: 'force', policy: policy === 'Delete' && confirmed ? 'Delete' : 'Retain' };
  }
  if (policy === 'Delete' && !confirmed) {
    return {
      kind: 'askToConfirm',
      message: `all data of the hospital would be deleted: confirm with kubectl annotate --overwrite hospital ${name} ${ANNOTATION.confirmDelete}=${name}, which holds for 15 minutes, or set spec.deletionPolicy to Retain`,
    };
  }
  return { kind: 'teardown', policy };
}

export interface DeletionOptions {
  readonly writer: HospitalWriter;
  readonly registry: Registry;
  readonly backends: readonly Backend[];
  readonly orphans: Orphans;
  readonly outages: Outages;
  readonly events: EventRecorder;
  readonly now: () => Date;
}

const KEPT: Readonly<Record<DeletionPolicy, string>> = {
  Retain: 'realm, schema and files are kept for a hospital of the same name',
  Delete: 'nothing remains',
};

/** Tears down a hospital whose object is being deleted, then releases the object. */
export class Deletion {
  readonly #o: DeletionOptions;

  constructor(options: DeletionOptions) {
    this.#o = options;
  }

  async run(hospital: HospitalObject): Promise<Result> {
    const step = nextDeletionStep(hospital);
    switch (step.kind) {
      case 'nothing':
        return { forget: true };
      case 'leave':
        return this.#leave(hospital);
      case 'askToConfirm':
        await this.#show(hospital, REASON.confirmationRequired, step.message, {});
        return { forget: true };
      case 'force':
        return this.#force(hospital, step.policy);
      case 'teardown':
        return this.#teardown(hospital, step.policy);
    }
  }

  async #leave(hospital: HospitalObject): Promise<Result> {
    const released = await this.#ask(hospital, () => this.#o.registry.releaseHosts(hospital));
    if (released instanceof BackendError) return this.#holdUp(hospital, released, {});
    return this.#finish(hospital, 'managementPolicy is Observe: nothing was changed');
  }

  /** The record comes first: after a crash in between, both exist, and the record finds what remains. */
  async #force(hospital: HospitalObject, policy: DeletionPolicy): Promise<Result> {
    await this.#o.orphans.record(hospital, policy);
    const message = `released by ${ANNOTATION.forceFinalize}; the operator removes what remains as soon as the engines are available (deletionPolicy ${policy}): see hmsctl orphans list`;
    await this.#o.events.record(hospital, 'Warning', 'ForceFinalized', message);
    return this.#release(hospital);
  }

  async #teardown(hospital: HospitalObject, policy: DeletionPolicy): Promise<Result> {
    const { backends, registry, outages } = this.#o;
    const { name, uid } = hospital.metadata;
    const owned = await this.#ask(hospital, () =>
      registry.beginDeletion({ prefix: name, ownerUid: uid, lastKnown: hospital.status?.hospitalId, hospital }),
    );
    if (owned instanceof BackendError) return this.#holdUp(hospital, owned, {});
    if (owned.kind === 'nothing' || owned.kind === 'retained')
      return this.#finish(hospital, 'nothing was provisioned for it');
    if (owned.kind === 'others') {
      const whose = `the registry has ${name} for another Hospital object (uid ${owned.uid})`;
      return this.#finish(hospital, `${whose}: nothing in the engines was changed or removed`, 'Warning');
    }
    const parts = { names: hospitalNames(name), hospitalId: owned.hospitalId, uid };
    const last = hospital.status?.teardown;
    const { progress, errors, left } = await teardown(parts, { backends, policy, registry, outages, last });
    const [first] = errors;
    if (first) return this.#holdUp(hospital, first, { teardown: progress });
    const released = await this.#ask(hospital, () => registry.release(parts, policy));
    if (released instanceof BackendError) return this.#holdUp(hospital, released, { teardown: progress });
    if (left.length === 0) return this.#finish(hospital, `the hospital is no longer served; ${KEPT[policy]}`);
    return this.#finish(hospital, `the hospital is no longer served; ${leftInPlace(left)}`, 'Warning');
  }

  /** Queries the registry. @returns the error with the outage's details. */
  #ask<T>({ metadata, status }: HospitalObject, ask: () => Promise<T>): Promise<T | BackendError> {
    return this.#o.outages.ask(metadata.name, conditionOf(status, 'Deleting')?.message, ask);
  }

  async #finish(hospital: HospitalObject, message: string, type: EventType = 'Normal'): Promise<Result> {
    await this.#o.events.record(hospital, type, 'Deleted', message);
    return this.#release(hospital);
  }

  async #release(hospital: HospitalObject): Promise<Result> {
    const others = (hospital.metadata.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
    await this.#o.writer.writeFinalizers(hospital, others);
    this.#o.outages.forget(hospital.metadata.name);
    return { forget: true };
  }

  async #holdUp(hospital: HospitalObject, error: BackendError, fields: Partial<HospitalStatus>): Promise<Result> {
    await this.#show(hospital, ERROR_REASON[error.kind], error.message, fields);
    return { retry: true };
  }

  async #show(
    hospital: HospitalObject,
    reason: string,
    message: string,
    fields: Partial<HospitalStatus>,
  ): Promise<void> {
    const { writer, events, now } = this.#o;
    const isRecorded = conditionOf(hospital.status, 'Deleting')?.reason === reason;
    const conditions: NewCondition[] = [
      { type: 'Deleting', status: 'True', reason, message },
      { type: 'Ready', status: 'False', reason: REASON.deleting, message },
    ];
    const written = await writer.writeStatus(hospital, statusWith(hospital, conditions, fields, now()));
    if (!isRecorded) await events.record(written, 'Warning', reason, message);
  }
}
