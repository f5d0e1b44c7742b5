/** What the page of appointments reads. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { listQuery } from '../../../kit/lists/list-search.ts';

export type Appointment = Schemas['ShownAppointment'];
export type Slot = Schemas['Slot'];

export const appointmentKeys = {
  all: 'appointments',
  ofPatient: (id: string, page: number | undefined) => ['appointments', 'patient', id, page] as const,
};

/** The slots of a doctor on a day. @param visitTypeId of the visits. Undefined: as long as the schedules say */
export function slotsQuery(doctorId: string, date: string, visitTypeId: string | undefined) {
  const query = { doctorId, date, ...(visitTypeId === undefined ? {} : { visitTypeId }) };
  return queryOptions({
    queryKey: [appointmentKeys.all, 'slots', doctorId, date, visitTypeId],
    queryFn: ({ signal }) => dataOf(api.GET('/api/queue/slots', { params: { query }, signal })),
  });
}

/** The appointments of a doctor that begin in a period. A day of classes, or of many moves, has more than a page. */
export function periodQuery(doctorId: string, startsFrom: string, startsBefore: string) {
  return queryOptions({
    queryKey: [appointmentKeys.all, 'period', doctorId, startsFrom],
    queryFn: ({ signal }) => readAll({ doctorId, startsFrom, startsBefore }, signal),
  });
}

/** Whose calendar it is. */
export type Whose = { readonly doctorId: string } | { readonly clinicId: string };

interface Days {
  readonly first: string;
  readonly days: number;
  readonly visitTypeId: string | undefined;
  /** The same, as moments. */
  readonly from: string;
  readonly before: string;
}

/** The slots and all appointments of some days. */
export function everythingQuery(whose: Whose, { first, days, visitTypeId, from, before }: Days) {
  return queryOptions({
    queryKey: [appointmentKeys.all, 'calendar', whose, first, days, visitTypeId],
    queryFn: async ({ signal }) => {
      const [slots, appointments] = await Promise.all([
        dataOf(
          api.GET('/api/queue/slots', { params: { query: { ...whose, date: first, days, visitTypeId } }, signal }),
        ),
        readAll({ ...whose, startsFrom: from, startsBefore: before }, signal),
      ]);
      return { slots, appointments };
    },
  });
}

const PAGE = 100;

/** All pages of a list. */
async function readAll(
  filters: Whose & { readonly startsFrom: string; readonly startsBefore: string },
  signal: AbortSignal,
) {
  const read = (page: number) =>
    envelopeOf(api.GET('/api/queue/appointments', { params: { query: { ...filters, page, limit: PAGE } }, signal }));
  const { data, meta } = await read(1);
  const others = Array.from({ length: Math.ceil((meta?.total ?? 0) / PAGE) - 1 }, (_, index) => read(index + 2));
  return [...data, ...(await Promise.all(others)).flatMap((page) => page.data)];
}

/** One page of those of a patient, and of everybody who was merged into the patient, latest first. */
export function readOfPatient(patientId: string, page: number | undefined, signal: AbortSignal) {
  const query = { ...listQuery({ page }), patientId, sort: '-startsAt' };
  return envelopeOf(api.GET('/api/queue/appointments', { params: { query }, signal }));
}

/** Those of a doctor that no slot fits any more. */
export function brokenQuery(doctorId: string) {
  return queryOptions({
    queryKey: [appointmentKeys.all, 'broken', doctorId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/queue/appointments/broken', { params: { query: { doctorId } }, signal })),
  });
}
