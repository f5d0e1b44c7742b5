/** Every step of the pharmacy from every state: what is allowed, and that a refusal changes nothing. */
import { randomUUID } from 'node:crypto';
import type { Batch } from '@hms/domain/stock';
import { hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import {
  aBatch,
  aDrug,
  aPatient,
  aPrescription,
  colleague,
  type Dispensed,
  day,
  dispense,
  dispensed,
  doctor,
  get,
  hms,
  line,
  mary,
  outcome,
  type Prescribed,
  pharmacist,
  post,
  send,
  usePharmacy,
} from './testing.ts';

usePharmacy();

type Answer = Awaited<ReturnType<typeof send>>;
const REASON = { reason: 'Any' };

/** Sends each request to a record of its own, and compares what a refusal leaves. */
async function outcomesOf<Made>(
  arrive: () => Promise<Made>,
  actions: Readonly<Record<string, (made: Made) => Promise<Answer>>>,
  read: (made: Made) => Promise<unknown>,
): Promise<Readonly<Record<string, number | string>>> {
  const found: Record<string, number | string> = {};
  for (const [name, act] of Object.entries(actions)) {
    const made = await arrive();
    const before = await read(made);
    const answer = await act(made);
    found[name] = outcome(answer);
    if (answer.status >= 400) expect([name, await read(made)]).toEqual([name, before]);
  }
  return found;
}

describe('a batch', () => {
  const step = (name: string, body: object) => (batch: Batch) => post(`stock-batches/${batch.id}/${name}`, body);
  const ACTIONS = {
    receive: step('receive', { quantity: 1 }),
    adjust: step('adjust', { quantity: -1, ...REASON }),
    transfer: step('transfer', { quantity: 1, location: 'Ward 3' }),
    discard: step('discard', { quantity: 1, ...REASON }),
    quarantine: step('quarantine', REASON),
    release: step('release', REASON),
    recall: step('recall', REASON),
    correct: ({ id }: Batch) => send('PUT', `stock-batches/${id}`, pharmacist, { location: 'Store' }),
  };
  const STATE = 'INVALID_STATE';
  const [RECALLED, RETURNED] = ['BATCH_RECALLED', 'BATCH_RETURNED'];
  const after = (...names: readonly (keyof typeof ACTIONS)[]) => {
    return async () => {
      const batch = await aBatch(await aDrug(), 10);
      for (const name of names) expect((await ACTIONS[name](batch)).status).toBe(200);
      return batch;
    };
  };
  const expired = async () => {
    const batch = await aBatch(await aDrug(), 10);
    const { schema } = hospitalNames(mary.hospital.prefix);
    await hms
      .operator(`${schema}.stock_batches`)
      .where({ id: batch.id })
      .update({ expires_on: day(-1) });
    return batch;
  };
  /** What a patient has brought back. */
  const returned = async () => {
    const drug = await aDrug();
    await aBatch(drug, 10);
    const done = await dispensed(await aPrescription(await aPatient(), [line(drug, 3)]));
    await post(`dispenses/${done.id}/return`, { lines: [{ lineId: done.lines[0]?.id, quantity: 2 }], ...REASON });
    const all = (await get(`stock-batches?drugId=${drug.id}`)).data<Batch[]>();
    return all.find(({ returnedFromId }) => returnedFromId !== null) as Batch;
  };
  const ANY = { receive: 200, adjust: 200, transfer: 200, discard: 200, recall: 200, correct: 200 };

  it.each([
    ['active', after(), { ...ANY, quarantine: 200, release: STATE }],
    ['quarantined', after('quarantine'), { ...ANY, quarantine: STATE, release: 200 }],
    ['released', after('quarantine', 'release'), { ...ANY, quarantine: 200, release: STATE }],
    ['expired', expired, { ...ANY, quarantine: 200, release: STATE, receive: 'EXPIRY_IN_PAST' }],
    [
      'recalled',
      after('recall'),
      {
        ...{ receive: RECALLED, adjust: RECALLED, transfer: RECALLED, correct: RECALLED, discard: 200 },
        ...{ quarantine: STATE, release: STATE, recall: STATE },
      },
    ],
    [
      'returned',
      returned,
      {
        ...{ receive: RETURNED, adjust: RETURNED, transfer: RETURNED, correct: RETURNED, discard: 200 },
        ...{ quarantine: STATE, release: 200, recall: 200 },
      },
    ],
  ])('that is %s takes only its own steps', async (_, arrive, expected) => {
    const read = async ({ id }: Batch) => [
      (await get(`stock-batches/${id}`)).data(),
      (await get(`stock-batches/${id}/movements`)).data(),
    ];
    expect(await outcomesOf(arrive, ACTIONS, read)).toEqual(expected);
  });
});

describe('a count', () => {
  interface Counted {
    readonly id: string;
    readonly batch: Batch;
  }
  const path = ({ id }: Counted, name = '') => `stock-counts/${id}${name}`;
  const ACTIONS = {
    record: (one: Counted) =>
      send('PUT', path(one, '/lines'), pharmacist, { lines: [{ batchId: one.batch.id, counted: 9 }] }),
    note: (one: Counted) => send('PUT', path(one), pharmacist, { note: 'Shelf 3' }),
    submit: (one: Counted) => post(path(one, '/submit')),
    approve: (one: Counted) => post(path(one, '/approve'), {}, colleague),
    reject: (one: Counted) => post(path(one, '/reject'), REASON, colleague),
  };
  const after = (...names: readonly (keyof typeof ACTIONS)[]) => {
    return async () => {
      const batch = await aBatch(await aDrug(), 10);
      const one = { id: (await post('stock-counts')).data<{ id: string }>().id, batch };
      for (const name of names) expect((await ACTIONS[name](one)).status).toBe(200);
      return one;
    };
  };
  const STATE = 'INVALID_STATE';
  const OVER = { record: STATE, submit: STATE, approve: STATE, reject: STATE };
  it.each([
    ['empty', after(), { record: 200, submit: 'COUNT_EMPTY', approve: STATE, reject: STATE }],
    ['open', after('record'), { record: 200, submit: 200, approve: STATE, reject: STATE }],
    ['submitted', after('record', 'submit'), { record: STATE, submit: STATE, approve: 200, reject: 200 }],
    ['approved', after('record', 'submit', 'approve'), OVER],
    ['rejected', after('record', 'submit', 'reject'), OVER],
  ])('that is %s takes only its own steps', async (_, arrive, expected) => {
    const { note: __, ...actions } = ACTIONS;
    const read = async (one: Counted) => [
      (await get(path(one))).data(),
      (await get(path(one, '/lines'))).data(),
      (await get(`stock-batches/${one.batch.id}`)).data(),
    ];
    expect(await outcomesOf(arrive, actions, read)).toEqual(expected);
  });

  it('is approved by somebody else than who counted or submitted it', async () => {
    const one = await after('record', 'submit')();
    expect(outcome(await post(path(one, '/approve')))).toBe('SAME_PERSON_APPROVAL');
  });
});

describe('a prescription', () => {
  interface Made extends Prescribed {
    readonly dispenses: readonly Dispensed[];
  }
  const ACTIONS = {
    change: ({ id }: Made) => send('PUT', `prescriptions/${id}`, doctor, { notes: 'Call the ward' }),
    cancel: ({ id }: Made) => post(`prescriptions/${id}/cancel`, REASON, doctor),
    propose: ({ id }: Made) => post(`prescriptions/${id}/proposal`),
    part: (made: Made) => dispense(made, { items: [{ itemId: made.items[0]?.id, quantity: 2 }] }),
    rest: (made: Made) => dispense(made),
  };
  const after = (...names: readonly (keyof typeof ACTIONS)[]) => {
    return async (): Promise<Made> => {
      const drug = await aDrug();
      await aBatch(drug, 20);
      const made = { ...(await aPrescription(await aPatient(), [line(drug, 6)])), dispenses: [] as Dispensed[] };
      for (const name of names) {
        const answer = await ACTIONS[name](made);
        expect(answer.status).toBeLessThan(300);
        if (name === 'part' || name === 'rest') made.dispenses.push(answer.data<Dispensed>());
      }
      return made;
    };
  };
  const overdue = async () => {
    const made = await after()();
    const { schema } = hospitalNames(mary.hospital.prefix);
    await hms
      .operator(`${schema}.prescriptions`)
      .where({ id: made.id })
      .update({ valid_until: day(-1) });
    return made;
  };
  const [STATE, LATE] = ['INVALID_STATE', 'PRESCRIPTION_EXPIRED'];
  const OPEN = { change: 200, cancel: 200, propose: 200, part: 201, rest: 201 };
  const OVER = { change: 200, cancel: STATE, propose: STATE, part: STATE, rest: STATE };
  it.each([
    ['active', after(), OPEN],
    ['partially_dispensed', after('part'), OPEN],
    ['dispensed', after('rest'), OVER],
    ['dispensed in two parts', after('part', 'rest'), OVER],
    ['cancelled', after('cancel'), OVER],
    ['cancelled after a part', after('part', 'cancel'), OVER],
    ['overdue', overdue, { change: 200, cancel: 200, propose: LATE, part: LATE, rest: LATE }],
  ])('that is %s takes only its own steps', async (_, arrive, expected) => {
    const read = async ({ id, items }: Made) => {
      const { pdf: __, ...shown } = (await get(`prescriptions/${id}`)).data<{ readonly pdf: unknown }>();
      return [shown, (await get(`stock-batches?drugId=${items[0]?.drugId}`)).data()];
    };
    expect(await outcomesOf(arrive, ACTIONS, read)).toEqual(expected);
  });

  const back = (quantity: number) => (made: Made) => {
    const [given] = made.dispenses;
    const lines = [{ lineId: given?.lines[0]?.id, quantity }];
    return post(`dispenses/${given?.id}/return`, { lines, ...REASON });
  };
  it('is returned in parts, and never more than was dispensed', async () => {
    const made = await after('rest')();
    const read = async () => (await get(`dispenses/${made.dispenses[0]?.id}`)).data<Dispensed>().status;
    expect([await read(), outcome(await back(7)(made)), await read()]).toEqual([
      ...['completed', 'RETURN_EXCEEDS_DISPENSED', 'completed'],
    ]);
    expect([outcome(await back(2)(made)), await read()]).toEqual([200, 'partially_returned']);
    expect([outcome(await back(4)(made)), await read()]).toEqual([200, 'returned']);
    expect([outcome(await back(1)(made)), await read()]).toEqual(['RETURN_EXCEEDS_DISPENSED', 'returned']);
  });
});

it('each step says that the record was changed meanwhile, and changes nothing', async () => {
  const drug = await aDrug();
  const batch = await aBatch(drug, 10);
  const prescription = await aPrescription(await aPatient(), [line(drug, 4)]);
  const done = await dispensed(prescription, { items: [{ itemId: prescription.items[0]?.id, quantity: 2 }] });
  const count = (await post('stock-counts')).data<{ id: string }>();
  const body = { version: 999, quantity: 1, location: 'Ward 3', ...REASON };
  const lines = [{ lineId: done.lines[0]?.id, quantity: 1 }];
  const read = async () =>
    Promise.all(
      [`drugs/${drug.id}`, `stock-batches/${batch.id}`, `dispenses/${done.id}`, `stock-counts/${count.id}`].map(
        async (path) => (await get(path)).data(),
      ),
    );
  const before = await read();
  const requests: readonly (readonly [string, Promise<Answer>])[] = [
    ...['receive', 'adjust', 'transfer', 'discard', 'quarantine', 'recall'].map(
      (name) => [name, post(`stock-batches/${batch.id}/${name}`, body)] as const,
    ),
    ['correct', send('PUT', `stock-batches/${batch.id}`, pharmacist, { version: 999, location: 'Store' })],
    ['drug', send('PUT', `drugs/${drug.id}`, pharmacist, { version: 999, name: 'Other' })],
    ['deactivate', post(`drugs/${drug.id}/deactivate`, { version: 999 })],
    ['cancel', post(`prescriptions/${prescription.id}/cancel`, { version: 999, ...REASON }, doctor)],
    ['dispense', dispense(prescription, { version: 999 })],
    ['return', post(`dispenses/${done.id}/return`, { version: 999, lines, ...REASON })],
    [
      'record',
      send('PUT', `stock-counts/${count.id}/lines`, pharmacist, {
        version: 999,
        lines: [{ batchId: batch.id, counted: 1 }],
      }),
    ],
    ['submit', post(`stock-counts/${count.id}/submit`, { version: 999 })],
  ];
  for (const [name, answer] of requests) expect([name, outcome(await answer)]).toEqual([name, 'STALE_VERSION']);
  expect(await read()).toEqual(before);
});

it('an item, a substitute and a line that are of nothing here are refused by name', async () => {
  const [drug, other] = [await aDrug(), await aDrug()];
  await aBatch(drug, 10);
  const prescription = await aPrescription(await aPatient(), [line(drug, 4, { maySubstitute: false })]);
  const itemId = prescription.items[0]?.id;
  const give = (items: readonly object[]) => dispense(prescription, { items }).then(outcome);
  expect(await give([{ itemId: randomUUID() }])).toBe('PRESCRIPTION_ITEM_NOT_FOUND');
  expect(await give([{ itemId, quantity: 5 }])).toBe('PRESCRIPTION_EXHAUSTED');
  expect(await give([{ itemId, substitute: { drugId: other.id, reason: 'None' } }])).toBe('SUBSTITUTION_NOT_ALLOWED');
  expect(await give([{ itemId, substitute: { drugId: randomUUID(), reason: 'None' } }])).toBe('DRUG_NOT_FOUND');
});
