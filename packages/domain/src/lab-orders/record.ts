/** The declarations of orders, specimens and results, and how they are shown. */
import { build } from '@hms/database';
import { fields, itemWith, type Precision, record } from '@hms/service';
import type { Knex } from 'knex';
import { z } from 'zod';
import { issuedFile } from '../issued-files/issued-files.ts';
import { range } from '../lab-tests/ranges.ts';
import { testsOfDepartment } from '../lab-tests/record.ts';
import { FLAGS, UNFLAGGED } from '../lab-tests/values.ts';
import { gender } from '../patients/clinical.ts';
import { peopleMatching } from '../patients/record.ts';

const PRIORITIES = ['stat', 'urgent', 'routine'] as const;
/** What an order waits for, with the column that counts it. */
export const TODOS = {
  collect: 'to_collect',
  receive: 'to_receive',
  result: 'to_result',
  verify: 'to_verify',
  acknowledge: 'to_acknowledge',
} as const;
export type Todo = keyof typeof TODOS;

const count = (what: string) => z.int().min(0).describe(what);
const time = (what: string) => fields.instant.nullable().describe(what);
const isCritical = z
  .boolean()
  .describe('Whether it is an option that is critical, or a number that is, or may be, beyond a critical limit');

export const labOrders = record('lab_orders', {
  name: 'lab order',
  code: { field: 'orderNo', series: 'lab_order', letters: 'LAB' },
  fields: {
    priority: z.enum(PRIORITIES).default('routine'),
    clinicalNote: fields.line(500).nullish().describe('What the laboratory should know, such as the question'),
  },
  set: {
    patientId: fields.id,
    patientName: fields.line(201).describe('What the patient was called at the time of the order'),
    doctorId: fields.id
      .nullable()
      .describe('The employee who orders. Null: an account without an employee has ordered'),
    urgency: z.int().describe('0 for stat, 1 for urgent, 2 for routine: what lists are sorted by'),
    toCollect: count('Specimens to be collected'),
    toReceive: count('Specimens to be received by the laboratory'),
    toResult: count('Results to be entered, of specimens that are collected'),
    toVerify: count('Results to be verified'),
    toAcknowledge: count('Critical results to be acknowledged by a doctor'),
    escalation: z
      .int()
      .describe(
        'How far a critical result has climbed that nobody acknowledges: 1 to the doctor who ordered it, 2 to all doctors of the department',
      ),
    isOpen: z.boolean().describe('Whether anything is left to do'),
    revision: z.int().describe('Goes up with each amendment. There is one report for each revision'),
    collectedAt: time('When the last specimen was collected'),
    receivedAt: time('When the laboratory received the first specimen'),
    resultedAt: time('When every test had a result'),
    verifiedAt: time('When every result was first verified'),
    reportedAt: time('When the first report was issued'),
    amendedAt: time('When a verified result was last amended'),
    cancelledAt: time('When the last test was cancelled'),
    cancelReason: fields.line(200).nullable().describe('Why the last test was cancelled, of a cancelled order'),
  },
  states: {
    ordered: ['collected', 'in_progress', 'resulted', 'verified', 'amended', 'cancelled'],
    collected: ['ordered', 'in_progress', 'resulted', 'cancelled'],
    in_progress: ['ordered', 'collected', 'resulted', 'verified', 'amended', 'cancelled'],
    resulted: ['ordered', 'collected', 'in_progress', 'verified', 'amended'],
    verified: ['amended'],
    amended: [],
    cancelled: [],
  },
  sort: ['urgency', 'orderNo'],
  defaultSort: 'urgency,createdAt',
  filters: ['orderNo', 'status', 'priority', 'doctorId', 'isOpen'],
  moreFilters: {
    patientIds: {
      schema: z.array(fields.id),
      where: (rows, value) => void rows.whereIn('patient_id', value as readonly string[]),
    },
    todo: {
      schema: z.enum(Object.keys(TODOS) as Todo[]),
      where: (rows, value) => void rows.where(TODOS[value as Todo], '>', 0),
    },
    testId: { schema: fields.id, where: (rows, value) => void rows.whereIn('id', withTests([value as string])) },
    departmentId: {
      schema: fields.id,
      where: (rows, value) => void rows.whereIn('id', withTests(testsOfDepartment(value as string))),
    },
  },
  search: { also: ordersMatching },
  auditReads: true,
  patient: 'patientId',
  live: true,
});
export type LabOrder = z.output<typeof labOrders.item>;

