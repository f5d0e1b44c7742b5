/** What people do at the same time, what must come of it, and what did. */
import type { ShownOrder } from '@hms/domain/lab-orders';
import type { Patient } from '@hms/domain/patients';
import type { ShownDispense } from '@hms/domain/prescriptions';
import type { Batch } from '@hms/domain/stock';
import type { TestAnswer } from '@hms/service/testing';
import { APPOINTMENT_SCENARIOS } from './appointments.ts';
import { CASH_UP_SCENARIOS } from './cash-up.ts';
import { FRONT_DESK_SCENARIOS } from './front-desk.ts';
import { MEMBERSHIP_SCENARIOS } from './memberships.ts';
import { PAYMENT_SCENARIOS } from './payments.ts';
import { aPatient, labTest, newPatient, type People, prescription, resulted, resultIds, stocked } from './people.ts';
import { isDone, MANY, numbered, outcome, type Proof, repeated, succeeded, unexpected, unless } from './proof.ts';
import { QUEUE_SCENARIOS } from './queue.ts';

export const SCENARIOS: readonly ((people: People) => Promise<Proof>)[] = [
  dispensers,
  creations,
  orders,
  amendments,
  verificationsAndAmendments,
  cancellationsAndCollections,
  mergesAndCreations,
  recallsAndDispenses,
  countsAndDispenses,
  returns,
  ...MEMBERSHIP_SCENARIOS,
  ...FRONT_DESK_SCENARIOS,
  ...QUEUE_SCENARIOS,
  ...APPOINTMENT_SCENARIOS,
  ...CASH_UP_SCENARIOS,
  ...PAYMENT_SCENARIOS,
];

/** 64 pharmacists and 50 units. */
async function dispensers(people: People): Promise<Proof> {
  const { drug, batch } = await stocked(people, 50);
  const patients = await Promise.all(Array.from({ length: 64 }, () => aPatient(people)));
  const prescribed = await Promise.all(patients.map((patient) => prescription(people, patient, drug)));
  const answers = await Promise.all(
    prescribed.map(({ id }, n) => people.send('PHARMACIST', 'POST', `prescriptions/${id}/dispense`, {}, ` ${n}`)),
  );
  const [stock] = await people.rows<{ on_hand: number; ledger: number; given: number }>(
    `SELECT on_hand, (SELECT sum(quantity) FROM @stock_movements WHERE batch_id = batch.id)::integer AS ledger,
       (SELECT sum(quantity) FROM @dispense_lines WHERE batch_id = batch.id)::integer AS given
     FROM @stock_batches batch WHERE id = ?`,
    [batch.id],
  );
  return {
    scenario: '64 dispensers of one unit, 50 units in stock',
    requests: answers.length,
    outcomes: answers.map(outcome),
    violations: [
      ...unless(stock?.on_hand === 0, `${stock?.on_hand} units are left`),
      ...unless(stock?.ledger === stock?.on_hand, `the ledger has ${stock?.ledger}, the stock ${stock?.on_hand}`),
      ...unless(stock?.given === 50, `${stock?.given} units were given`),
      ...unless(succeeded(answers) === 50, `${succeeded(answers)} were told that they got one`),
      ...unexpected(answers, ['INSUFFICIENT_STOCK']),
    ],
  };
}

/** 500 patients at once. */
async function creations(people: People): Promise<Proof> {
  const before = await people.rows<{ value: number }>("SELECT value::integer FROM @counters WHERE series = 'patient'");
  const answers = await Promise.all(
    Array.from({ length: MANY }, () => people.send('DOCTOR', 'POST', 'patients', newPatient())),
  );
  const codes = answers.filter(isDone).map((answer) => answer.data<Patient>().patientCode);
  return numbered('500 patients created at once', answers, codes, before[0]?.value ?? 0);
}

