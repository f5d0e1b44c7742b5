import {
  deleteHospital,
  deleteHosts,
  findHospitalByPrefix,
  type Hospital,
  insertHospital,
  lockHospital,
  readRoleNames,
  updateHospital,
} from '@hms/database';
import { ANNOTATION, type HospitalObject } from '@hms/hospitals';
import { DEFAULT_SETTINGS, hospitalNames, issuerOf } from '@hms/tenancy';
import type { Knex } from 'knex';
import { v7 as uuidv7 } from 'uuid';
import type { DeletionPolicy, Descriptor, Owned } from '../backends/backend.ts';
import { DATABASE } from '../backends/database/backend.ts';
import type { Postgres } from '../backends/database/client.ts';
import { refuseLiving } from '../backends/database/diff.ts';
import { BackendError, changedMeanwhile } from '../backends/errors.ts';
import { type TenantSettings, tenantOf } from './tenant.ts';

/** The registry is in PostgreSQL, so their outages are the same. */
export const REGISTRY_BACKEND: Descriptor = DATABASE;

export interface Claim {
  readonly hospitalId: string;
  /**
   * new: never seen before. returning: its data was retained when its object was deleted. lost: its row was missing.
   */
  readonly kind: 'new' | 'returning' | 'lost' | 'known';
}

/**
 * The owner of a name's parts: this object with an id, another object, nobody because they are retained, or there are
 * none.
 */
export type Ownership =
  | { readonly kind: 'ours'; readonly hospitalId: string }
  | { readonly kind: 'others'; readonly uid: string }
  | { readonly kind: 'retained' }
  | { readonly kind: 'nothing' };

/** A hospital whose deletion starts. */
export interface Deleted {
  readonly prefix: string;
  /** uid of its Hospital object. */
  readonly ownerUid: string;
  /** The id in the object's status. */
  readonly lastKnown: string | undefined;
  /** Where it still exists. */
  readonly hospital?: HospitalObject;
}

/** A hospital's entry in the registry, which assigns its id once and permanently, and to a single object. */
export class Registry {
  readonly #postgres: Postgres;
  readonly #settings: TenantSettings;

  constructor(postgres: Postgres, settings: TenantSettings) {
    this.#postgres = postgres;
    this.#settings = settings;
  }

  /** Reads the id that the hospital has or would get. Writes nothing. */
  find(hospital: HospitalObject): Promise<Claim> {
    return this.#postgres.call('find', async (db) => {
      const row = await findHospitalByPrefix(db, hospital.metadata.name);
      return row ? claimOf(hospital, row) : newClaim(hospital);
    });
  }

  /** Roles that every hospital has, from the role templates. */
  roles(): Promise<readonly string[]> {
    return this.#postgres.call('read-roles', (db) => readRoleNames(db, 'hospital'));
  }

  /**
   * Finds or creates the hospital's row.
   * @throws BackendError Conflict if the name or the id belongs to another hospital.
   */
  claim(hospital: HospitalObject): Promise<Claim> {
    const { name, uid } = hospital.metadata;
    return this.#postgres.call('claim', async (db) => {
      let row = await findHospitalByPrefix(db, name);
      if (!row) {
        const claim = newClaim(hospital);
        if (await insert(db, this.#row(hospital, claim.hospitalId))) return claim;
        // Another process was faster: the id in the registry counts.
        row = await findHospitalByPrefix(db, name);
        if (!row) throw new BackendError('Unavailable', `the registry row of ${name} appears and disappears: retrying`);
      }
      const claim = claimOf(hospital, row);
      if (row.ownerUid === uid) return claim;
      await updateHospital(db, name, { ownerUid: uid, state: 'Provisioning' });
      return claim;
    });
  }

  /**
   * Records that the deletion of this Hospital object has begun. Every backend's `remove` depends on that record, so
   * nothing else can delete the data of a living hospital. A missing row is restored.
   * @returns the owner of the parts of that name. Only `ours` may be removed.
   */
  beginDeletion({ prefix, ownerUid, lastKnown, hospital }: Deleted): Promise<Ownership> {
    return this.#postgres.transaction('begin-deletion', async (trx) => {
      const row = await lockHospital(trx, prefix);
      const owned = ownership(row, ownerUid, lastKnown);
      if (owned.kind !== 'ours') return owned;
      if (row) {
        if (row.state === 'Retained' && !hospital) return { kind: 'retained' };
        if (row.state !== 'Deleting') await updateHospital(trx, prefix, { state: 'Deleting' });
        return owned;
      }
      const lost = hospital
        ? this.#row(hospital, owned.hospitalId)
        : unknownRow(prefix, ownerUid, owned.hospitalId, this.#settings);
      try {
        if (await insert(trx, { ...lost, state: 'Deleting' })) return owned;
      } catch (error) {
        // The id belongs to another hospital, so no part of this name can have it.
        if (error instanceof BackendError && error.kind === 'Conflict') return { kind: 'nothing' };
        throw error;
      }
      throw changedMeanwhile(`registry row ${prefix}`);
    });
  }

  /** @throws BackendError if the registry does not or no longer record the deletion of this Hospital object. */
  requireDeletion(owned: Owned): Promise<void> {
    return this.#postgres.call('find', async (db) =>
      refuseLiving(owned, await findHospitalByPrefix(db, owned.names.prefix)),
    );
  }

  /**
   * Ends a deletion: the row is deleted, or kept with its id for the next hospital of that name.
   * @throws BackendError
   */
  release({ names, hospitalId, uid }: Owned, policy: DeletionPolicy): Promise<void> {
    return this.#postgres.transaction('release', async (trx) => {
      refuseLiving({ names, hospitalId, uid }, await lockHospital(trx, names.prefix));
      if (policy === 'Delete') await deleteHospital(trx, names.prefix);
      else {
        await updateHospital(trx, names.prefix, { state: 'Retained' });
        await deleteHosts(trx, hospitalId);
      }
    });
  }

  /** Releases the hosts of a hospital whose object is deleted while its parts in the engines are kept. */
  releaseHosts(hospital: HospitalObject): Promise<void> {
    const { name, uid } = hospital.metadata;
    return this.#postgres.call('release-hosts', async (db) => {
      const row = await findHospitalByPrefix(db, name);
      if (row?.ownerUid !== uid) return;
      await deleteHosts(db, row.id);
    });
  }

  /** A restored row keeps the schema's version, because a missing schema then means lost data. */
  #row(hospital: HospitalObject, id: string): Hospital {
    const { names, profile, uid } = tenantOf(hospital, id, this.#settings);
    const schemaVersion = hospital.status?.schemaVersion ?? 0;
    return { id, prefix: names.prefix, ownerUid: uid, ...profile, state: 'Provisioning', schemaVersion };
  }
}

