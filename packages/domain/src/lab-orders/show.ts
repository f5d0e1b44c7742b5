/** Orders as pages need them: with the patient, the doctor, the tests, the specimens and the current results. */
import { type DataReply, fields, listQuery, type RecordQuery, records, type Work } from '@hms/service';
import type { z } from 'zod';
import { employees } from '../employees/employees.ts';
import { nameOf, namesOfAccounts } from '../employees/people.ts';
import { testsById } from '../lab-tests/lab-tests.ts';
import { peopleById, samePerson } from '../patients/merges.ts';
import { isComplete } from './change.ts';
import { factsOf, type Parts, partsOf, type StoredResult, versionsOf } from './parts.ts';
import { patientIn } from './people.ts';
import { type LabOrder, labOrders, type ShownItem, type ShownOrder, type ShownResult } from './record.ts';
import { reportsOf } from './reports.ts';
import { itemState } from './state.ts';

const { patientIds: _, ...ownFilters } = labOrders.filters;

export const orderQuery = listQuery({
  sort: Object.keys(labOrders.sort),
  defaultSort: 'urgency,createdAt',
  hasSearch: true,
  filters: {
    ...Object.fromEntries(Object.entries(ownFilters).map(([name, { schema }]) => [name, schema])),
    patientId: fields.id,
  },
}) as z.ZodType<RecordQuery>;

/** One page. A filter by a patient also finds the orders of those who were merged with the patient. */
export async function listOrders(work: Work, query: RecordQuery): Promise<DataReply<ShownOrder[]>> {
  const { patientId, ...filters } = query.filters;
  const patientIds = typeof patientId === 'string' ? await samePerson(work, patientId) : undefined;
  const { data, meta } = await records(work, labOrders).list({ ...query, filters: { ...filters, patientIds } });
  const shown = await showOrders(work, data);
  // Their names are on the list.
  const ids = [...new Set(shown.map(({ patient }) => patient.id))];
  if (ids.length > 0) work.audit({ action: 'list', record: 'patients', details: { reason: 'lab orders', ids } });
  return { data: shown, ...(meta ? { meta } : {}) };
}

/** @throws Problem LAB_ORDER_NOT_FOUND. */
export async function readOrder(work: Work, id: string): Promise<ShownOrder> {
  return showOrder(work, await records(work, labOrders).read(id));
}

/** An order with every version of its results, to be rendered. Undefined if there is no report to make. */
export async function reportable(
  work: Work,
  { orderId, revision }: { readonly orderId: string; readonly revision: number },
): Promise<{ readonly order: ShownOrder; readonly versions: readonly ShownResult[] } | undefined> {
  const found = await records(work, labOrders).find(orderId);
  if (!found || found.revision !== revision || !isComplete(found)) return undefined;
  const [order, versions] = await Promise.all([showOrder(work, found), showVersions(work, orderId)]);
  return order.reports.some((report) => report.revision === revision) ? undefined : { order, versions };
}

/** Every version of every result, the oldest first. @throws Problem LAB_ORDER_NOT_FOUND. */
export async function readVersions(work: Work, id: string): Promise<ShownResult[]> {
  await records(work, labOrders).read(id);
  return showVersions(work, id);
}

async function showVersions(work: Work, id: string): Promise<ShownResult[]> {
  const versions = await versionsOf(work, id);
  const names = await namesOfAccounts(work, versions.flatMap(peopleIn));
  return versions.map((version) => showResult(version, names));
}

/** Orders in any order. The audit log has no event. */
export async function ordersById(work: Work, ids: readonly string[]): Promise<readonly ShownOrder[]> {
  return showOrders(work, await records(work, labOrders).byIds(ids));
}

export async function showOrder(work: Work, order: LabOrder): Promise<ShownOrder> {
  const [shown] = await showOrders(work, [order]);
  if (!shown) throw new Error('an order was not shown');
  return shown;
}

