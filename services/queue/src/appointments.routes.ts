/** Slots of doctors, and appointments. */
import * as domain from '@hms/domain/appointments';
import { appointments, showAppointment, shownAppointment } from '@hms/domain/appointments';
import { checkInAppointment } from '@hms/domain/check-in';
import { CLINIC_INACTIVE, CLINIC_NOT_FOUND } from '@hms/domain/clinics';
import { employees, NOT_A_DOCTOR } from '@hms/domain/employees';
import { PATIENT_NOT_FOUND } from '@hms/domain/patients';
import { ALREADY_IN_QUEUE, PRIORITIES, showEntry, shownEntry } from '@hms/domain/queue';
import { VISIT_TYPE_INACTIVE, VISIT_TYPE_NOT_FOUND } from '@hms/domain/visit-types';
import {
  fields,
  INVALID_STATE,
  type Route,
  records,
  resource,
  route,
  STALE_VERSION,
  stepsOf,
  today,
} from '@hms/service';
import { z } from 'zod';

const PATH = '/api/queue/appointments';
const PLACE_ERRORS = [
  ...[employees.notFound, NOT_A_DOCTOR],
  ...[domain.IN_THE_PAST, domain.TOO_FAR_AHEAD, domain.OUTSIDE_SCHEDULE, domain.SLOT_TAKEN],
];
const BOOKING_ERRORS = [PATIENT_NOT_FOUND, ...PLACE_ERRORS, domain.PATIENT_DOUBLE_BOOKED];
const TYPE_ERRORS = [VISIT_TYPE_NOT_FOUND, VISIT_TYPE_INACTIVE];

const bookedSeries = z
  .object({
    seriesId: z.uuid(),
    booked: z.array(shownAppointment),
    refused: z.array(domain.refusedTime).describe('Times that were left out'),
  })
  .meta({ id: 'BookedSeries' });
const checkIn = z
  .object({
    priority: z
      .int()
      .min(0)
      .max(PRIORITIES.length - 1)
      .default(0),
    note: fields.line(200).optional(),
    version: fields.version,
  })
  .meta({ id: 'CheckIn' });
const checkedIn = z.object({ appointment: shownAppointment, entry: shownEntry }).meta({ id: 'CheckedIn' });

const step = stepsOf(appointments, {
  ...{ path: PATH, access: 'appointments.write', response: shownAppointment },
  show: showAppointment,
});

