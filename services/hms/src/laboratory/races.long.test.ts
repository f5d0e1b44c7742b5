/** Requests that arrive at the same time: one wins, and the other is told. */
import type { ShownOrder, ShownResult } from '@hms/domain/lab-orders';
import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import type { Patient } from '@hms/domain/patients';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  activeTest,
  admin,
  COUNT,
  colleague,
  doctor,
  done,
  get,
  hms,
  item,
  JANE,
  mary,
  nurse,
  ORDERS,
  order,
  outcomes,
  PATIENTS,
  POTASSIUM,
  patient,
  person,
  post,
  read,
  resulted,
  resultIds,
  SODIUM,
  step,
  tech,
  useLaboratory,
  verified,
} from './testing.ts';

useLaboratory();

/** Each test repeats its race, as either may come first. */
const ROUNDS = 5;
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

let potassium: LabTestWithRanges;
beforeEach(async () => {
  potassium = await activeTest(POTASSIUM);
});

const amend = (placed: ShownOrder, value: string, token: string) =>
  step(placed, 'amend', { resultId: resultIds(placed)[0], value, reason: `It is ${value}` }, token);
const verify = (placed: ShownOrder, token: string) => step(placed, 'verify', { resultIds: resultIds(placed) }, token);
const versions = async ({ id }: ShownOrder) => (await get(`${ORDERS}/${id}/results`)).data<ShownResult[]>();

describe('two people', () => {
  it('who amend one result: one wins, the other is told, and no version is lost', async () => {
    for (const _ of rounds) {
      const placed = await verified('4', potassium);
      expect(await outcomes([amend(placed, '5', tech), amend(placed, '6', colleague)])).toEqual([
        ...['LAB_RESULT_CHANGED', 'done'],
      ]);
      const all = await versions(placed);
      expect(all.map(({ number }) => number)).toEqual([1, 2]);
      expect(await read(placed)).toMatchObject({ revision: 2, status: 'amended' });
    }
  });

  it('who verify one result: one wins, and the other is told', async () => {
    for (const _ of rounds) {
      const placed = await resulted('4', potassium);
      expect(await outcomes([verify(placed, doctor), verify(placed, colleague)])).toEqual([
        ...['LAB_RESULT_CHANGED', 'done'],
      ]);
    }
  });

  it('of whom one verifies an amendment and the other amends it again: nobody has verified what they did not see', async () => {
    const third = await person('LAB_TECH');
    for (const _ of rounds) {
      const first = (await amend(await verified('4', potassium), '5', tech)).data<ShownOrder>();
      const codes = await outcomes([verify(first, third), amend(first, '6', colleague)]);
      expect([['LAB_RESULT_CHANGED', 'done'].join(), ['done', 'done'].join()]).toContain(codes.join());
      const { result } = item(await read(first));
      // Whoever came first, the newest value is the amendment that nobody has verified.
      expect(result).toMatchObject({ value: '6', number: 3, verifiedAt: null });
      const [, amended] = await versions(first);
      expect(amended?.verifiedAt === null).toBe(codes.includes('LAB_RESULT_CHANGED'));
    }
  });

  it('of whom one verifies and the other enters again: one wins, and the other is told', async () => {
    for (const _ of rounds) {
      const placed = await resulted('4', potassium);
      const [replaces] = resultIds(placed);
      const results = [{ itemId: item(placed).id, value: '5', replaces }];
      const codes = await outcomes([verify(placed, doctor), step(placed, 'results', { results }, colleague)]);
      expect(codes).toContain('done');
      expect(codes).not.toEqual(['done', 'done']);
      const { result } = item(await read(placed));
      expect([result?.value, result?.status]).toEqual(result?.value === '4' ? ['4', 'final'] : ['5', 'preliminary']);
    }
  });

  it('who enter the first result of a test: one wins, and the other is told', async () => {
    for (const _ of rounds) {
      const placed = await done(await order([potassium]), 'collect');
      const enter = (value: string, token: string) =>
        step(placed, 'results', { results: [{ itemId: item(placed).id, value }] }, token);
      expect(await outcomes([enter('4', tech), enter('5', colleague)])).toEqual(['LAB_RESULT_CHANGED', 'done']);
      expect(await versions(placed)).toHaveLength(1);
    }
  });

  it('of whom one collects and the other cancels: an order is collected, or cancelled with its specimens', async () => {
    for (const _ of rounds) {
      const placed = await order([potassium]);
      const requests = [step(placed, 'collect', {}, nurse), step(placed, 'cancel', { reason: 'None' }, doctor)];
      const [collected, cancelled] = await Promise.all(requests);
      const { status, specimens } = await read(placed);
      // A collected order may still be cancelled.
      expect(cancelled?.status).toBe(200);
      expect([status, specimens[0]?.status]).toEqual(['cancelled', 'cancelled']);
      expect([200, 409]).toContain(collected?.status);
    }
  });

  it('who reject one specimen: one other specimen is expected', async () => {
    const placed = await done(await order([potassium]), 'collect');
    const body = { specimenId: placed.specimens[0]?.id, reason: 'Clotted' };
    const requests = [tech, colleague].map((token) => step(placed, 'reject-specimen', body, token));
    expect(await outcomes(requests)).toEqual(['INVALID_STATE', 'done']);
    expect((await read(placed)).specimens.map(({ status }) => status)).toEqual(['rejected', 'expected']);
  });
});

