/** Critical results that nobody acknowledges: who is told, when, and what ends it. */
import { listTasks, updateHospital } from '@hms/database';
import { employees } from '@hms/domain/employees';
import { criticalResult, type Escalation, escalate, type ShownOrder } from '@hms/domain/lab-orders';
import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import { newId, records, type Work, workFor } from '@hms/service';
import { hospitalNames } from '@hms/tenancy';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  activeTest,
  admin,
  colleague,
  doctor,
  done,
  get,
  hms,
  item,
  mary,
  ORDERS,
  order,
  POTASSIUM,
  post,
  read,
  resulted,
  resultIds,
  tech,
  useLaboratory,
} from './testing.ts';

useLaboratory();

let potassium: LabTestWithRanges;
let cardiology: string;
beforeEach(async () => {
  potassium = await activeTest(POTASSIUM);
  cardiology = (await post('/api/hms/departments', { code: 'CARD', name: 'Cardiology' }, admin)).data<{ id: string }>()
    .id;
});

const within = <Result>(run: (work: Work) => Promise<Result>): Promise<Result> =>
  workFor(hms.platform, mary.hospital, 'test', run);

const employee = (name: string, more: object = {}) =>
  within((work) =>
    records(work, employees).insert(
      {
        ...{ firstName: name, lastName: 'Quinn', email: `${name.toLowerCase()}@example.org`, roles: ['DOCTOR'] },
        ...{ employedFrom: '2026-01-01', status: 'active', departmentId: cardiology, ...more },
      },
      newId(),
    ),
  );

const climb = (placed: ShownOrder, step: 1 | 2): Promise<Escalation | undefined> =>
  within((work) => escalate(work, { orderId: placed.id, resultId: resultIds(placed)[0] ?? '', step }));
const counts = async () => (await get(`${ORDERS}/counts`)).data<{ escalated: number }>();
const waiting = async () =>
  (await listTasks(hms.operator, { hospital: mary.hospital.prefix })).filter(({ task }) => task === 'critical-result');

/** An order of a doctor with a critical result. */
async function critical(doctorId?: string): Promise<ShownOrder> {
  const placed = await order([potassium], doctorId === undefined ? {} : { doctorId });
  await done(placed, 'collect');
  return done(placed, 'results', { results: placed.items.map(({ id }) => ({ itemId: id, value: '7.1' })) });
}

/** Enters the result of the only test again. */
const again = (placed: ShownOrder, value: string, token = tech) => {
  const { id, result } = item(placed);
  return done(placed, 'results', { results: [{ itemId: id, value, replaces: result?.id }] }, token);
};

describe('a critical result that nobody has acknowledged', () => {
  it('is looked at twice, after the minutes that the hospital has chosen', async () => {
    const from = Date.now();
    await critical();
    const tasks = await waiting();
    const minutes = tasks.map(({ runAt }) => Math.round((runAt.getTime() - from) / 60_000)).sort((a, b) => a - b);
    expect(minutes).toEqual([30, 60]);
    await resulted('4.0', potassium);
    expect(await waiting()).toHaveLength(2);
  });

  it.each([
    [10, [10, 20]],
    [0, []],
  ])('is looked at as often as the setting of %s minutes says', async (criticalResultMinutes, expected) => {
    const settings = { ...mary.hospital.settings, criticalResultMinutes };
    await updateHospital(hms.operator, mary.hospital.prefix, { settings });
    hms.platform.registry.forget(mary.hospital);
    const from = Date.now();
    await critical();
    const minutes = (await waiting()).map(({ runAt }) => Math.round((runAt.getTime() - from) / 60_000));
    await updateHospital(hms.operator, mary.hospital.prefix, { settings: mary.hospital.settings });
    hms.platform.registry.forget(mary.hospital);
    expect(minutes.sort((a, b) => a - b)).toEqual(expected);
  });

  it('climbs to the doctor who ordered it, and then to the doctors of the department', async () => {
    const ann = await employee('Ann');
    await employee('Bob');
    await employee('Cleo', { departmentId: null });
    await employee('Dan', { status: 'suspended' });
    await employee('Eve', { roles: ['NURSE'] });
    const placed = await critical(ann.id);
    expect(await climb(placed, 1)).toMatchObject({
      recipients: ['ann@example.org'],
      orderNo: placed.orderNo,
      test: 'Potassium',
      link: `${mary.hospital.portal}/laboratory/${placed.id}`,
    });
    expect([(await read(placed)).escalation, (await counts()).escalated]).toEqual([1, 1]);
    expect((await climb(placed, 2))?.recipients).toEqual(['ann@example.org', 'bob@example.org']);
    expect((await read(placed)).escalation).toBe(2);
    // A first look that came late puts nothing back.
    await climb(placed, 1);
    expect((await read(placed)).escalation).toBe(2);
  });

  it('reaches all doctors if the one who ordered it is not known, has left, or has no department', async () => {
    const gone = await employee('Gone', { status: 'terminated', departmentId: null });
    await employee('Bob');
    await employee('Cleo', { departmentId: null });
    const all = ['bob@example.org', 'cleo@example.org'];
    expect((await climb(await critical(), 1))?.recipients).toEqual(all);
    const placed = await critical();
    await hms.operator.raw(
      `UPDATE ${hospitalNames(mary.hospital.prefix).schema}.lab_orders SET doctor_id = '${gone.id}' WHERE id = '${placed.id}'`,
    );
    expect((await climb(placed, 1))?.recipients).toEqual(all);
    expect((await climb(placed, 2))?.recipients).toEqual(all);
  });

  it('tells others neither the name of the patient nor the value', async () => {
    await employee('Bob');
    const told = JSON.stringify(await climb(await critical(), 1));
    expect(told).not.toMatch(/Doe|Jane|7\.1|HSP-/);
  });
});