/** 500 orders of the laboratory at once. */
async function orders(people: People): Promise<Proof> {
  const [test, patient] = [await labTest(people), await aPatient(people)];
  const answers = await Promise.all(
    Array.from({ length: MANY }, () =>
      people.send('DOCTOR', 'POST', 'lab-orders', { patientId: patient.id, testIds: [test.id] }),
    ),
  );
  const numbers = answers
    .filter(isDone)
    .flatMap((answer) => answer.data<ShownOrder>().specimens.map((one) => one.accessionNo));
  return numbered('500 orders of the laboratory at once: accession numbers', answers, numbers, 0);
}

/** Two people amend one verified result. */
async function amendments(people: People): Promise<Proof> {
  const test = await labTest(people);
  return repeated('two people amend one result', async () => {
    const order = await verified(people, test);
    const answers = await Promise.all([amend(people, order, '5', ' one'), amend(people, order, '6', ' other')]);
    const versions = await versionsOf(people, order);
    const violations = [
      ...unless(succeeded(answers) === 1, `${succeeded(answers)} of two amendments were accepted`),
      ...unless(versions === 2, `there are ${versions} versions`),
      ...unexpected(answers, ['LAB_RESULT_CHANGED']),
    ];
    return { answers, violations };
  });
}

/** One verifies an amendment while another amends it again. */
async function verificationsAndAmendments(people: People): Promise<Proof> {
  const test = await labTest(people);
  return repeated('verify against amend', async () => {
    const first = (await amend(people, await verified(people, test), '5', ' one')).data<ShownOrder>();
    const body = { resultIds: resultIds(first) };
    const answers = await Promise.all([
      people.send('LAB_TECH', 'POST', `lab-orders/${first.id}/verify`, body, ' who verifies'),
      amend(people, first, '6', ' other'),
    ]);
    const [verify, amended] = answers;
    const { items } = (await people.send('LAB_TECH', 'GET', `lab-orders/${first.id}`)).data<ShownOrder>();
    const result = items[0]?.result;
    const expected = isDone(amended) ? ['6', false] : ['5', isDone(verify)];
    const observed = [result?.value, result?.verifiedAt !== null];
    const violations = [
      ...unless(observed.join() === expected.join(), `the result is ${observed}, and should be ${expected}`),
      ...unless(isDone(verify) || isDone(amended), 'nobody was accepted'),
      ...unexpected(answers, ['LAB_RESULT_CHANGED']),
    ];
    return { answers, violations };
  });
}

/** A doctor cancels an order while its specimen is collected. */
async function cancellationsAndCollections(people: People): Promise<Proof> {
  const [test, patient] = [await labTest(people), await aPatient(people)];
  return repeated('cancel against collect', async () => {
    const body = { patientId: patient.id, testIds: [test.id] };
    const { id } = await people.do<ShownOrder>('DOCTOR', 'lab-orders', body);
    const answers = await Promise.all([
      people.send('DOCTOR', 'POST', `lab-orders/${id}/cancel`, { reason: 'Ordered twice' }),
      people.send('LAB_TECH', 'POST', `lab-orders/${id}/collect`),
    ]);
    const order = (await people.send('LAB_TECH', 'GET', `lab-orders/${id}`)).data<ShownOrder>();
    const left = [order.status, order.isOpen, ...order.specimens.map(({ status }) => status)];
    const [charged] = await people.rows<{ count: number }>(
      `SELECT count(*)::integer AS count FROM @charges charge JOIN @lab_order_items item ON item.id = charge.source_id
       WHERE item.order_id = ? AND charge.status <> 'cancelled'`,
      [id],
    );
    const violations = [
      ...unless(left.join() === 'cancelled,false,cancelled', `the order is ${left}`),
      ...unless(charged?.count === 0, `${charged?.count} charges are left`),
      ...unless(isDone(answers[0]), 'the cancellation was refused'),
      ...unexpected(answers, ['INVALID_STATE']),
    ];
    return { answers, violations };
  });
}

