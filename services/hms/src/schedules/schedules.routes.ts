import { BREAKS_APPOINTMENTS, breaks, unlessBroken } from '@hms/domain/appointments';
import { CLINIC_INACTIVE, CLINIC_NOT_FOUND } from '@hms/domain/clinics';
import { employees, NOT_A_DOCTOR } from '@hms/domain/employees';
import { ROOM_NOT_FOUND } from '@hms/domain/rooms';
import {
  changeSchedule,
  createSchedule,
  mondayOf,
  ROOM_OF_OTHER_CLINIC,
  readWeek,
  removeSchedule,
  SCHEDULE_BEGUN,
  SCHEDULE_ENDED,
  SCHEDULE_OVERLAP,
  scheduleChanges,
  schedules,
  week,
} from '@hms/domain/schedules';
import { fields, Problem, type Route, records, resource, route, type Work } from '@hms/service';
import { z } from 'zod';

const PATH = '/api/hms/schedules';
const errors = [
  ...[employees.notFound, CLINIC_NOT_FOUND, CLINIC_INACTIVE],
  ...[ROOM_NOT_FOUND, ROOM_OF_OTHER_CLINIC, SCHEDULE_OVERLAP],
];

const weekQuery = fields.exactlyOneOf(
  ['doctorId', 'clinicId'],
  z.object({
    doctorId: fields.id.optional().describe('The week of a doctor'),
    clinicId: fields.id.optional().describe('The week of a clinic'),
    from: fields.isoDate.optional().describe('The first of the seven days. Default: Monday of this week'),
  }),
);

export const scheduleRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${PATH}/week`,
    operationId: 'readWeek',
    summary: 'Who works where and when in seven days',
    description:
      'What follows from schedules and absences, in the time zone of the hospital. A doctor who is suspended or has no role DOCTOR any more does not work, nor does anybody in a clinic that is not in use.',
    access: 'schedules.read',
    query: weekQuery,
    response: week,
    errors: [employees.notFound, CLINIC_NOT_FOUND],
    handler: async (context) => {
      const { from, ...wanted } = context.query;
      return { data: await readWeek(context, wanted, from ?? mondayOf(context)) };
    },
  }),
  ...resource(schedules, {
    path: PATH,
    access: { read: 'schedules.read', write: 'schedules.write', remove: 'schedules.write' },
    create: { errors: [...errors, NOT_A_DOCTOR], run: createSchedule },
    update: {
      summary: 'Change a schedule from a day on',
      description:
        'What has been stays: a schedule by which somebody has worked ends on the day before `from`, and the response has another one that begins then. Only `validTo` changes the schedule itself.',
      body: scheduleChanges.extend({ breaks }).meta({ id: 'ScheduleChanges' }),
      errors: [...errors, SCHEDULE_ENDED, BREAKS_APPOINTMENTS],
      run: async (context, id, { breaks: accepted, ...changes }) =>
        unlessBroken(context, { doctorId: await doctorOf(context, id), accepted }, () =>
          changeSchedule(context, id, changes, context.version),
        ),
    },
    remove: {
      summary: 'Delete a schedule by which nobody has worked',
      query: { breaks },
      errors: [SCHEDULE_BEGUN, BREAKS_APPOINTMENTS],
      run: async (context, id, query) => {
        const accepted = query.breaks as string | undefined;
        return unlessBroken(context, { doctorId: await doctorOf(context, id), accepted }, () =>
          removeSchedule(context, id, context.version),
        );
      },
    },
  }),
];

async function doctorOf(work: Work, scheduleId: string): Promise<string> {
  const found = await records(work, schedules).find(scheduleId);
  if (!found) throw new Problem(schedules.notFound);
  return found.doctorId;
}