describe('many at once', () => {
  it('50 orders have 50 numbers and 100 specimens, without a gap', async () => {
    const tests = [potassium, await activeTest(SODIUM), await activeTest(COUNT)];
    const placed = await Promise.all(Array.from({ length: 50 }, () => order(tests)));
    const numbers = (texts: readonly string[]) => texts.map((text) => Number(text.split('-')[1])).sort((a, b) => a - b);
    const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    expect(numbers(placed.map(({ orderNo }) => orderNo))).toEqual(upTo(50));
    expect(numbers(placed.flatMap(({ specimens }) => specimens.map((one) => one.accessionNo)))).toEqual(upTo(100));
  });

  it('an order that is refused takes no number', async () => {
    const refused = { patientId: patient.id, testIds: [potassium.id, patient.id] };
    const requests = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? post(ORDERS, refused, doctor) : post(ORDERS, { ...refused, testIds: [potassium.id] }, doctor),
    );
    expect((await outcomes(requests)).filter((code) => code === 'done')).toHaveLength(5);
    expect(await order([potassium])).toMatchObject({ orderNo: 'LAB-000006' });
  });

  it('a repetition with an idempotency key is one order', async () => {
    const body = { patientId: patient.id, testIds: [potassium.id], idempotencyKey: 'once' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(ORDERS, body, doctor)));
    expect(new Set(answers.map((answer) => answer.data<ShownOrder>().id)).size).toBe(1);
  });
});

/** Position of the last change of a record in the audit log, where whoever held the patient first comes first. */
async function seqOf(recordId: string): Promise<number> {
  const [event] = await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
    trx.query<{ seq: number }>(
      "SELECT max(seq) AS seq FROM audit_events WHERE record_id = $1 AND action IN ('create', 'transition')",
      [recordId],
    ),
  );
  return event?.seq ?? 0;
}

describe('a patient who is merged or deleted while somebody orders', () => {
  it('is merged: the order belongs to the patient, or to the survivor if it came later', async () => {
    for (const _ of rounds) {
      const survivor = (await post(PATIENTS, JANE, doctor)).data<Patient>();
      const other = (await post(PATIENTS, JANE, doctor)).data<Patient>();
      const body = { patientId: other.id, testIds: [potassium.id] };
      const [merged, ordered] = await Promise.all([
        post(`${PATIENTS}/${other.id}/merge`, { intoId: survivor.id }, admin),
        post(ORDERS, body, doctor),
      ]);
      expect([merged.status, ordered.status]).toEqual([200, 201]);
      const { id, patientId } = ordered.data<ShownOrder>();
      const listed = await get(`${ORDERS}?patientId=${survivor.id}`);
      expect(listed.data<ShownOrder[]>().map((one) => one.id)).toEqual([id]);
      const [first, second] = await Promise.all([seqOf(id), seqOf(other.id)]);
      expect(patientId).toBe(first < second ? other.id : survivor.id);
    }
  });

  it('is deleted: either the order is refused, or the deletion', async () => {
    for (const _ of rounds) {
      const { id } = (await post(PATIENTS, JANE, doctor)).data<Patient>();
      const [deleted, ordered] = await Promise.all([
        hms.send('DELETE', `${PATIENTS}/${id}`, { token: admin }),
        post(ORDERS, { patientId: id, testIds: [potassium.id] }, doctor),
      ]);
      expect([deleted.status, ordered.status]).toEqual(deleted.status === 200 ? [200, 404] : [409, 201]);
    }
  });
});