/** A patient is merged while another doctor prescribes and orders for them. */
async function mergesAndCreations(people: People): Promise<Proof> {
  const [{ drug }, test] = [await stocked(people, 1), await labTest(people)];
  return repeated('merge against create', async () => {
    const [survivor, merged] = [await aPatient(people), await aPatient(people)];
    const answers = await Promise.all([
      people.send('ADMIN', 'POST', `patients/${merged.id}/merge`, { intoId: survivor.id }),
      people.send('DOCTOR', 'POST', 'prescriptions', {
        patientId: merged.id,
        items: [{ drugId: drug.id, dose: 1, timesPerDay: 1, durationDays: 1 }],
      }),
      people.send('DOCTOR', 'POST', 'lab-orders', { patientId: merged.id, testIds: [test.id] }),
    ]);
    // Events get their numbers while the patient is locked, so these say which of the two came first.
    const late = await people.rows(
      `SELECT record.id FROM (
         SELECT id, patient_id FROM @prescriptions UNION ALL SELECT id, patient_id FROM @lab_orders
       ) record
       JOIN @audit_events created ON created.record_id = record.id AND created.action = 'create'
         AND created.record IN ('prescriptions', 'lab_orders')
       JOIN @audit_events merge ON merge.record_id = record.patient_id AND merge.action = 'transition'
       WHERE record.patient_id = ? AND created.seq > merge.seq`,
      [merged.id],
    );
    const violations = [
      ...unless(late.length === 0, 'a record that is newer than the merge belongs to the merged patient'),
      ...unless(succeeded(answers) === answers.length, 'a request was refused'),
    ];
    return { answers, violations };
  });
}

/** A batch is recalled while eight pharmacists dispense from it. */
async function recallsAndDispenses(people: People): Promise<Proof> {
  return repeated('recall against eight dispensers', async () => {
    const { drug, batch } = await stocked(people, 100);
    const patients = await Promise.all(Array.from({ length: 8 }, () => aPatient(people)));
    const prescribed = await Promise.all(patients.map((patient) => prescription(people, patient, drug)));
    const dispenses = prescribed.map(({ id }, n) =>
      people.send('PHARMACIST', 'POST', `prescriptions/${id}/dispense`, {}, ` ${n}`),
    );
    const recall = people.send('PHARMACIST', 'POST', `stock-batches/${batch.id}/recall`, { reason: 'Contaminated' });
    const answers = await Promise.all([recall, ...dispenses]);
    const given = succeeded(answers.slice(1));
    const listed = await people.send('PHARMACIST', 'GET', `stock-batches/${batch.id}/recipients?limit=100`);
    const after = (await people.send('PHARMACIST', 'GET', `stock-batches/${batch.id}`)).data<Batch>();
    const violations = [
      ...unless(after.status === 'recalled', `the batch is ${after.status}`),
      ...unless(listed.meta?.total === given, `${given} got a unit, and ${listed.meta?.total} are in the list`),
      ...unless(after.onHand === 100 - given, `${after.onHand} units are left after ${given} were given`),
      ...unexpected(answers, ['INSUFFICIENT_STOCK']),
    ];
    return { answers, violations };
  });
}

