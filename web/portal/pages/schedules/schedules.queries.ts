/** What the pages of working hours read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';

export type Schedule = Schemas['Schedule'];
export type Absence = Schemas['Absence'];
export type Doctor = Schemas['Employee'];

export const scheduleKeys = { all: 'schedules', absences: 'absences' };

/** Whose week it is: a doctor's, or that of everybody in a clinic. */
export type Whose = { readonly doctorId: string } | { readonly clinicId: string };

export function weekQuery(whose: Whose, from: string) {
  return queryOptions({
    queryKey: [scheduleKeys.all, 'week', whose, from],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/hms/schedules/week', { params: { query: { ...whose, from } }, signal })),
  });
}

/** The hours of a doctor that hold today or later. */
export function hoursQuery(doctorId: string, today: string) {
  return queryOptions({
    queryKey: [scheduleKeys.all, 'of', doctorId, today],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/hms/schedules', { params: { query: { doctorId, since: today, limit: 100 } }, signal })),
  });
}

export function scheduleQuery(id: string) {
  return queryOptions({
    queryKey: [scheduleKeys.all, id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/schedules/{id}', { params: { path: { id } }, signal })),
    // A change needs the version of now.
    staleTime: 0,
  });
}

/** Those that have not ended. */
export function absencesQuery(doctorId: string) {
  return queryOptions({
    queryKey: [scheduleKeys.absences, doctorId],
    queryFn: ({ signal }) => {
      const query = { doctorId, since: new Date().toISOString(), limit: 100 };
      return dataOf(api.GET('/api/hms/absences', { params: { query }, signal }));
    },
  });
}

/** For a choice, by name. Nobody plans for who has left. */
export function doctorsQuery() {
  return queryOptions({
    queryKey: ['employees', 'doctors'],
    queryFn: async ({ signal }) => {
      const query = { role: 'DOCTOR', sort: 'lastName', limit: 100 };
      const found = await dataOf(api.GET('/api/hms/employees', { params: { query }, signal }));
      return found.filter(({ status }) => status !== 'terminated');
    },
  });
}

export function roomsQuery(clinicId: string) {
  return queryOptions({
    queryKey: ['rooms', 'of', clinicId],
    enabled: clinicId !== '',
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/rooms', { params: { query: { clinicId, limit: 100 } }, signal })),
  });
}
