/** The registry: `platform.hospitals`. The operator writes it, every module reads it. */
import { DEFAULT_SETTINGS, type HospitalSettings } from '@hms/tenancy';
import type { Knex } from 'knex';

/**
 * Provisioning: not complete yet. Active: served. Suspended: all access is closed.
 * Deleting: the deletion of the object `ownerUid` has started. No data of a hospital is deleted in any other state.
 * Retained: its object was deleted and its data kept.
 */
export type HospitalState = 'Provisioning' | 'Active' | 'Suspended' | 'Deleting' | 'Retained';

export interface Theme {
  readonly primaryColor?: string;
  readonly logo?: string;
  readonly favicon?: string;
}

/** What a login requires after the password: nothing, or a one-time code sent by e-mail. */
export type SecondFactor = 'None' | 'Email';

/** What the `Hospital` object says about the hospital itself. */
export interface HospitalProfile {
  readonly displayName: string;
  /** `iss` of its tokens. */
  readonly issuer: string;
  /** IANA name. */
  readonly timezone: string;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly theme: Theme;
  /** Address of its pages, without a trailing slash. */
  readonly portal: string;
  readonly settings: HospitalSettings;
  readonly secondFactor: SecondFactor;
}

/** A row of the registry. */
export interface Hospital extends HospitalProfile {
  /** UUID, which a returning hospital keeps. */
  readonly id: string;
  readonly prefix: string;
  /** uid of the `Hospital` object. */
  readonly ownerUid: string;
  readonly state: HospitalState;
  readonly schemaVersion: number;
  /** When the row was last changed, as at the end of a suspension. PostgreSQL sets it. */
  readonly updatedAt?: Date;
}

export function findHospitalByPrefix(db: Knex, prefix: string): Promise<Hospital | undefined> {
  return find(db, { prefix });
}

/** The hospital that has this host. */
export async function findHospitalByHost(db: Knex, host: string): Promise<Hospital | undefined> {
  const id = db.withSchema('platform').from('hospital_hosts').where({ host }).select('hospital_id');
  const row: Row | undefined = await registry(db).whereIn('id', id).first('*');
  return row && toHospital(row);
}

/** The hospital, with a lock against deletion of its row until the transaction ends. */
export async function holdHospital(trx: Knex.Transaction, prefix: string): Promise<Hospital | undefined> {
  const row: Row | undefined = await registry(trx).where({ prefix }).forKeyShare().first('*');
  return row && toHospital(row);
}

/** The hospital, with a lock against changes of its row until the transaction ends. */
export async function lockHospital(trx: Knex.Transaction, prefix: string): Promise<Hospital | undefined> {
  const row: Row | undefined = await registry(trx).where({ prefix }).forUpdate().first('*');
  return row && toHospital(row);
}

export function findHospitalByIssuer(db: Knex, issuer: string): Promise<Hospital | undefined> {
  return find(db, { issuer });
}

/** All hospitals, by prefix. */
export async function listHospitals(db: Knex): Promise<Hospital[]> {
  const rows: Row[] = await registry(db).select('*').orderBy('prefix');
  return rows.map(toHospital);
}

/**
 * Adds a hospital unless its prefix exists already.
 * @returns whether it was added.
 * @throws PostgreSQL's 23505 if the id or issuer belongs to another hospital.
 */
export async function insertHospital(db: Knex, hospital: Hospital): Promise<boolean> {
  const rows: unknown[] = await registry(db).insert(toRow(hospital)).onConflict('prefix').ignore().returning('id');
  return rows.length > 0;
}

/** Changes the given fields of a hospital. */
export async function updateHospital(
  db: Knex,
  prefix: string,
  changes: Partial<Omit<Hospital, 'id' | 'prefix'>>,
): Promise<void> {
  await registry(db)
    .where({ prefix })
    .update({ ...toRow(changes), updated_at: db.fn.now() });
}

/**
 * What the platform knows of a hospital beside its row. The foreign keys refuse to delete a row that others refer to:
 * whoever deletes it by mistake must not make revoked tokens valid again.
 */
const OF_HOSPITALS = [
  'audit_heads',
  'hospital_hosts',
  'hospital_requests',
  'hospital_usage',
  'impersonations',
  'issued_documents',
  'revoked_tokens',
  'withheld_permissions',
] as const;

/** Deletes a hospital's row with all that the platform knows of it. */
export function deleteHospital(db: Knex, prefix: string): Promise<void> {
  return db.transaction(async (trx) => {
    const row = await lockHospital(trx, prefix);
    if (!row) return;
    for (const table of OF_HOSPITALS)
      await trx.withSchema('platform').table(table).where({ hospital_id: row.id }).delete();
    await registry(trx).where({ prefix }).delete();
  });
}

interface Row {
  readonly id: string;
  readonly prefix: string;
  readonly owner_uid: string;
  readonly display_name: string;
  readonly issuer: string;
  readonly state: HospitalState;
  readonly timezone: string;
  readonly currency: string;
  readonly theme: Theme;
  readonly portal: string;
  readonly settings: Partial<HospitalSettings>;
  readonly second_factor: SecondFactor;
  readonly schema_version: number;
  readonly updated_at: Date;
}

function registry(db: Knex): Knex.QueryBuilder {
  return db.withSchema('platform').table('hospitals');
}

async function find(db: Knex, where: Partial<Row>): Promise<Hospital | undefined> {
  const row: Row | undefined = await registry(db).where(where).first('*');
  return row && toHospital(row);
}

function toHospital(row: Row): Hospital {
  return {
    id: row.id,
    prefix: row.prefix,
    ownerUid: row.owner_uid,
    displayName: row.display_name,
    issuer: row.issuer,
    state: row.state,
    timezone: row.timezone,
    currency: row.currency,
    theme: row.theme,
    portal: row.portal,
    // The operator of an earlier release may have written fewer.
    settings: { ...DEFAULT_SETTINGS, ...row.settings },
    secondFactor: row.second_factor,
    schemaVersion: row.schema_version,
    updatedAt: row.updated_at,
  };
}

/** Missing fields are not in the statement: knex omits undefined ones. */
function toRow(hospital: Partial<Hospital>): Partial<Record<keyof Row, unknown>> {
  return {
    id: hospital.id,
    prefix: hospital.prefix,
    owner_uid: hospital.ownerUid,
    display_name: hospital.displayName,
    issuer: hospital.issuer,
    state: hospital.state,
    timezone: hospital.timezone,
    currency: hospital.currency,
    theme: hospital.theme && JSON.stringify(hospital.theme),
    portal: hospital.portal,
    settings: hospital.settings && JSON.stringify(hospital.settings),
    second_factor: hospital.secondFactor,
    schema_version: hospital.schemaVersion,
  };
}
