/** For tests: hospitals with a seeded past, and the module that reports on them. */
import { setTimeout as delay } from 'node:timers/promises';
import { openTenantPool, updateHospital } from '@hms/database';
import { employees, setAccount } from '@hms/domain/employees';
import { insertFamily } from '@hms/domain/families';
import { patients } from '@hms/domain/patients';
import { moduleEnv } from '@hms/local';
import { seedHospital } from '@hms/seed';
import { newId, type Platform, records, workFor } from '@hms/service';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { platform } from '../../../../test/platform.ts';
import { reportModule } from '../module.ts';

const FIRST = { page: 1, limit: 100, sort: [], q: undefined, byMatch: false, from: undefined, to: undefined } as const;

/**
 * The module as it is. Its worker takes tasks of other suites' hospitals, too, and so needs storage for their files.
 * @param change of the platform. Such a module takes no tasks.
 */
export function startReports(change?: Partial<Platform>): Promise<TestModule> {
  const { databaseUrls } = platform();
  return startTestModule({
    databaseUrls,
    s3: moduleEnv(platform()),
    define: (one) => (change ? { ...reportModule({ ...one, ...change }), tasks: [] } : reportModule(one)),
  });
}

export interface Seeded {
  readonly timezone: string;
  /** The end of the last day. */
  readonly now: Date;
  readonly days: number;
  readonly patients: number;
}

/** A hospital in a zone, in which people have worked for some days. */
export async function seededHospital(
  module: TestModule,
  { timezone, now, days, patients }: Seeded,
): Promise<TestHospital> {
  const one = await createTestHospital(module.operator, module.issuer);
  const { prefix } = one.hospital;
  await updateHospital(module.operator, prefix, { timezone, currency: 'EUR' });
  const hospital = { ...one.hospital, timezone, currency: 'EUR' };
  const tenants = openTenantPool(platform().databaseUrls.app, { poolSize: 2, prepared: true });
  const sealer = { wrote: () => undefined };
  let isOver = false;
  // No module creates accounts, so that the staff gets them here.
  const appointing = (async () => {
    while (!isOver) {
      await workFor({ tenants, sealer }, hospital, 'test', async (work) => {
        const { data } = await records(work, employees).list({ ...FIRST, includeDeleted: false, filters: {} });
        for (const { id, accountId } of data) if (accountId === null) await setAccount(work, id, newId());
      });
      await delay(20);
    }
  })();
  try {
    await seedHospital({
      ...{ tenants, hospital, sealer, now, patients, days, seed: 1, documentDays: 0, patience: 30_000 },
      part: (_, work) => work(() => undefined),
    });
  } finally {
    isOver = true;
    await appointing;
    await tenants.end();
  }
  return { ...one, hospital };
}

/** A patient alone in a family. @returns the id */
async function aPatient({ platform: { tenants, sealer } }: TestModule, { hospital }: TestHospital): Promise<string> {
  const [id, familyId] = [newId(), newId()];
  await workFor({ tenants, sealer }, hospital, 'test', async (work) => {
    const values = { firstName: 'Ann', lastName: 'Doe', phone: '+353861234567', dateOfBirth: '1990-05-17', familyId };
    await Promise.all([
      records(work, patients).insert(values, id),
      insertFamily(work, { id: familyId, name: 'Doe', patientId: id }),
    ]);
  });
  return id;
}

/** Passes for visitors with these names, all of one patient. @returns the id of the patient */
export async function addPasses(module: TestModule, of: TestHospital, ...names: readonly string[]): Promise<string> {
  const patientId = await aPatient(module, of);
  await module.platform.tenants.inTenant(of.hospital, async (trx) => {
    for (const [index, name] of names.entries())
      await trx.query(
        `INSERT INTO visitors (id, pass_no, scan_code, patient_id, name, valid_from, valid_to, created_at, created_by, updated_by)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, now(), now() + interval '1 hour', now() + $5 * interval '1 ms', 'test', 'test')`,
        [`VIS-${index}`, `V${String(index).padStart(9, '0')}`, patientId, name, index - names.length],
      );
  });
  return patientId;
}
