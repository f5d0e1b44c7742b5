/** For tests: a new hospital on a real PostgreSQL, with a real issuer whose keys are fetched over HTTP. */
import { randomUUID } from 'node:crypto';
import {
  createTenantRole,
  createTenantSchema,
  grantTenantSchema,
  type Hospital,
  type HospitalState,
  insertHospital,
  migratePlatform,
  migrateTenant,
  ownerMark,
  setTenantOpen,
  TENANT_SCHEMA_VERSION,
  updateHospital,
} from '@hms/database';
import { DEFAULT_SETTINGS, hospitalNames } from '@hms/tenancy';
import type { Knex } from 'knex';
import type { Issuer, TokenChanges } from './issuer.ts';

export interface TestHospital {
  readonly hospital: Hospital;
  /** A token signed by the hospital's realm. */
  token(roles: readonly string[], changes?: TokenChanges): Promise<string>;
  setState(state: HospitalState): Promise<void>;
}

/**
 * Creates a hospital like the operator does: role, schema, migrations, registry row.
 * @param operator connection of the role hms_operator.
 */
export async function createTestHospital(operator: Knex, issuer: Issuer): Promise<TestHospital> {
  const hospital = await insertTestHospital(operator, issuer.address);
  const { id, prefix } = hospital;
  return {
    hospital,
    token: (roles, changes = {}) => issuer.sign(prefix, { hospital_id: id, hospital_prefix: prefix, roles }, changes),
    setState: (state) => updateHospital(operator, prefix, { state }),
  };
}

/** The same for tests with another issuer of tokens. @param issuerOf issuer by prefix. */
export async function insertTestHospital(operator: Knex, issuerOf: (prefix: string) => string): Promise<Hospital> {
  const prefix = `t-${randomUUID().slice(0, 13)}`;
  const names = hospitalNames(prefix);
  const hospital: Hospital = {
    id: randomUUID(),
    prefix,
    ownerUid: randomUUID(),
    displayName: `Hospital ${prefix}`,
    issuer: issuerOf(prefix),
    state: 'Active',
    timezone: 'Asia/Jakarta',
    currency: 'IDR',
    theme: {},
    portal: `http://${prefix}.localhost`,
    settings: DEFAULT_SETTINGS,
    secondFactor: 'None',
    schemaVersion: TENANT_SCHEMA_VERSION,
  };
  await migratePlatform(operator);
  const mark = ownerMark({ hospitalId: hospital.id });
  await createTenantRole(operator, names, mark);
  await operator.transaction(async (trx) => {
    await createTenantSchema(trx, names, hospital.id, mark);
    await grantTenantSchema(trx, names);
    await migrateTenant(trx, names);
  });
  await setTenantOpen(operator, names, true);
  await insertHospital(operator, hospital);
  return hospital;
}
