/** What pharmacists are told about the stock: for what, when, once, and again after it was solved. */
import { listTasks } from '@hms/database';
import { employees } from '@hms/domain/employees';
import { checkStock, type NewWarnings, stockCheck, stockWarningMail, warningsOf } from '@hms/domain/stock';
import { createMailer } from '@hms/mail';
import { startTestMailServer } from '@hms/mail/testing';
import { newId, records, type Work, workFor } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { DEFAULT_SETTINGS, type HospitalSettings } from '@hms/tenancy';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { stockWarningMails } from '../../../auth/src/stock-warnings/tasks.ts';
import { stockCheckTask } from './stock-check.ts';
import { aBatch, aDrug, day, get, hms, mary, newHospital, outcome, post, usePharmacy } from './testing.ts';

usePharmacy();
beforeEach(newHospital);

const within = <Result>(run: (work: Work) => Promise<Result>): Promise<Result> =>
  workFor(hms.platform, mary.hospital, 'test', run);

/** The mail that a check asks for, if it does, as another module reads it. */
type Told = NewWarnings | undefined;

interface When {
  readonly at?: Date;
  readonly settings?: Partial<HospitalSettings>;
}

/** A check, now or at another moment. @returns the id of what it has found, if it is new. */
function check({ at, settings = {} }: When = {}): Promise<string | undefined> {
  return within(async (work) => {
    if (at) await work.trx.setMoment(at);
    let found: string | undefined;
    await checkStock({
      ...work,
      hospital: { ...work.hospital, settings: { ...DEFAULT_SETTINGS, ...settings } },
      addTask: (task, input) => {
        if (task.name === stockWarningMail.name) found = (input as unknown as { checkId: string }).checkId;
      },
    });
    return found;
  });
}
const read = (checkId: string): Promise<Told> => within((work) => warningsOf(work, { checkId }));
async function told(when: When = {}): Promise<Told> {
  const checkId = await check(when);
  return checkId === undefined ? undefined : read(checkId);
}
const counts = async () => (await get('stock-warnings')).data<object>();

/** When a day begins by the clock of the hospital in Jakarta, which is seven hours ahead. */
const beginOf = (date: string) => new Date(`${date}T00:00:00+07:00`);
const justBefore = (moment: Date) => new Date(moment.getTime() - 1);
const step = async (batch: { readonly id: string }, name: string, body: object = {}) => {
  const answer = await post(`stock-batches/${batch.id}/${name}`, { reason: 'Test', ...body });
  expect(answer.error).toBeUndefined();
};

describe('a drug below its reorder level', () => {
  it('is told once, and again after there was enough of it', async () => {
    const drug = await aDrug({ reorderLevel: 10 });
    const batch = await aBatch(drug, 10);
    expect(await told()).toBeUndefined();
    await step(batch, 'adjust', { quantity: -1 });
    const { name, code } = drug;
    const first = await told();
    expect(first).toMatchObject({
      ...{ belowReorderLevel: [{ name, code }], expiring: [], onlyExpired: [] },
      links: { toOrder: `${mary.hospital.portal}/stock?below=true` },
    });
    expect(await counts()).toMatchObject({ belowReorderLevel: 1, expiring: 0, onlyExpired: 0 });
    // Less of it is nothing new.
    await step(batch, 'adjust', { quantity: -2 });
    expect(await told()).toBeUndefined();
    await step(batch, 'receive', { quantity: 3 });
    expect(await told()).toBeUndefined();
    expect(await counts()).toEqual({ belowReorderLevel: 0, expiring: 0, onlyExpired: 0, latestAt: null });
    await step(batch, 'adjust', { quantity: -1 });
    expect((await told())?.belowReorderLevel).toEqual([{ name, code }]);
  });

  it('is told if there was never any of it, and as long as it is active', async () => {
    const drug = await aDrug({ reorderLevel: 1 });
    expect((await told())?.belowReorderLevel).toHaveLength(1);
    await post(`drugs/${drug.id}/deactivate`);
    expect(await told()).toBeUndefined();
    expect(await counts()).toMatchObject({ belowReorderLevel: 0 });
    await post(`drugs/${drug.id}/activate`);
    expect((await told())?.belowReorderLevel).toHaveLength(1);
  });
});