export const labSpecimens = record('lab_specimens', {
  name: 'lab specimen',
  code: { field: 'accessionNo', series: 'lab_specimen', letters: 'S' },
  fields: {},
  set: {
    orderId: fields.id,
    patientId: fields.id,
    type: fields.line(40),
    collectedAt: fields.instant.nullable(),
    collectedBy: z.string().nullable().describe('Id of the account'),
    receivedAt: fields.instant.nullable(),
    rejectedAt: fields.instant.nullable(),
    rejectedBy: z.string().nullable().describe('Id of the account'),
    rejectReason: fields.line(200).nullable(),
    replacesId: fields.id.nullable().describe('The rejected specimen in place of which it is collected'),
  },
  states: {
    expected: ['collected', 'cancelled'],
    collected: ['received', 'rejected', 'cancelled'],
    received: ['rejected', 'cancelled'],
    rejected: [],
    cancelled: [],
  },
  patient: 'patientId',
});
export type LabSpecimen = z.output<typeof labSpecimens.item>;

export const rangeOfResult = range
  .extend({
    subject: z.object({
      sex: z.enum(['female', 'male']).nullable(),
      ageDays: z.int().nullable().describe('In days of the calendar of the hospital'),
      ageHours: z.int().nullable().describe('Whole hours since birth. Null unless the age counted in hours'),
    }),
  })
  .meta({ id: 'LabRangeOfResult' })
  .nullable()
  .describe('The range as it was, and the sex and the age at collection by which it was chosen');

/** One version of a result. Its rows never change. */
export const labResults = record('lab_results', {
  name: 'lab result',
  fields: {},
  set: {
    orderId: fields.id,
    itemId: fields.id,
    patientId: fields.id,
    specimenId: fields.id,
    number: z.int().describe('Of the version, from 1'),
    value: z.string().describe('A number as a text, perhaps with a comparator, a text, or the code of an option'),
    unit: z.string().nullable(),
    flag: z.enum(FLAGS).nullable().describe('Null if `unflagged` says why'),
    unflagged: z.enum(UNFLAGGED).nullable(),
    isCritical,
    range: rangeOfResult,
    isCorrection: z.boolean().describe('Whether it amends a verified result'),
    reason: z.string().nullable().describe('Why a verified result was amended'),
    source: z.enum(['manual', 'analyser']),
    measuredAt: fields.instant.nullable().describe('By the clock of the analyser'),
    enteredBy: z.string().describe('Id of the account, also of whoever has sent the file of an analyser'),
    note: z.string().nullable(),
    supersedesId: fields.id.nullable().describe('The former version'),
  },
  patient: 'patientId',
});
export type LabResult = z.output<typeof labResults.item>;

const person = z
  .object({ id: z.string().describe('Id of the account'), name: z.string().nullable() })
  .meta({ id: 'LabPerson' });

