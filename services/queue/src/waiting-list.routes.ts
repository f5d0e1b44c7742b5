/** The waiting list, and the answers to what is offered to its people. */
import * as appointments from '@hms/domain/appointments';
import { CLINIC_INACTIVE, CLINIC_NOT_FOUND } from '@hms/domain/clinics';
import { employees, NOT_A_DOCTOR } from '@hms/domain/employees';
import { PATIENT_NOT_FOUND } from '@hms/domain/patients';
import { VISIT_TYPE_INACTIVE, VISIT_TYPE_NOT_FOUND } from '@hms/domain/visit-types';
import * as domain from '@hms/domain/waiting-list';
import { type Route, resource, STALE_VERSION, stepsOf } from '@hms/service';

const PATH = '/api/queue/waiting-list';
const WISHES = [
  ...[employees.notFound, NOT_A_DOCTOR, CLINIC_NOT_FOUND, CLINIC_INACTIVE],
  ...[VISIT_TYPE_NOT_FOUND, VISIT_TYPE_INACTIVE, domain.ALREADY_ON_WAITING_LIST],
];

const step = stepsOf(domain.waitingList, {
  ...{ path: PATH, access: 'appointments.write', response: domain.shownWaitingEntry },
  show: domain.showWaitingEntry,
});
const answer = stepsOf(appointments.appointments, {
  ...{ path: '/api/queue/appointments', access: 'appointments.write', response: appointments.shownAppointment },
  show: appointments.showAppointment,
});

export const waitingListRoutes: readonly Route[] = [
  ...resource(domain.waitingList, {
    path: PATH,
    access: { read: 'appointments.read', write: 'appointments.write' },
    list: { response: domain.shownWaitingEntry, run: domain.listWaiting },
    read: { response: domain.shownWaitingEntry, run: domain.readWaitingEntry },
    create: {
      summary: 'Add somebody to the waiting list',
      description: 'A time that becomes free, and suits, is offered to them.',
      body: domain.newWaitingEntry,
      response: domain.shownWaitingEntry,
      errors: [PATIENT_NOT_FOUND, ...WISHES],
      run: async (context, body) => domain.showWaitingEntry(context, await domain.addToWaitingList(context, body)),
    },
    update: {
      summary: 'Change what somebody of the waiting list wants',
      response: domain.shownWaitingEntry,
      errors: WISHES,
      run: async (context, id, changes) =>
        domain.showWaitingEntry(context, await domain.changeWaitingEntry(context, id, changes, context.version)),
    },
  }),
  step('book', {
    summary: 'Book a time for somebody of the waiting list',
    body: domain.bookingOfEntry,
    errors: [
      ...[PATIENT_NOT_FOUND, employees.notFound, NOT_A_DOCTOR],
      ...[appointments.IN_THE_PAST, appointments.TOO_FAR_AHEAD, appointments.OUTSIDE_SCHEDULE],
      ...[appointments.SLOT_TAKEN, appointments.PATIENT_DOUBLE_BOOKED],
    ],
    run: (context, id, body) => domain.bookForEntry(context, id, body),
  }),
  step('withdraw', {
    summary: 'Take somebody off the waiting list',
    description: 'A time that is kept for them is offered to the next one.',
    body: domain.withdrawal,
    errors: [STALE_VERSION],
    run: (context, id, body) => domain.withdraw(context, id, body),
  }),
  answer('accept', {
    summary: 'Book a time that was offered to somebody of the waiting list',
    run: (context, id) => domain.acceptOffer(context, id, context.version),
  }),
  answer('decline', {
    summary: 'Note that somebody of the waiting list does not want the time',
    description: 'They stay on the list. The time is offered to the next one.',
    run: (context, id) => domain.declineOffer(context, id, context.version),
  }),
];
