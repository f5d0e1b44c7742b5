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
import { endsWithTest, rememberShape, reuseSchema } from './reuse.ts';

export interface TestHospital {
  readonly hospital: Hospital;
  /** A token signed by the hospital's realm. */
  token(roles: readonly string[], changes?: TokenChanges): Promise<string>;
  setState(state: HospitalState): Promise<void>;
}

/**
 * Creates a hospital like the operator does: role, schema, migrations, registry row. A hospital that is created in a
 * test, or in its `beforeEach`, ends with it: the next one takes over its schema.
 * @param operator connection of the role hms_operator.
 */
export async function createTestHospital(operator: Knex, issuer: Issuer): Promise<TestHospital> {
  const hospital = newHospital(issuer.address);
  const { id, prefix } = hospital;
  if (await reuseSchema(operator, hospital)) await open(operator, hospital);
  else await create(operator, hospital);
  endsWithTest(hospital);
  return {
    hospital,
    token: (roles, changes = {}) => issuer.sign(prefix, { hospital_id: id, hospital_prefix: prefix, roles }, changes),
    setState: (state) => updateHospital(operator, prefix, { state }),
  };
}

/** The same for tests with another issuer of tokens. @param issuerOf issuer by prefix. */
export async function insertTestHospital(operator: Knex, issuerOf: (prefix: string) => string): Promise<Hospital> {
  const hospital = newHospital(issuerOf);
  await create(operator, hospital);
  return hospital;
}

function newHospital(issuerOf: (prefix: string) => string): Hospital {
  const prefix = `t-${randomUUID().slice(0, 13)}`;
  return {
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
}

async function create(operator: Knex, hospital: Hospital): Promise<void> {
  const names = hospitalNames(hospital.prefix);
  await migratePlatform(operator);
  const mark = ownerMark({ hospitalId: hospital.id });
  await createTenantRole(operator, names, mark);
  await operator.transaction(async (trx) => {
    await createTenantSchema(trx, names, hospital.id, mark);
    await grantTenantSchema(trx, names);
    await migrateTenant(trx, names);
  });
  await rememberShape(operator, names);
  await open(operator, hospital);
}

async function open(operator: Knex, hospital: Hospital): Promise<void> {
  await setTenantOpen(operator, hospitalNames(hospital.prefix), true);
  await insertHospital(operator, hospital);
}