/** @returns whether the row was added. */
async function insert(db: Knex, row: Hospital): Promise<boolean> {
  try {
    return await insertHospital(db, row);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '23505')) throw error;
    throw new BackendError(
      'Conflict',
      `hospitalId ${row.id} belongs to another hospital: delete this object and apply it without spec.hospitalId, or with the id that this hospital had`,
      error,
    );
  }
}

/** For a hospital whose object is deleted. The next object of that name replaces these values. */
function unknownRow(prefix: string, ownerUid: string, id: string, { baseUrl }: TenantSettings): Hospital {
  const issuer = issuerOf(baseUrl, hospitalNames(prefix).realm);
  const profile = {
    displayName: prefix,
    issuer,
    timezone: 'UTC',
    currency: 'USD',
    theme: {},
    portal: baseUrl,
    settings: DEFAULT_SETTINGS,
    secondFactor: 'None' as const,
  };
  return { id, prefix, ownerUid, ...profile, state: 'Retained', schemaVersion: 0 };
}

/** The registry is authoritative. Only if it has lost the row, the object's status counts. Pure. */
export function ownership(
  row: Pick<Hospital, 'id' | 'ownerUid'> | undefined,
  uid: string,
  lastKnown: string | undefined,
): Ownership {
  if (row) return row.ownerUid === uid ? { kind: 'ours', hospitalId: row.id } : { kind: 'others', uid: row.ownerUid };
  return lastKnown ? { kind: 'ours', hospitalId: lastKnown } : { kind: 'nothing' };
}

function newClaim({ spec, status }: HospitalObject): Claim {
  const hospitalId = status?.hospitalId ?? spec.hospitalId ?? uuidv7();
  return { hospitalId, kind: status?.hospitalId ? 'lost' : 'new' };
}

function claimOf({ metadata, spec }: HospitalObject, row: Hospital): Claim {
  if (spec.hospitalId && spec.hospitalId !== row.id) {
    const known = `the registry knows ${metadata.name} under hospitalId ${row.id}, not ${spec.hospitalId}`;
    const right = `spec.hospitalId ${row.id}, or without one`;
    const remedy =
      row.ownerUid === metadata.uid
        ? `apply it with ${right}`
        : `delete this object, which touches nothing of that hospital, and apply it with ${right}`;
    throw new BackendError('Conflict', `${known}: ${remedy}`);
  }
  if (row.ownerUid === metadata.uid) return { hospitalId: row.id, kind: 'known' };
  if (row.state === 'Retained' || metadata.annotations?.[ANNOTATION.adopt] === 'true') {
    return { hospitalId: row.id, kind: 'returning' };
  }
  throw new BackendError(
    'Conflict',
    `the registry has ${metadata.name} for another Hospital object (uid ${row.ownerUid}): if that object is gone for good, annotate this one with ${ANNOTATION.adopt}=true`,
  );
}
