/**
 * People who wait for a time that suits them better than those that are free: the table `waiting_list`.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the patient, the doctor, the type of visit, the
 * appointment, the entry.
 */
import { build } from '@hms/database';
import {
  type DataReply,
  type FieldProblem,
  invalidFields,
  type RecordQuery,
  records,
  today,
  type Work,
} from '@hms/service';
import type { z } from 'zod';
import { appointments } from '../appointments/record.ts';
import { clinics, useClinic } from '../clinics/clinics.ts';
import { employees, holdDoctor } from '../employees/employees.ts';
import { nameOf } from '../employees/people.ts';
import { holdSurvivor, peopleById } from '../patients/merges.ts';
import { patientNameOf } from '../patients/names.ts';
import { inZone } from '../schedules/times.ts';
import { keepVisitType, useVisitType, visitTypes } from '../visit-types/visit-types.ts';
import { type newWaitingEntry, OPEN, type ShownWaitingEntry, type WaitingEntry, waitingList } from './record.ts';

export * from './offers.ts';
export * from './record.ts';

/**
 * @throws Problem PATIENT_NOT_FOUND, EMPLOYEE_NOT_FOUND, NOT_A_DOCTOR, CLINIC_NOT_FOUND, CLINIC_INACTIVE,
 * VISIT_TYPE_NOT_FOUND, VISIT_TYPE_INACTIVE, VALIDATION_FAILED
 */
export async function addToWaitingList(work: Work, body: z.output<typeof newWaitingEntry>): Promise<WaitingEntry> {
  demandSense(work, body);
  const { id: patientId } = await holdSurvivor(work, body.patientId);
  await holdWished(work, body);
  return records(work, waitingList).insert({ ...body, patientId });
}

/** @throws Problem WAITING_LIST_ENTRY_NOT_FOUND, and those of `addToWaitingList` */
export async function changeWaitingEntry(
  work: Work,
  id: string,
  changes: z.output<typeof waitingList.changes>,
  version: number | undefined,
): Promise<WaitingEntry> {
  const own = records(work, waitingList);
  const found = await own.read(id);
  const wishes = { ...found, ...changes };
  demandSense(work, wishes);
  await holdWished(work, wishes, found);
  const before = await own.lock(id, version);
  // Somebody has changed what was not sent.
  if (before.version !== found.version) demandSense(work, { ...before, ...changes });
  return own.update(before, changes);
}

/** What may be left out may also be empty. */
type Wishes = {
  readonly [Field in 'doctorId' | 'clinicId' | 'visitTypeId' | 'fromDate' | 'untilDate' | 'fromTime' | 'untilTime']?:
    | string
    | null
    | undefined;
};

/** @param former what stays as it is may be out of use. */
async function holdWished(work: Work, { doctorId, clinicId, visitTypeId }: Wishes, former: Wishes = {}): Promise<void> {
  if (doctorId && doctorId !== former.doctorId) await holdDoctor(work, doctorId);
  if (clinicId && clinicId !== former.clinicId) await useClinic(work, clinicId);
  if (!visitTypeId) return;
  const hold = visitTypeId === former.visitTypeId ? keepVisitType : useVisitType;
  const { clinicId: of } = await hold(work, visitTypeId);
  if (!clinicId || of === null || of === clinicId) return;
  throw invalidFields([{ field: 'visitTypeId', in: 'body', message: 'must be a type of visit of this clinic' }]);
}

/** @throws Problem VALIDATION_FAILED, which names what no time can suit. */
function demandSense(work: Work, wishes: Wishes): void {
  const { doctorId, clinicId, fromTime, untilTime } = wishes;
  // What is stored is shown as midnight.
  const [fromDate, untilDate] = [wishes.fromDate?.slice(0, 10), wishes.untilDate?.slice(0, 10)];
  const wrong = (field: string, message: string): FieldProblem => ({ field, in: 'body', message });
  const problems = [
    ...(doctorId || clinicId ? [] : [wrong('doctorId', 'is required without clinicId')]),
    ...(untilDate && untilDate < (fromDate ?? today(work))
      ? [wrong('untilDate', fromDate ? 'must not be before fromDate' : 'must not be over')]
      : []),
    ...(fromTime && untilTime && untilTime <= fromTime ? [wrong('untilTime', 'must be after fromTime')] : []),
  ];
  if (problems.length > 0) throw invalidFields(problems);
}