/** A result with what became of it. */
export const shownResult = z
  .object({
    id: z.uuid(),
    itemId: z.uuid(),
    number: z.int().describe('Of the version, from 1'),
    status: z.enum(['preliminary', 'final', 'corrected']).describe('`corrected` amends a final result'),
    value: z.string(),
    unit: z.string().nullable(),
    flag: z.enum(FLAGS).nullable(),
    unflagged: z.enum(UNFLAGGED).nullable().describe('Why there is no flag'),
    isCritical,
    range: rangeOfResult,
    reason: z.string().nullable().describe('Why a verified result was amended'),
    note: z.string().nullable(),
    source: z.enum(['manual', 'analyser']),
    measuredAt: fields.timestamp.nullable(),
    enteredBy: person,
    enteredAt: fields.timestamp,
    verifiedBy: person.nullable(),
    verifiedAt: fields.timestamp.nullable(),
    acknowledgedBy: person.nullable(),
    acknowledgedAt: fields.timestamp.nullable(),
    supersedesId: z.uuid().nullable(),
  })
  .meta({ id: 'LabResult' });
export type ShownResult = z.output<typeof shownResult>;

const ITEM_STATES = ['ordered', 'collected', 'in_progress', 'resulted', 'verified', 'amended', 'cancelled'] as const;

const shownItem = z
  .object({
    id: z.uuid(),
    testId: z.uuid(),
    code: z.string(),
    name: z.string(),
    loinc: z.string().nullable(),
    valueType: z.enum(['numeric', 'text', 'coded']),
    unit: z.string().nullable(),
    decimals: z.int().nullable(),
    options: z.array(z.object({ code: z.string(), name: z.string(), meaning: z.string() })).nullable(),
    panelId: z.uuid().nullable(),
    specimenId: z.uuid(),
    status: z.enum(ITEM_STATES),
    cancelReason: z.string().nullable().describe('Why this test was cancelled'),
    dueAt: fields.timestamp.describe('By when the verified result is expected'),
    result: shownResult.nullable().describe('The current version'),
  })
  .meta({ id: 'LabOrderItem' });
export type ShownItem = z.output<typeof shownItem>;

const shownSpecimen = z
  .object({
    id: z.uuid(),
    accessionNo: z.string(),
    type: z.string(),
    status: z.enum(['expected', 'collected', 'received', 'rejected', 'cancelled']),
    collectedAt: fields.timestamp.nullable(),
    collectedBy: person.nullable(),
    receivedAt: fields.timestamp.nullable(),
    rejectedAt: fields.timestamp.nullable(),
    rejectedBy: person.nullable(),
    rejectReason: z.string().nullable(),
    replacesId: z.uuid().nullable(),
  })
  .meta({ id: 'LabSpecimen' });

const shownReport = issuedFile
  .extend({ isSuperseded: z.boolean().describe('Whether a result on it was amended since') })
  .meta({ id: 'LabReport' });

/** An order as a page needs it. */
export const shownOrder = itemWith(labOrders, {
  patient: z
    .object({
      id: z.uuid().describe('The patient, or the one with whom the patient was merged'),
      patientCode: z.string(),
      firstName: z.string().nullable(),
      lastName: z.string().nullable(),
      dateOfBirth: fields.timestamp.nullable(),
      gender: gender.nullable(),
    })
    .meta({ id: 'LabPatient' }),
  doctor: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  items: z.array(shownItem),
  specimens: z.array(shownSpecimen),
  reports: z.array(shownReport),
}).meta({ id: 'LabOrderDetail' });
export type ShownOrder = z.output<typeof shownOrder>;

function withTests(tests: readonly string[] | Knex.QueryBuilder): Knex.QueryBuilder {
  return build
    .from('lab_order_items')
    .select('order_id')
    .whereIn('test_id', tests as readonly string[]);
}

/** Orders that a search finds by the patient, or by the whole number of a specimen. */
function ordersMatching(text: string, precision: Precision): Knex.QueryBuilder {
  const ofPatients: Knex.QueryBuilder = build
    .from('lab_orders')
    .select('id')
    .whereIn('patient_id', peopleMatching(text, precision));
  return ofPatients.union(build.from('lab_specimens').select('order_id').where('accession_no', accessionNoIn(text)));
}

/** As scanned or typed. */
export function accessionNoIn(text: string): string {
  return text.trim().toUpperCase();
}