export const appointmentRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/queue/slots',
    operationId: 'listSlots',
    summary: 'List the slots of doctors',
    description: `Of a doctor, for up to ${domain.MOST_DAYS} days, or of everybody in a clinic, for up to ${domain.MOST_DAYS_OF_CLINIC} days. They follow from the schedules, the absences and what is booked or held.`,
    access: 'appointments.read',
    query: domain.slotQuery,
    response: z.array(domain.shownSlot),
    errors: [employees.notFound, CLINIC_NOT_FOUND, VISIT_TYPE_NOT_FOUND],
    handler: async (context) => {
      const { date = today(context), days = 1, onlyFree, ...wanted } = context.query;
      return { data: await domain.readSlots(context, wanted, { first: date, days, onlyFree: onlyFree === 'true' }) };
    },
  }),
  route({
    method: 'GET',
    path: '/api/queue/slots/days',
    operationId: 'listSlotDays',
    summary: 'List the days on which doctors have free places',
    description: `Of a doctor, or of everybody in a clinic, for up to ${domain.MOST_DAYS} days: what a calendar of a month shows. A day on which a doctor does not work is left out.`,
    access: 'appointments.read',
    query: domain.slotDayQuery,
    response: z.array(domain.slotDay),
    errors: [employees.notFound, CLINIC_NOT_FOUND, VISIT_TYPE_NOT_FOUND],
    handler: async (context) => {
      const { date = today(context), days = domain.MOST_DAYS, ...wanted } = context.query;
      return { data: await domain.readSlotDays(context, wanted, { first: date, days }) };
    },
  }),
  route({
    method: 'GET',
    path: `${PATH}/broken`,
    operationId: 'listBrokenAppointments',
    summary: 'List appointments that no slot of their doctor fits any more',
    description: 'Since a schedule or an absence has changed. Reschedule or cancel them.',
    access: 'appointments.read',
    query: z.object({ doctorId: fields.id.optional() }),
    response: z.array(shownAppointment),
    handler: async (context) => ({ data: await domain.readBroken(context, context.query.doctorId) }),
  }),
  route({
    method: 'POST',
    path: `${PATH}/series`,
    operationId: 'createAppointmentSeries',
    summary: 'Book appointments that repeat',
    description:
      'Each some weeks after the one before, at the same time by the clock of the hospital. If one of the times is not possible, none is booked, and 409 `SERIES_REFUSED` names it. With `skipRefused`, the others are booked.',
    access: 'appointments.write',
    body: domain.newSeries,
    response: bookedSeries,
    status: 201,
    errors: [PATIENT_NOT_FOUND, employees.notFound, NOT_A_DOCTOR, ...TYPE_ERRORS, domain.SERIES_REFUSED],
    handler: async (context) => {
      const { seriesId, booked, refused } = await domain.bookSeries(context, context.body);
      return { data: { seriesId, booked: await domain.showAppointments(context, booked), refused: [...refused] } };
    },
  }),
  route({
    method: 'POST',
    path: `${PATH}/holds`,
    operationId: 'holdPlace',
    summary: 'Keep a place while you look for the patient',
    description:
      'For two minutes. Nobody else can book it meanwhile: they get 409 `SLOT_TAKEN` with `details.heldUntil`. What you book at this time takes the place. You hold one place at most: another one replaces it, and the same one is kept longer.',
    access: 'appointments.write',
    body: domain.newHold,
    response: domain.shownHold,
    status: 201,
    errors: [...PLACE_ERRORS, ...TYPE_ERRORS],
    handler: async (context) => ({ data: await domain.holdPlace(context, context.body) }),
  }),
  route({
    method: 'DELETE',
    path: `${PATH}/holds/:id`,
    operationId: 'giveBackPlace',
    summary: 'Give a place back that you hold',
    access: 'appointments.write',
    params: fields.idParams,
    response: domain.shownHold,
    errors: [domain.HOLD_NOT_FOUND],
    handler: async (context) => ({ data: await domain.giveBack(context, context.params.id) }),
  }),
  ...resource(appointments, {
    path: PATH,
    access: { read: 'appointments.read', write: 'appointments.write' },
    list: { response: shownAppointment, run: domain.listAppointments },
    read: { response: shownAppointment, run: domain.readAppointment },
    create: {
      summary: 'Book an appointment',
      description:
        'At the begin of a slot. Of several people who book the last place at the same time, one gets it, and the others get 409 `SLOT_TAKEN`.',
      body: domain.newAppointment,
      keyDemandable: true,
      response: shownAppointment,
      errors: [...BOOKING_ERRORS, ...TYPE_ERRORS],
      run: async (context, body) => showAppointment(context, await domain.book(context, body)),
    },
    update: {
      summary: 'Change what is written about an appointment',
      response: shownAppointment,
      run: async (context, id, changes) => {
        const own = records(context, appointments);
        return showAppointment(context, await own.update(await own.lock(id, context.version), changes));
      },
    },
  }),
  route({
    method: 'POST',
    path: `${PATH}/:id/cancel-following`,
    operationId: 'cancelFollowingAppointments',
    summary: 'Cancel an appointment of a series, and those after it',
    description: 'Those to which the patient has come stay as they are. The answer has those that are cancelled now.',
    access: 'appointments.write',
    params: fields.idParams,
    body: domain.appointmentCancellation,
    response: z.array(shownAppointment),
    errors: [appointments.notFound, STALE_VERSION, domain.NO_SERIES],
    handler: async (context) => {
      const cancelled = await domain.cancelFollowing(context, context.params.id, context.body);
      return { data: await domain.showAppointments(context, cancelled) };
    },
  }),
  step('confirm', {
    summary: 'Note that the patient will come',
    run: (context, id) => domain.confirm(context, id, context.version),
  }),
  step('cancel', {
    summary: 'Cancel an appointment',
    body: domain.appointmentCancellation,
    run: (context, id, body) => domain.cancelAppointment(context, id, body),
  }),
  step('no-show', {
    summary: 'Note that the patient has not come',
    run: (context, id) => domain.missAppointment(context, id, context.version),
  }),
  step('reschedule', {
    summary: 'Book another time in the place of an appointment',
    description: 'The answer is the new appointment.',
    body: domain.rescheduling,
    errors: BOOKING_ERRORS,
    run: (context, id, body) => domain.reschedule(context, id, body),
  }),
  route({
    method: 'POST',
    path: `${PATH}/:id/check-in`,
    operationId: 'checkInAppointment',
    summary: 'Give a token to somebody who has come to their appointment',
    description:
      'Whoever comes early waits until the appointment is near. From then on, they go before those who come without one.',
    access: 'appointments.write',
    params: fields.idParams,
    body: checkIn,
    response: checkedIn,
    errors: [
      ...[appointments.notFound, STALE_VERSION, INVALID_STATE, domain.NOT_TODAY],
      ...[domain.SLOT_TAKEN, domain.PATIENT_DOUBLE_BOOKED],
      ...[PATIENT_NOT_FOUND, CLINIC_NOT_FOUND, CLINIC_INACTIVE, ALREADY_IN_QUEUE],
    ],
    handler: async (context) => {
      const { appointment, entry } = await checkInAppointment(
        context,
        context.params.id,
        context.body,
        context.version,
      );
      return {
        data: {
          appointment: await showAppointment(context, appointment),
          entry: await showEntry(context, entry),
        },
      };
    },
  }),
];