/** One page. */
export async function listWaiting(work: Work, query: RecordQuery): Promise<DataReply<ShownWaitingEntry[]>> {
  const { data, ...reply } = await records(work, waitingList).list(query);
  return { ...reply, data: await showWaiting(work, data) };
}

/** @throws Problem WAITING_LIST_ENTRY_NOT_FOUND */
export async function readWaitingEntry(work: Work, id: string): Promise<ShownWaitingEntry> {
  return showWaitingEntry(work, await records(work, waitingList).read(id));
}

export async function showWaitingEntry(work: Work, entry: WaitingEntry): Promise<ShownWaitingEntry> {
  const [shown] = await showWaiting(work, [entry]);
  if (!shown) throw new Error('an entry of the waiting list was not shown');
  return shown;
}

async function showWaiting(work: Work, all: readonly WaitingEntry[]): Promise<ShownWaitingEntry[]> {
  const ids = (of: (one: WaitingEntry) => string | null) => [...new Set(all.flatMap((one) => of(one) ?? []))];
  const [people, offers] = await Promise.all([
    peopleById(
      work,
      ids(({ patientId }) => patientId),
    ),
    records(work, appointments).byIds(
      ids(({ status, appointmentId }) => (status === 'offered' ? appointmentId : null)),
    ),
  ]);
  const doctorIds = [...ids(({ doctorId }) => doctorId), ...offers.map(({ doctorId }) => doctorId)];
  const [doctors, places, types] = await Promise.all([
    records(work, employees).byIds([...new Set(doctorIds)]),
    records(work, clinics).byIds(ids(({ clinicId }) => clinicId)),
    records(work, visitTypes).byIds(ids(({ visitTypeId }) => visitTypeId)),
  ]);
  // Their names and numbers are shown.
  const shown = [...new Set([...people.values()].map(({ id }) => id))];
  if (shown.length > 0)
    work.audit({ action: 'list', record: 'patients', details: { reason: 'waiting list', ids: shown } });
  const { timezone } = work.hospital;
  const doctorOf = (wanted: string | null) => doctors.find(({ id }) => id === wanted);
  return all.map((entry) => {
    const patient = people.get(entry.patientId);
    const doctor = doctorOf(entry.doctorId);
    const offered = offers.find(({ id }) => id === entry.appointmentId);
    const offering = doctorOf(offered?.doctorId ?? null);
    return {
      ...entry,
      patientCode: patient?.patientCode ?? '',
      patientName: patient ? patientNameOf(patient) : '',
      patientPhone: patient?.phone ?? null,
      doctorName: doctor ? nameOf(doctor) : null,
      clinicName: places.find(({ id }) => id === entry.clinicId)?.name ?? null,
      visitTypeName: types.find(({ id }) => id === entry.visitTypeId)?.name ?? null,
      offer: offered
        ? {
            startsAt: inZone(Date.parse(offered.startsAt), timezone),
            doctorName: offering ? nameOf(offering) : '',
            expiresAt: inZone(Date.parse(offered.offerExpiresAt ?? offered.startsAt), timezone),
          }
        : null,
    };
  });
}

/** What keeps a locked patient from being deleted. */
export async function openWaitingEntries(
  work: Work,
  patientIds: readonly string[],
): Promise<readonly { readonly record: 'waiting_list'; readonly id: string; readonly name: string }[]> {
  const rows = build
    .from('waiting_list')
    .whereIn('patient_id', patientIds)
    .whereIn('status', OPEN)
    .whereNull('deleted_at');
  const found = await work.trx.run<{ id: string }>(rows.orderBy('id').select('id'));
  const open = await records(work, waitingList).byIds(found.map(({ id }) => id));
  const shown = await showWaiting(work, open);
  return shown.map(({ id, doctorName, clinicName }) => ({
    ...{ record: 'waiting_list', id },
    name: [doctorName, clinicName].filter((part) => part !== null).join(', '),
  }));
}

/** Whether somebody waits for a clinic. */
export async function isWaitedFor({ trx }: Work, clinicId: string): Promise<boolean> {
  const rows = build.from('waiting_list').where('clinic_id', clinicId).whereIn('status', OPEN).whereNull('deleted_at');
  return (await trx.run(rows.select('id').limit(1))).length > 0;
}
