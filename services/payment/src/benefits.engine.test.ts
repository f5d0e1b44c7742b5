/** What VIP memberships give on invoices, without anybody typing it. */
import { addCharges } from '@hms/domain/charges';
import { addMember, type Member, removeMember } from '@hms/domain/families';
import type { ShownInvoice } from '@hms/domain/invoices';
import { mergePatient, patients } from '@hms/domain/patients';
import { createMembership, moveMembership, type ShownMembership, vipMemberships, vipTiers } from '@hms/domain/vip';
import { newId, records, today } from '@hms/service';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  aPatient,
  call,
  draft,
  INVOICES,
  line,
  outcome,
  patientId,
  success,
  useHospital,
  within,
  wrongFields,
} from './testing.ts';

useHospital();

const GROUPS = ['consultation', 'laboratory', 'pharmacy', 'other'] as const;
type Group = (typeof GROUPS)[number];
const NONE = { benefitBps: 0, membershipNo: null, tierName: null };

let gold: string;
let silver: string;

const tier = (name: string, consultationBps: number, laboratoryBps: number, pharmacyBps = 0, otherBps = 0) =>
  within(async (work) => {
    const values = { name, priorityWeight: 0, consultationBps, laboratoryBps, pharmacyBps, otherBps };
    return (await records(work, vipTiers).insert(values)).id;
  });

beforeEach(async () => {
  gold = await tier('Gold', 1250, 333);
  silver = await tier('Silver', 500, 1000);
});

const grant = (tierId: string, holder: object = { patientId }): Promise<ShownMembership> =>
  within((work) => createMembership(work, { tierId, ...holder }));
const move = ({ id }: ShownMembership, to: 'suspended' | 'active' | 'cancelled', reason: string | null = 'Unpaid') =>
  within((work) => moveMembership(work, id, to, reason, undefined));
const familyOf = (id: string) =>
  within(async (work) => (await records(work, patients).read(id)).familyId ?? 'in no family');
const of = (itemGroup: Group, unitPrice: number, more: object = {}) => line(unitPrice, { itemGroup, ...more });
const read = ({ id }: ShownInvoice) => success<ShownInvoice>('GET', `${INVOICES}/${id}`);
const issue = ({ id }: ShownInvoice) => success<ShownInvoice>('POST', `${INVOICES}/${id}/issue`);
const given = ({ lines }: ShownInvoice) => lines.map(({ membershipNo }) => membershipNo);

describe('a benefit', () => {
  it('is of the group of each service, and names the membership', async () => {
    await grant(gold);
    const { lines, total } = await draft(...GROUPS.map((group) => of(group, 1000)));
    expect(lines).toMatchObject([
      { benefitBps: 1250, benefit: 125, membershipNo: 'VIP-000001', tierName: 'Gold' },
      { benefitBps: 333, benefit: 33, membershipNo: 'VIP-000001', tierName: 'Gold' },
      { ...NONE, benefit: 0 },
      { ...NONE, benefit: 0 },
    ]);
    expect(total).toBe(4000 - 125 - 33);
  });

  it('is what a second computation says, after the discounts of the lines', async () => {
    await grant(gold);
    await grant(silver, { familyId: await familyOf(patientId) });
    // What each group gets, and from which membership.
    const best: Record<Group, readonly [bigint, string | null]> = {
      ...{ consultation: [1250n, 'VIP-000001'], laboratory: [1000n, 'VIP-000002'] },
      ...{ pharmacy: [0n, null], other: [0n, null] },
    };
    const some = fc.array(
      fc.record({ group: fc.constantFrom(...GROUPS), price: fc.nat(1_000_000), off: fc.constantFrom(0, 777) }),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(some, async (services) => {
        const drafted = await draft(
          ...services.map(({ group, price, off }) => of(group, price, { discount: { bps: off } })),
        );
        const issued = await issue(drafted);
        const halfUp = (part: bigint) => (part + 5_000n) / 10_000n;
        const expected = services.map(({ group, price, off }) => {
          const left = BigInt(price) - halfUp(BigInt(price) * BigInt(off));
          return [Number(halfUp(left * best[group][0])), best[group][1]];
        });
        for (const { lines } of [drafted, issued])
          expect(lines.map(({ benefit, membershipNo }) => [benefit, membershipNo])).toEqual(expected);
      }),
      { numRuns: 10 },
    );
  });

  it('is not taken from a client', async () => {
    const body = { patientId, lines: [line(100, { benefitBps: 10_000 })] };
    expect(await outcome('POST', INVOICES, body)).toBe('VALIDATION_FAILED');
    expect((await call('POST', INVOICES, body)).status).toBe(400);
    expect(await wrongFields('POST', INVOICES, body)).toEqual(['lines.0.benefitBps']);
    const { id } = await draft(line(100));
    expect(await wrongFields('PUT', `${INVOICES}/${id}`, body)).toEqual(['lines.0.benefitBps']);
    expect(await wrongFields('POST', `${INVOICES}/${id}/lines`, body)).toEqual(['lines.0.benefitBps']);
  });

  it('is on lines that come from charges', async () => {
    await grant(gold);
    await within((work) =>
      addCharges(work, [
        {
          ...{ patientId, sourceType: 'lab', sourceId: newId(), itemGroup: 'laboratory', description: 'Potassium' },
          ...{ unitPrice: 1200, quantity: 1, taxBps: 0 },
        },
      ]),
    );
    const filled = await success<ShownInvoice>('POST', INVOICES, { patientId, openCharges: true });
    expect(filled).toMatchObject({ lines: [{ benefit: 40, membershipNo: 'VIP-000001' }], total: 1160 });
  });
});