async function showOrders(work: Work, orders: readonly LabOrder[]): Promise<ShownOrder[]> {
  const ids = orders.map(({ id }) => id);
  const [parts, reports, people, doctors] = await Promise.all([
    partsOf(work, ids),
    reportsOf(work, ids),
    peopleById(
      work,
      orders.map(({ patientId }) => patientId),
    ),
    records(work, employees).byIds([...new Set(orders.flatMap(({ doctorId }) => doctorId ?? []))]),
  ]);
  const all = [...parts.values()];
  const [tests, names] = await Promise.all([
    testsById(
      work,
      all.flatMap(({ items }) => items.map(({ testId }) => testId)),
    ),
    namesOfAccounts(work, all.flatMap(peopleOf)),
  ]);
  return orders.map((order) => {
    const { items, specimens } = parts.get(order.id) ?? { items: [], specimens: [] };
    const doctor = doctors.find(({ id }) => id === order.doctorId);
    const { id, patientCode, firstName, lastName, dateOfBirth, gender } = patientIn(people, order.patientId);
    return {
      ...order,
      patient: { id, patientCode, firstName, lastName, dateOfBirth, gender },
      doctor: doctor ? { id: doctor.id, name: nameOf(doctor) } : null,
      items: items.map((item): ShownItem => {
        const test = tests.get(item.testId);
        if (!test) throw new Error(`there is no test ${item.testId}`);
        const { code, name, loinc } = item;
        const { valueType, unit, decimals, options, turnaroundMinutes } = test;
        const specimen = specimens.find((one) => one.id === item.specimenId);
        return {
          ...{ id: item.id, testId: item.testId, code, name, loinc, valueType, unit, decimals, options },
          ...{ panelId: item.panelId, specimenId: item.specimenId, status: itemState(factsOf(item), specimen) },
          cancelReason: item.cancelReason,
          dueAt: new Date(Date.parse(order.createdAt) + turnaroundMinutes * 60_000).toISOString(),
          result: item.result && showResult(item.result, names),
        };
      }),
      specimens: specimens.map((one) => ({
        ...{ id: one.id, accessionNo: one.accessionNo, type: one.type, status: one.status },
        ...{ collectedAt: one.collectedAt, collectedBy: named(one.collectedBy, names), receivedAt: one.receivedAt },
        ...{ rejectedAt: one.rejectedAt, rejectedBy: named(one.rejectedBy, names), rejectReason: one.rejectReason },
        replacesId: one.replacesId,
      })),
      reports: (reports.get(order.id) ?? []).map((report) => {
        return { ...report, isSuperseded: report.revision < order.revision };
      }),
    };
  });
}

function showResult(stored: StoredResult, names: ReadonlyMap<string, string>): ShownResult {
  const { isCorrection, enteredBy, verifiedBy, acknowledgedBy, ...rest } = stored;
  return {
    ...rest,
    status: isCorrection ? 'corrected' : rest.verifiedAt === null ? 'preliminary' : 'final',
    enteredBy: { id: enteredBy, name: names.get(enteredBy) ?? null },
    verifiedBy: named(verifiedBy, names),
    acknowledgedBy: named(acknowledgedBy, names),
  };
}

function named(id: string | null, names: ReadonlyMap<string, string>) {
  return id === null ? null : { id, name: names.get(id) ?? null };
}

function peopleOf({ items, specimens }: Parts): readonly string[] {
  return [
    ...items.flatMap(({ result }) => (result ? peopleIn(result) : [])),
    ...specimens.flatMap(({ collectedBy, rejectedBy }) => [collectedBy ?? [], rejectedBy ?? []].flat()),
  ];
}

function peopleIn({ enteredBy, verifiedBy, acknowledgedBy }: StoredResult): readonly string[] {
  return [enteredBy, verifiedBy, acknowledgedBy].flatMap((id) => id ?? []);
}