describe('a batch that expires', () => {
  it('is told once within the days of the hospital, from midnight by its clock', async () => {
    const batch = await aBatch(await aDrug(), 5, { expiresOn: day(100) });
    // The last day is the ninetieth from here on, with today.
    const from = beginOf(day(11));
    expect(await told({ at: justBefore(from) })).toBeUndefined();
    const found = await told({ at: from });
    expect(found?.expiring).toMatchObject([{ batchNo: batch.batchNo, expiresOn: day(100) }]);
    expect(found?.links.expiring).toBe(`${mary.hospital.portal}/stock?tab=batches&soon=true`);
    expect(await told({ at: from })).toBeUndefined();
    expect(await told({ at: beginOf(day(50)) })).toBeUndefined();
    expect(await counts()).toMatchObject({ expiring: 1 });
  });

  it('is told by the days that the hospital has chosen', async () => {
    await aBatch(await aDrug(), 5, { expiresOn: day(1) });
    expect(await told({ settings: { expiryWarningDays: 0 } })).toBeUndefined();
    expect(await told({ settings: { expiryWarningDays: 1 } })).toBeUndefined();
    expect((await told({ settings: { expiryWarningDays: 2 } }))?.expiring).toHaveLength(1);
  });

  it('is told again after it was kept from being dispensed, and not if it is used up', async () => {
    const batch = await aBatch(await aDrug(), 5, { expiresOn: day(3) });
    expect((await told())?.expiring).toHaveLength(1);
    await step(batch, 'quarantine');
    expect(await told()).toBeUndefined();
    expect(await counts()).toMatchObject({ expiring: 0 });
    await step(batch, 'release');
    expect((await told())?.expiring).toHaveLength(1);
    await step(batch, 'discard', { quantity: 5 });
    expect(await told()).toBeUndefined();
    expect(await counts()).toMatchObject({ expiring: 0 });
  });
});

describe('a drug of which only expired units are left', () => {
  it('is told once, after its last day by the clock of the hospital', async () => {
    const drug = await aDrug();
    await aBatch(drug, 5, { expiresOn: day(3) });
    // That it expires soon is told before.
    await check();
    const over = beginOf(day(4));
    expect(await told({ at: justBefore(over) })).toBeUndefined();
    expect(await told({ at: over })).toMatchObject({
      ...{ belowReorderLevel: [], expiring: [], onlyExpired: [{ name: drug.name, code: drug.code }] },
    });
    expect(await told({ at: over })).toBeUndefined();
    expect(await counts()).toMatchObject({ expiring: 0, onlyExpired: 1 });
  });

  it('is told again after there was more of it', async () => {
    const drug = await aDrug();
    await aBatch(drug, 5, { expiresOn: day(3) });
    const at = beginOf(day(4));
    expect((await told({ at }))?.onlyExpired).toHaveLength(1);
    const fresh = await aBatch(drug, 5, { expiresOn: day(200) });
    expect(await told({ at })).toBeUndefined();
    expect(await counts()).toMatchObject({ onlyExpired: 0 });
    await step(fresh, 'discard', { quantity: 5 });
    expect((await told({ at }))?.onlyExpired).toHaveLength(1);
  });

  it('is not told if nothing is left at all', async () => {
    const batch = await aBatch(await aDrug(), 5, { expiresOn: day(3) });
    await step(batch, 'discard', { quantity: 5 });
    expect(await told({ at: beginOf(day(4)) })).toBeUndefined();
  });
});

it('checks at the same time give one warning', async () => {
  await aDrug({ reorderLevel: 10 });
  await aBatch(await aDrug(), 5, { expiresOn: day(3) });
  const found = (await Promise.all(Array.from({ length: 6 }, () => check()))).filter((one) => one !== undefined);
  expect(found).toHaveLength(1);
  expect(await read(found[0] ?? '')).toMatchObject({ belowReorderLevel: [{}], expiring: [{}] });
});

it('what is solved before the mail is not mailed', async () => {
  const batch = await aBatch(await aDrug(), 5, { expiresOn: day(3) });
  const checkId = (await check()) ?? '';
  await step(batch, 'discard', { quantity: 5 });
  await check();
  expect(await read(checkId)).toBeUndefined();
});

