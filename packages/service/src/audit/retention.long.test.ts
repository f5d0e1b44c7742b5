/** Old audit events are removed, and the chain of the rest still has a proved start. */
import { type AuditFinding, sealBatch, type TenantPool, verifyHospitalAudit, writeAuditHead } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { AuditRetention } from '../../../../services/auth/src/audit-retention.ts';
import { createSigningKey } from '../../../../services/auth/src/signing-key.ts';
import { platform } from '../../../../test/platform.ts';
import { newKey } from '../../../../test/support/auth-scene.ts';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '../testing/index.ts';
import { roomsModule } from '../testing/rooms.ts';

const OLD = 30;
const NEW = 5;

let module: TestModule;
let mary: TestHospital;
let tenants: TenantPool;

beforeAll(async () => {
  module = await startTestModule({
    databaseUrls: platform().databaseUrls,
    databaseRole: 'auth',
    define: () => roomsModule,
  });
  ({ tenants } = module.platform);
});
afterAll(() => module.close());

beforeEach(async () => {
  mary = await createTestHospital(module.operator, module.issuer);
  await add(OLD, '10 years 1 day');
  await add(NEW, '10 years -1 day');
});

/** Adds events of some time ago, and seals them. */
async function add(count: number, ago: string): Promise<void> {
  await tenants.inTenant(mary.hospital, (trx) =>
    trx.query(
      `INSERT INTO audit_events (at, actor, actor_roles, action, record)
       SELECT now() - $1::interval, 'someone', '{NURSE}', 'read', 'patients' FROM generate_series(1, $2::integer)`,
      [ago, count],
    ),
  );
  const sealed = await tenants.inTenant(mary.hospital, (trx) => sealBatch(trx, mary.hospital.id));
  if (sealed) await writeAuditHead(module.operator, mary.hospital.id, sealed.head);
}

/** The daily work of another process, on this hospital only. */
async function retention(pem = newKey(), inTenant = tenants.inTenant): Promise<AuditRetention> {
  const others: TenantPool['inTenant'] = async (hospital, work) => {
    if (hospital.prefix === mary.hospital.prefix) return inTenant(hospital, work);
    return 0 as never;
  };
  const log = pino({ level: 'silent' });
  const { db } = module.platform;
  return new AuditRetention({
    platform: { db, tenants: { ...tenants, inTenant: others }, log },
    key: await createSigningKey(pem),
  });
}

const verify = () => verifyHospitalAudit(module.operator, mary.hospital);
const problems = (findings: readonly AuditFinding[]) => findings.map(({ position, problem }) => [position, problem]);

async function asOwner(statement: string): Promise<void> {
  await module.operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(mary.hospital.prefix).schema}`);
    await trx.raw(statement);
  });
}

describe('the retention', () => {
  it('removes what is older than the setting, and the chain still verifies, also after later removals', async () => {
    const daily = await retention();
    expect(await daily.run()).toBe(OLD);
    expect(await verify()).toEqual({ sealed: OLD + NEW, removed: OLD, waiting: 0, findings: [] });
    expect(await daily.run()).toBe(0);
    await asOwner(
      "UPDATE platform.hospitals SET settings = settings || '{\"auditRetentionYears\": 1}' WHERE prefix = '" +
        mary.hospital.prefix +
        "'",
    );
    await add(2, '0');
    // With another key: the module's was replaced. The earlier summary still verifies.
    expect(await (await retention()).run()).toBe(NEW);
    expect(await verify()).toEqual({ sealed: OLD + NEW + 2, removed: OLD + NEW, waiting: 0, findings: [] });
  });

  it('keeps the end of the chain, to which later events are added', async () => {
    await asOwner(
      "UPDATE platform.hospitals SET settings = settings || '{\"auditRetentionYears\": 1}' WHERE prefix = '" +
        mary.hospital.prefix +
        "'",
    );
    expect(await (await retention()).run()).toBe(OLD + NEW - 1);
    await add(1, '0');
    expect(await verify()).toEqual({ sealed: OLD + NEW + 1, removed: OLD + NEW - 1, waiting: 0, findings: [] });
  });

  it('takes place once in two processes, and not at all in one that ends before the commit', async () => {
    const crashing = await retention(newKey(), (hospital, work) =>
      tenants.inTenant(hospital, async (trx) => {
        await work(trx);
        throw new Error('the process ends before the commit');
      }),
    );
    expect(await crashing.run()).toBe(0);
    expect(await verify()).toEqual({ sealed: OLD + NEW, removed: 0, waiting: 0, findings: [] });
    const processes = await Promise.all([retention(), retention()]);
    const removed = await Promise.all(processes.map((one) => one.run()));
    expect(removed.reduce((sum, one) => sum + one)).toBe(OLD);
    expect(await verify()).toEqual({ sealed: OLD + NEW, removed: OLD, waiting: 0, findings: [] });
  });

  it('removes nothing of a part that somebody has changed', async () => {
    await asOwner("UPDATE audit_events SET actor = 'eve' WHERE seq = 3");
    expect(await (await retention()).run()).toBe(0);
    expect(problems((await verify()).findings)).toEqual([[3, 'the event was changed']]);
  });

  it('is all that the role of a hospital may delete', async () => {
    const call = (before: string) =>
      tenants.inTenant(mary.hospital, (trx) =>
        trx.query(`SELECT platform.remove_audit(1, 20, ${before}, '{}', 'kid', 'signature')`),
      );
    await expect(call('now()')).rejects.toMatchObject({ code: '42501' });
    await expect(call("now() - interval '10 years 2 days'")).rejects.toMatchObject({ code: '40001' });
    for (const table of ['audit_events', 'audit_chain', 'audit_summaries'])
      await expect(tenants.inTenant(mary.hospital, (trx) => trx.query(`DELETE FROM ${table}`))).rejects.toMatchObject({
        code: '42501',
      });
    // Old events that are removed without a right signature are found.
    await call("now() - interval '10 years'");
    expect(problems((await verify()).findings)).toEqual([[1, 'the summary of the removed links 1 to 20 was changed']]);
  });
});

describe('the verification', () => {
  it.each([
    [
      'a changed count',
      `UPDATE audit_summaries SET summary = replace(summary, '"count":30', '"count":3')`,
      /was changed/,
    ],
    ['another signature', "UPDATE audit_summaries SET signature = 'AAAA'", /was changed/],
    ['an unknown key', "UPDATE audit_summaries SET kid = 'another'", /was changed/],
    ['other positions', 'UPDATE audit_summaries SET last_position = 29', /was changed/],
    ['a deleted summary', 'DELETE FROM audit_summaries', /^the links up to 30 are missing$/],
    ['a deleted link after it', 'DELETE FROM audit_chain WHERE position = 31', /^this link of the chain is missing$/],
  ])('finds %s', async (_what, statement, problem) => {
    await (await retention()).run();
    await asOwner(statement);
    const { findings } = await verify();
    expect(findings[0]?.problem).toMatch(problem);
  });
});