describe('an answer', () => {
  it('ends it, whether it comes before or after somebody was told', async () => {
    await employee('Bob');
    const early = await critical();
    await done(early, 'acknowledge', { resultIds: resultIds(early) }, doctor);
    expect(await climb(early, 1)).toBeUndefined();
    const late = await critical();
    await climb(late, 1);
    expect((await done(late, 'acknowledge', { resultIds: resultIds(late) }, doctor)).escalation).toBe(0);
    expect(await climb(late, 2)).toBeUndefined();
    expect((await counts()).escalated).toBe(0);
  });

  it('is still needed when the value is entered again, since the first time that it was critical', async () => {
    await employee('Bob');
    const first = await critical();
    const [entered] = first.items;
    const second = await again(first, '7.3');
    expect((await again(second, '7.2')).orderNo).toBe(first.orderNo);
    // No clock starts anew.
    expect(await waiting()).toHaveLength(2);
    expect(await climb(second, 1)).toBeUndefined();
    expect(await climb(first, 1)).toMatchObject({ enteredAt: entered?.result?.enteredAt });
    const third = await again(await read(first), '7.4', colleague);
    expect(third.escalation).toBe(1);
    const verified = await done(third, 'verify', { resultIds: resultIds(third) }, tech);
    const body = { resultId: resultIds(verified)[0], value: '7.5', reason: 'Typing error' };
    expect((await done(verified, 'amend', body)).escalation).toBe(1);
    expect((await climb(first, 2))?.orderNo).toBe(first.orderNo);
    expect((await read(first)).escalation).toBe(2);
  });

  it('is not needed for a value that was typed wrong, nor after the rejection of the specimen', async () => {
    await employee('Bob');
    const first = await critical();
    await climb(first, 1);
    expect((await again(first, '4.1')).escalation).toBe(0);
    expect(await climb(first, 2)).toBeUndefined();
    // What is critical after that is another one.
    const later = await again(await read(first), '7.3');
    expect(later.escalation).toBe(0);
    expect(await climb(first, 2)).toBeUndefined();
    expect((await climb(later, 1))?.orderNo).toBe(first.orderNo);
    const [specimen] = later.specimens;
    const rejected = await done(later, 'reject-specimen', { specimenId: specimen?.id, reason: 'Haemolysed' });
    expect(rejected.escalation).toBe(0);
    expect(await climb(later, 2)).toBeUndefined();
  });

  it('starts anew for what is entered after an answer', async () => {
    await employee('Bob');
    const first = await critical();
    await climb(first, 2);
    await done(first, 'acknowledge', { resultIds: resultIds(first) }, doctor);
    const second = await again(first, '7.3');
    expect([second.escalation, (await waiting()).length]).toEqual([0, 4]);
    expect(await climb(first, 2)).toBeUndefined();
    expect((await climb(second, 1))?.orderNo).toBe(first.orderNo);
  });

  it('for one test leaves the clock of another one', async () => {
    await employee('Bob');
    const sodium = await activeTest({ ...POTASSIUM, code: 'NA', name: 'Sodium' });
    const placed = await order([potassium, sodium]);
    await done(placed, 'collect');
    const enter = (code: string) => ({ results: [{ itemId: item(placed, code).id, value: '7.1' }] });
    const early = await done(placed, 'results', enter('K'));
    await climb(early, 2);
    const both = await done(placed, 'results', enter('NA'));
    expect(both.escalation).toBe(2);
    const after = await done(placed, 'acknowledge', { resultIds: [item(both, 'K').result?.id] }, doctor);
    expect(after).toMatchObject({ escalation: 0, toAcknowledge: 1 });
    const late = { orderId: placed.id, resultId: item(both, 'NA').result?.id ?? '', step: 1 } as const;
    expect((await within((work) => escalate(work, late)))?.test).toBe('Sodium');
    expect((await read(placed)).escalation).toBe(1);
  });
});

it('the task takes only what it was made for', () => {
  expect(criticalResult.input.safeParse({ orderId: newId(), resultId: newId(), step: 3 }).success).toBe(false);
});
