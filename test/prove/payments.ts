/** Cashiers who take money at the same time, also while processes of the module are killed. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ShownInvoice } from '@hms/domain/invoices';
import type { TestAnswer } from '@hms/service/testing';
import { broken, draft, INVOICES, issued, TOTAL } from './books.ts';
import { closeShift, openShift } from './cash-up.ts';
import { aPatient, type People } from './people.ts';
import { isDone, outcome, type Proof, repeated, succeeded, unexpected, unless } from './proof.ts';

const MANY = 100;
const CASHIERS = 8;
const QUEUED = Number(process.env.HMS_PROVE_INVOICES ?? 2_000);
/** Between a process that serves again and the next one that is killed, in ms. */
const LIFE = 4_000;
/** As many as there are. */
const PROCESSES = 2;

export const PAYMENT_SCENARIOS: readonly ((people: People) => Promise<Proof>)[] = [
  oneKey,
  withoutKey,
  twoIssue,
  issueAndVoid,
  killedProcesses,
];

const payments = (people: People, { id }: Pick<ShownInvoice, 'id'>) =>
  people.rows<{ amount: number; receipt_no: string }>(
    'SELECT amount::integer, receipt_no FROM @payments WHERE invoice_id = ?',
    [id],
  );

/** 100 payments with one key: a cashier's browser that sends again and again. */
async function oneKey(people: People): Promise<Proof> {
  const invoice = await issued(people, (await aPatient(people)).id);
  const headers = { 'Idempotency-Key': randomUUID() };
  const pay = async (): Promise<TestAnswer> => {
    for (;;) {
      const answer = await people.send('CASHIER', 'POST', `${INVOICES}/${invoice.id}/pay`, {}, '', headers);
      // Another one is under way: its answer is what this one wants.
      if (answer.error?.code !== 'IDEMPOTENCY_IN_PROGRESS') return answer;
      await delay(50);
    }
  };
  const answers = await Promise.all(Array.from({ length: MANY }, pay));
  const bodies = new Set(answers.map((answer) => JSON.stringify(answer.data())));
  return {
    scenario: `${MANY} payments with one key`,
    requests: answers.length,
    outcomes: answers.map(outcome),
    violations: [
      ...unless(succeeded(answers) === MANY, `${MANY - succeeded(answers)} repetitions were refused`),
      ...unless(bodies.size === 1, `there are ${bodies.size} different answers`),
      ...unless((await payments(people, invoice)).length === 1, 'there is not exactly one payment'),
      ...(await broken(people)),
    ],
  };
}

/** 100 payments without a key for one invoice. */
async function withoutKey(people: People): Promise<Proof> {
  const invoice = await issued(people, (await aPatient(people)).id);
  const answers = await Promise.all(
    Array.from({ length: MANY }, (_, n) =>
      people.send('CASHIER', 'POST', `${INVOICES}/${invoice.id}/pay`, {}, ` ${n % CASHIERS}`),
    ),
  );
  const paid = await payments(people, invoice);
  return {
    scenario: `${MANY} payments without a key for one invoice`,
    requests: answers.length,
    outcomes: answers.map(outcome),
    violations: [
      ...unless(succeeded(answers) === 1, `${succeeded(answers)} were told that they had paid`),
      ...unless(paid.length === 1 && paid[0]?.amount === TOTAL, `${paid.length} payments were taken`),
      ...unexpected(answers, ['INVOICE_NOT_PAYABLE']),
      ...(await broken(people)),
    ],
  };
}

/** Two cashiers issue one draft. */
async function twoIssue(people: People): Promise<Proof> {
  const { id: patientId } = await aPatient(people);
  return repeated('two cashiers issue one invoice', async () => {
    const { id } = await draft(people, patientId);
    const answers = await Promise.all(
      [' one', ' other'].map((who) => people.send('CASHIER', 'POST', `${INVOICES}/${id}/issue`, {}, who)),
    );
    const violations = [
      ...unless(succeeded(answers) === 1, `${succeeded(answers)} of two were accepted`),
      ...unexpected(answers, ['INVOICE_NOT_DRAFT']),
      ...(await broken(people)),
    ];
    return { answers, violations };
  });
}