describe('a draft', () => {
  it('has what counts when it is shown, and an invoice what counted when it was issued', async () => {
    const drafted = await draft(of('consultation', 1000));
    expect(drafted).toMatchObject({ total: 1000, lines: [NONE] });
    const membership = await grant(gold);
    expect(await read(drafted)).toMatchObject({ total: 875, discount: 125, lines: [{ benefit: 125 }] });
    expect(await success('GET', `${INVOICES}?status=draft`)).toMatchObject([{ total: 875 }]);
    const issued = await issue(drafted);
    expect(issued).toMatchObject({ total: 875, lines: [{ membershipNo: 'VIP-000001', tierName: 'Gold' }] });
    await move(membership, 'cancelled');
    await within(async (work) => {
      const own = records(work, vipTiers);
      await own.update(await own.lock(gold), { name: 'Old gold', consultationBps: 1 });
    });
    expect(await read(issued)).toEqual(issued);
  });

  it.each(['suspended', 'cancelled'] as const)('gets nothing from a membership that is %s', async (state) => {
    const membership = await grant(gold);
    const drafted = await draft(of('consultation', 1000));
    expect(drafted.total).toBe(875);
    await move(membership, state);
    expect(await read(drafted)).toMatchObject({ total: 1000, lines: [NONE] });
    expect(await issue(drafted)).toMatchObject({ total: 1000, lines: [NONE] });
  });

  it('gets nothing on the day after the last one, nor before the first one', async () => {
    const { id } = await grant(gold);
    const drafted = await draft(of('consultation', 1000));
    const on = (days: number) => within(async (work) => shifted(today(work), days));
    const set = async (validFrom: string, validTo: string) =>
      within(async (work) => {
        const own = records(work, vipMemberships);
        await own.update(await own.lock(id), { validFrom, validTo });
      });
    await set(await on(-5), await on(-1));
    expect((await read(drafted)).total).toBe(1000);
    await set(await on(1), await on(5));
    expect((await read(drafted)).total).toBe(1000);
    await set(await on(-5), await on(0));
    expect((await issue(drafted)).total).toBe(875);
  });

  it('gets that of the family as long as the patient is in it', async () => {
    const other = await aPatient('Mary');
    const familyId = await familyOf(other);
    await grant(gold, { familyId });
    const drafted = await draft(of('consultation', 1000));
    expect(drafted.total).toBe(1000);
    const member: Member = await within((work) =>
      addMember(work, familyId, { patientId, relation: 'child', isPayer: false }),
    );
    expect(given(await read(drafted))).toEqual(['VIP-000001']);
    await within((work) => removeMember(work, familyId, member.id));
    expect(given(await issue(drafted))).toEqual([null]);
  });

  it('gets that of a patient who was merged into this one, or into whom this one was merged', async () => {
    const twin = await aPatient('Anna');
    await grant(gold, { patientId: twin });
    const drafted = await draft(of('consultation', 1000));
    await within((work) => mergePatient(work, twin, patientId));
    expect(given(await read(drafted))).toEqual(['VIP-000001']);
    const third = await aPatient('Anne');
    await within((work) => mergePatient(work, patientId, third));
    expect(given(await issue(drafted))).toEqual(['VIP-000001']);
  });

  it('can be read, and names the discount that is too much, when memberships leave less than it', async () => {
    const drafted = await success<ShownInvoice>('POST', INVOICES, {
      ...{ patientId, lines: [of('consultation', 1000)], discount: { amount: 900 } },
    });
    const membership = await grant(gold);
    expect((await read(drafted)).total).toBe(100);
    const refused = await call('POST', `${INVOICES}/${drafted.id}/issue`);
    expect(refused.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fields: [{ field: 'discount', message: 'must be at most 875, which is what it reduces' }] },
    });
    await move(membership, 'cancelled');
    expect((await issue(drafted)).total).toBe(100);
  });

  it('that is free through a membership is paid at once', async () => {
    await grant(await tier('Free', 10_000, 0));
    expect(await issue(await draft(of('consultation', 1000)))).toMatchObject({ status: 'paid', total: 0 });
  });
});

it('a membership that is cancelled meanwhile counts for all lines of an invoice, or for none', async () => {
  const drafts = await Promise.all(
    Array.from({ length: 6 }, () => draft(...Array.from({ length: 20 }, () => of('consultation', 1000)))),
  );
  const membership = await grant(gold);
  const [, ...issued] = await Promise.all([move(membership, 'cancelled'), ...drafts.map(issue)]);
  for (const { lines, total } of issued) {
    const numbers = new Set(lines.map(({ membershipNo }) => membershipNo));
    expect(numbers.size).toBe(1);
    expect(total).toBe(numbers.has(null) ? 20_000 : 17_500);
  }
});

it('drafts with other payers and new drafts are written at once', async () => {
  const bob = await aPatient('Bob');
  const [ours, theirs] = [await draft(line(1)), await success<ShownInvoice>('POST', INVOICES, { patientId: bob })];
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) => {
      const [patient, payerId] = index % 2 ? [patientId, bob] : [bob, patientId];
      const { id } = index % 2 ? ours : theirs;
      return index % 4 < 2
        ? call('POST', INVOICES, { patientId: patient, payerId })
        : call('PUT', `${INVOICES}/${id}`, { payerId, lines: [line(index)] });
    }),
  );
  expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
});

it('another patient gets nothing', async () => {
  await grant(gold);
  const body = { patientId: await aPatient('Eve'), lines: [of('consultation', 1000)] };
  expect(await success('POST', INVOICES, body)).toMatchObject({ lines: [NONE], total: 1000 });
});

function shifted(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