/** A count is approved while eight pharmacists dispense. It found two units more than there were. */
async function countsAndDispenses(people: People): Promise<Proof> {
  return repeated('count against eight dispensers', async () => {
    const { drug, batch } = await stocked(people, 100);
    const patients = await Promise.all(Array.from({ length: 8 }, () => aPatient(people)));
    const prescribed = await Promise.all(patients.map((patient) => prescription(people, patient, drug)));
    const { id } = await people.do<{ readonly id: string }>('PHARMACIST', 'stock-counts', {});
    const dispenses = prescribed.map(({ id: of }, n) =>
      people.send('PHARMACIST', 'POST', `prescriptions/${of}/dispense`, {}, ` ${n}`),
    );
    const count = async () => {
      // What is there when it is counted may be less by what was given, which the count must not add again.
      const lines = [{ batchId: batch.id, counted: 102 }];
      const answers = [await people.send('PHARMACIST', 'PUT', `stock-counts/${id}/lines`, { lines })];
      answers.push(await people.send('PHARMACIST', 'POST', `stock-counts/${id}/submit`, {}));
      answers.push(await people.send('PHARMACIST', 'POST', `stock-counts/${id}/approve`, {}, ' who approves'));
      return answers;
    };
    const [counted, given] = await Promise.all([count(), Promise.all(dispenses)]);
    const [stock] = await people.rows<{ on_hand: number; ledger: number; given: number; found: number }>(
      `SELECT on_hand, (SELECT sum(quantity) FROM @stock_movements WHERE batch_id = batch.id)::integer AS ledger,
         (SELECT coalesce(-sum(quantity), 0) FROM @stock_movements WHERE batch_id = batch.id AND kind = 'dispensed')::integer AS given,
         (SELECT coalesce(sum(quantity), 0) FROM @stock_movements WHERE batch_id = batch.id AND kind = 'counted')::integer AS found
       FROM @stock_batches batch WHERE id = ?`,
      [batch.id],
    );
    const answers = [...counted, ...given];
    const violations = [
      ...unless(succeeded(answers) === answers.length, 'a request was refused'),
      ...unless(stock?.given === 8, `${stock?.given} units were given to 8 people`),
      ...unless(stock?.on_hand === stock?.ledger, `the ledger has ${stock?.ledger}, the stock ${stock?.on_hand}`),
      ...unless(
        stock?.on_hand === 100 - 8 + (stock?.found ?? 0),
        `${stock?.on_hand} units after ${stock?.found} were found`,
      ),
      ...unless((stock?.found ?? 0) >= 2 && (stock?.found ?? 0) <= 10, `the count corrected by ${stock?.found}`),
    ];
    return { answers, violations };
  });
}

/** Two pharmacists take back the one unit that a patient got. */
async function returns(people: People): Promise<Proof> {
  return repeated('one unit returned to two pharmacists', async () => {
    const { drug, batch } = await stocked(people, 1);
    const prescribed = await prescription(people, await aPatient(people), drug);
    const dispense = await people.do<ShownDispense>('PHARMACIST', `prescriptions/${prescribed.id}/dispense`, {});
    const body = { lines: [{ lineId: dispense.lines[0]?.id, quantity: 1 }], reason: 'Not tolerated' };
    const answers = await Promise.all(
      ['', ' at the next counter'].map((who) =>
        people.send('PHARMACIST', 'POST', `dispenses/${dispense.id}/return`, body, who),
      ),
    );
    const parts = await people.rows<{ on_hand: number; status: string }>(
      'SELECT on_hand, status FROM @stock_batches WHERE id = ? OR returned_from_id = ? ORDER BY status',
      [batch.id, batch.id],
    );
    const kept = JSON.stringify(parts.map(({ status, on_hand }) => [status, on_hand]));
    const violations = [
      ...unless(succeeded(answers) === 1, `${succeeded(answers)} took it back`),
      ...unless(kept === '[["active",0],["quarantined",1]]', `the batch has ${kept}`),
      ...unexpected(answers, ['RETURN_EXCEEDS_DISPENSED']),
    ];
    return { answers, violations };
  });
}

type LabTest = Awaited<ReturnType<typeof labTest>>;

async function verified(people: People, test: LabTest): Promise<ShownOrder> {
  const order = await resulted(people, test);
  return people.do('LAB_TECH', `lab-orders/${order.id}/verify`, { resultIds: resultIds(order) }, ' who verifies');
}

function amend(people: People, order: ShownOrder, value: string, who: string): Promise<TestAnswer> {
  const body = { resultId: resultIds(order)[0], value, reason: `It is ${value}` };
  return people.send('LAB_TECH', 'POST', `lab-orders/${order.id}/amend`, body, who);
}

async function versionsOf(people: People, { id }: ShownOrder): Promise<number> {
  return (await people.rows('SELECT id FROM @lab_results WHERE order_id = ?', [id])).length;
}