it('a check is planned for the next full hour from the first batch on, and plans the next one', async () => {
  const planned = async () =>
    (await listTasks(hms.operator, { hospital: mary.hospital.prefix })).filter(({ task }) => task === stockCheck.name);
  expect(await planned()).toEqual([]);
  const drug = await aDrug();
  const HOUR = 3_600_000;
  const next = new Date(Math.ceil(Date.now() / HOUR) * HOUR);
  await aBatch(drug, 5);
  await aBatch(drug, 5);
  expect(await planned()).toMatchObject([{ state: 'planned', runAt: next }]);
  const again: unknown[] = [];
  await within((work) =>
    stockCheckTask.run(
      { ...work, addTask: (task, _, options) => void again.push([task.name, options?.runAt]) },
      {},
      {},
    ),
  );
  expect(again).toEqual([[stockCheck.name, next]]);
});

describe('who is told', () => {
  const hire = (name: string, more: object = {}) =>
    within((work) =>
      records(work, employees).insert(
        {
          ...{ firstName: name, lastName: 'Quinn', email: `${name.toLowerCase()}@example.org` },
          ...{ roles: ['PHARMACIST'], employedFrom: '2026-01-01', status: 'active', ...more },
        },
        newId(),
      ),
    );

  it('is each active pharmacist, in one mail in the language of the hospital', async () => {
    await hire('Ann');
    await hire('Bob', { roles: ['NURSE', 'PHARMACIST'] });
    await hire('Cleo', { status: 'suspended' });
    await hire('Dan', { roles: ['DOCTOR'] });
    await hire('Eve', { roles: ['ADMIN'] });
    for (let index = 0; index < 22; index += 1) await aDrug({ name: `Low ${10 + index}`, reorderLevel: 1 });
    const batch = await aBatch(await aDrug({ name: 'Amoxicillin <500>' }), 5, { expiresOn: day(3) });
    const checkId = (await check()) ?? '';
    const server = await startTestMailServer({ tls: 'none' });
    const mailer = createMailer({ host: server.host, port: server.port, tls: 'none', from: 'hms@example.org' });
    const inTransaction = within;
    for (const language of ['en', 'ar']) {
      const hospital = { ...mary.hospital, settings: { ...DEFAULT_SETTINGS, language } };
      const context = { hospital, inTransaction, log: hms.platform.log, signal: new AbortController().signal };
      await stockWarningMails({ mailer }).prepare(context, { checkId });
    }
    await server.stop();
    const [english, , arabic] = server.received.map(({ raw }) => decoded(raw));
    const addresses = server.received.map(({ recipients }) => recipients.join());
    const all = ['ann@example.org', 'bob@example.org'];
    expect([addresses.slice(0, 2).sort(), addresses.slice(2).sort()]).toEqual([all, all]);
    expect(english).toContain('Available below the reorder level: 22');
    expect(english).toContain('- Low 10 (');
    expect(english).not.toContain('- Low 30 (');
    expect(english).toContain('and 2 more');
    expect(english).toContain(`${batch.batchNo}: `);
    expect(english).toContain('Amoxicillin &lt;500&gt;');
    expect(english).toContain(`${mary.hospital.portal}/stock?below=true`);
    expect(english).not.toContain('Only expired');
    expect(arabic).toContain('أقل من حد إعادة الطلب: 22');
  });

  it('is nobody if the hospital withholds that from the role', async () => {
    await hire('Ann');
    await aDrug({ reorderLevel: 1 });
    const put = await hms.send('PUT', '/api/hms/roles/PHARMACIST', {
      ...{ token: await mary.token(['OWNER']), body: { withheld: ['stock.warnings'] } },
    });
    expect(put.status).toBe(200);
    expect((await told())?.recipients).toEqual([]);
  });

  it('is nobody of another hospital', async () => {
    await aDrug({ reorderLevel: 1 });
    await check();
    const other = await createTestHospital(hms.operator, hms.issuer);
    expect((await get('stock-warnings', await other.token(['PHARMACIST']))).data()).toMatchObject({
      ...{ belowReorderLevel: 0, latestAt: null },
    });
    expect(outcome(await get('stock-warnings', await mary.token(['NURSE'])))).toBe('FORBIDDEN');
  });
});

/** The texts of a message, without their transfer encoding. */
function decoded(raw: string): string {
  const plain = raw.replace(/=\r\n/g, '');
  const bytes = plain.replace(/(?:=[0-9A-F]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'),
  );
  const blocks = raw.split(/\r\n\r\n/).map((block) => Buffer.from(block, 'base64').toString('utf8'));
  return [bytes, ...blocks].join('\n').replaceAll('&#x3D;', '=').replaceAll('&#x2F;', '/');
}
