import { deleteHospital, findHospitalByPrefix, type Hospital, insertHospital, updateHospital } from '@hms/database';
import type { Knex } from 'knex';
import { v7 as uuidv7 } from 'uuid';
import type { Postgres } from '../backends/database/client.ts';
import { BackendError } from '../backends/errors.ts';
import { ANNOTATION, type HospitalObject } from './resource.ts';
import { type TenantSettings, tenantOf } from './tenant.ts';

export interface Claim {
  readonly hospitalId: string;
  /** new: never seen before. returning: was kept when its object was deleted. lost: its row had gone. */
  readonly kind: 'new' | 'returning' | 'lost' | 'known';
}

/** A hospital's entry in the registry, which gives it its id: once, for good, and to one object only. */
export class Registry {
  readonly #postgres: Postgres;
  readonly #settings: TenantSettings;

  constructor(postgres: Postgres, settings: TenantSettings) {
    this.#postgres = postgres;
    this.#settings = settings;
  }

  /** Reads the id that the hospital has or would get; writes nothing. */
  find(hospital: HospitalObject): Promise<Claim> {
    return this.#postgres.call('find', async (db) => {
      const row = await findHospitalByPrefix(db, hospital.metadata.name);
      return row ? claimOf(hospital, row) : newClaim(hospital);
    });
  }

  /**
   * Finds the hospital's row or makes it.
   * @throws BackendError Conflict when the name or the id is another hospital's.
   */
  claim(hospital: HospitalObject): Promise<Claim> {
    const { name, uid } = hospital.metadata;
    return this.#postgres.call('claim', async (db) => {
      let row = await findHospitalByPrefix(db, name);
      if (!row) {
        const claim = newClaim(hospital);
        if (await this.#insert(db, hospital, claim.hospitalId)) return claim;
        // Somebody was quicker: the id in the registry is the one that counts.
        row = await findHospitalByPrefix(db, name);
        if (!row) throw new BackendError('Unavailable', `the registry's row of ${name} comes and goes: trying again`);
      }
      const claim = claimOf(hospital, row);
      if (row.ownerUid !== uid) await updateHospital(db, name, { ownerUid: uid, state: 'Provisioning' });
      return claim;
    });
  }

  /**
   * Reads the id under which things were made for an object.
   * @param lastKnown the id that the object's status had.
   * @returns undefined when nothing was, or when another object has taken it over.
   */
  owned(prefix: string, uid: string, lastKnown: string | undefined): Promise<string | undefined> {
    return this.#postgres.call('find', async (db) => ownedId(await findHospitalByPrefix(db, prefix), uid, lastKnown));
  }

  /** Lets go of a hospital whose object is being deleted: its row goes, or stays with its id for the next of that name. */
  release(prefix: string, keep: boolean): Promise<void> {
    return this.#postgres.call('release', (db) =>
      keep ? updateHospital(db, prefix, { state: 'Retained' }) : deleteHospital(db, prefix),
    );
  }

  /** @returns whether the row was added. */
  async #insert(db: Knex, hospital: HospitalObject, id: string): Promise<boolean> {
    const { names, profile } = tenantOf(hospital, id, this.#settings);
    const row: Hospital = {
      id,
      prefix: names.prefix,
      ownerUid: hospital.metadata.uid,
      ...profile,
      state: 'Provisioning',
      schemaVersion: 0,
    };
    try {
      return await insertHospital(db, row);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === '23505')) throw error;
      throw new BackendError(
        'Conflict',
        `hospitalId ${id} belongs to another hospital: leave spec.hospitalId out, or write the id that this hospital had`,
        error,
      );
    }
  }
}

/** The registry's word counts: only where it has lost the row does the object's own. Pure. */
export function ownedId(
  row: Pick<Hospital, 'id' | 'ownerUid'> | undefined,
  uid: string,
  lastKnown: string | undefined,
): string | undefined {
  if (!row) return lastKnown;
  return row.ownerUid === uid ? row.id : undefined;
}

function newClaim({ spec, status }: HospitalObject): Claim {
  const hospitalId = status?.hospitalId ?? spec.hospitalId ?? uuidv7();
  return { hospitalId, kind: status?.hospitalId ? 'lost' : 'new' };
}

function claimOf({ metadata, spec }: HospitalObject, row: Hospital): Claim {
  if (spec.hospitalId && spec.hospitalId !== row.id) {
    throw new BackendError(
      'Conflict',
      `the registry knows ${metadata.name} under hospitalId ${row.id}, not ${spec.hospitalId}: leave spec.hospitalId out or write ${row.id}`,
    );
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