/** One pays an issued invoice, or issues a draft, while another one makes it void. */
async function issueAndVoid(people: People): Promise<Proof> {
  const { id: patientId } = await aPatient(people);
  let round = 0;
  return repeated('issue and pay against void', async () => {
    round += 1;
    const isDraft = round % 2 === 0;
    const { id } = await (isDraft ? draft : issued)(people, patientId);
    const answers = await Promise.all([
      people.send('CASHIER', 'POST', `${INVOICES}/${id}/${isDraft ? 'issue' : 'pay'}`, {}, ' one'),
      people.send('CASHIER', 'POST', `${INVOICES}/${id}/void`, { reason: 'Wrong' }, ' other'),
    ]);
    const [forward, voided] = answers;
    const after = (await people.send('CASHIER', 'GET', `${INVOICES}/${id}`)).data<ShownInvoice>();
    const violations = [
      ...unless(
        isDone(voided) === (after.status === 'void'),
        `void answered ${outcome(voided as TestAnswer)}, and the invoice is ${after.status}`,
      ),
      ...unless(isDone(forward) || isDone(voided), 'nobody was accepted'),
      ...unless(isDraft || !(isDone(forward) && isDone(voided)), 'an invoice is paid and void'),
      ...unexpected(answers, ['INVOICE_NOT_DRAFT', 'INVOICE_NOT_PAYABLE', 'INVOICE_HAS_PAYMENTS', 'INVALID_STATE']),
      ...(await broken(people)),
    ];
    return { answers, violations };
  });
}

/** 8 cashiers pay 2,000 invoices, and one process of the module after the other is killed. */
async function killedProcesses(people: People): Promise<Proof> {
  const { id: patientId } = await aPatient(people);
  const waiting: ShownInvoice[] = [];
  while (waiting.length < QUEUED)
    waiting.push(...(await Promise.all(Array.from({ length: CASHIERS }, () => issued(people, patientId)))));
  const invoices = waiting.slice(0, QUEUED);
  const numbers = Array.from({ length: CASHIERS }, (_, number) => number);
  const shifts = await Promise.all(numbers.map((number) => openShift(people, ` ${number}`, `Counter ${number}`)));
  let isOver = false;
  let kills = 0;
  const killing = (async () => {
    while (!isOver) {
      await delay(LIFE);
      if (await people.kill('payment', kills % PROCESSES)) kills += 1;
    }
  })();
  const answers: TestAnswer[] = [];
  let unanswered = 0;
  const cashier = async (number: number) => {
    for (let at = number; at < invoices.length; at += CASHIERS) {
      const { id } = invoices[at] as ShownInvoice;
      const headers = { 'Idempotency-Key': id };
      for (;;) {
        const answer = await people
          .send('CASHIER', 'POST', `${INVOICES}/${id}/pay`, {}, ` ${number}`, headers)
          .catch(() => undefined);
        // Whoever gets no answer asks again with the same key, as the pages do.
        if (answer && answer.status < 500 && answer.error?.code !== 'IDEMPOTENCY_IN_PROGRESS') {
          answers.push(answer);
          break;
        }
        unanswered += 1;
        await delay(20);
      }
    }
  };
  await Promise.all(numbers.map(cashier));
  isOver = true;
  await killing;
  const differences = await Promise.all(
    shifts.map((shift, number) => {
      const own = invoices.filter((_, at) => at % CASHIERS === number).length;
      return closeShift(people, shift, own * TOTAL, ` ${number}`);
    }),
  );
  const [sums] = await people.rows<{ invoices: number; payments: number; amount: number }>(
    `SELECT count(DISTINCT invoice_id)::integer AS invoices, count(*)::integer AS payments, sum(amount)::bigint::integer AS amount
     FROM @payments WHERE invoice_id = ANY (?::uuid[])`,
    [invoices.map(({ id }) => id)],
  );
  return {
    scenario: `${CASHIERS} cashiers pay ${QUEUED} invoices while ${kills} processes are killed: ${unanswered} repetitions`,
    requests: answers.length,
    outcomes: answers.map(outcome),
    violations: [
      ...unless(succeeded(answers) === QUEUED, `${succeeded(answers)} of ${QUEUED} were told that they had paid`),
      ...unless(
        sums?.payments === QUEUED && sums.invoices === QUEUED,
        `${sums?.payments} payments of ${sums?.invoices} invoices`,
      ),
      ...unless(
        differences.every((difference) => difference === 0),
        `the shifts of the cashiers differ by ${differences.join()}`,
      ),
      ...unless(sums?.amount === QUEUED * TOTAL, `${sums?.amount} were taken`),
      ...(await broken(people)),
    ],
  };
}
