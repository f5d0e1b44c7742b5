/** Appointment, and Schedule: the hours of a doctor on one day of the week. */
import { appointmentFeed, appointments, type Appointment as Booked, nameAppointments } from '@hms/domain/appointments';
import { clinics } from '@hms/domain/clinics';
import { employees } from '@hms/domain/employees';
import { samePerson } from '@hms/domain/patients';
import { type Schedule as Hours, hoursOf, scheduleFeed, schedules } from '@hms/domain/schedules';
import { records, type Work } from '@hms/service';
import {
  baseUrl,
  dateIn,
  HMS_FHIR,
  identifier,
  identifierIn,
  parentsOf,
  present,
  type ResourceType,
  reference,
  referenceIn,
  type StatusCodes,
  statusIn,
  systems,
} from '@hms/service/fhir';
import type { Appointment, AppointmentParticipant, Reference, Schedule } from 'fhir/r4.js';

const patient = referenceIn('patient', 'Patient', samePerson);
const same = async (_work: Work, id: string) => [id];

const STATUS = {
  system: 'http://hl7.org/fhir/appointmentstatus',
  codes: [
    ...(['proposed', 'pending', 'booked', 'arrived', 'fulfilled', 'cancelled', 'noshow'] as const),
    ...(['entered-in-error', 'checked-in', 'waitlist'] as const),
  ],
  shown: {
    offered: 'pending',
    booked: 'booked',
    confirmed: 'booked',
    checked_in: 'checked-in',
    in_consultation: 'arrived',
    completed: 'fulfilled',
    cancelled: 'cancelled',
    // The one in its place is another resource.
    rescheduled: 'cancelled',
    no_show: 'noshow',
  },
} as const satisfies StatusCodes<Booked['status'], Appointment['status']>;

export const appointmentType: ResourceType = {
  type: 'Appointment',
  access: 'appointments.read',
  sources: [
    {
      feed: appointmentFeed,
      show: async (work, rows) => {
        const all = await nameAppointments(work, await records(work, appointments).byIds(parentsOf(rows)));
        return new Map(all.map((one) => [one.id, showAppointment(one, work)]));
      },
    },
  ],
  parameters: {
    identifier: identifierIn('appointmentNo', systems.appointmentNumber),
    status: statusIn('status', STATUS),
    patient,
    practitioner: referenceIn('doctor', 'Practitioner', same),
    location: referenceIn('clinic', 'Location', same),
    date: dateIn('startsAt'),
  },
  audited: 'appointments',
};

export const scheduleType: ResourceType = {
  type: 'Schedule',
  access: 'schedules.read',
  sources: [
    {
      feed: scheduleFeed,
      show: async (work, rows) => {
        const all = await records(work, schedules).byIds(parentsOf(rows));
        const [doctors, places] = await Promise.all([
          records(work, employees).byIds([...new Set(all.map(({ doctorId }) => doctorId))]),
          records(work, clinics).byIds([...new Set(all.map(({ clinicId }) => clinicId))]),
        ]);
        const names = new Map([
          ...doctors.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`] as const),
          ...places.map(({ id, name }) => [id, name] as const),
        ]);
        return new Map(all.map((one) => [one.id, showSchedule(one, names, work)]));
      },
    },
  ],
  parameters: {
    actor: referenceIn('doctor', 'Practitioner', same),
    date: dateIn('validFrom', 'day'),
  },
};

type Shown = Awaited<ReturnType<typeof nameAppointments>>[number];

function showAppointment(one: Shown, work: Work): Appointment {
  const { status, patientId, patientName, doctorId, doctorName, clinicId, clinicName, roomId, roomName } = one;
  const isOpen = status === 'offered' || status === 'booked';
  return {
    resourceType: 'Appointment',
    id: one.id,
    identifier: [identifier(systems.appointmentNumber(work), one.appointmentNo)],
    status: STATUS.shown[status],
    start: one.startsAt,
    end: one.endsAt,
    created: one.createdAt,
    participant: [
      participant(elsewhere(work, 'Patient', patientId, patientName), isOpen ? 'needs-action' : 'accepted'),
      participant(elsewhere(work, 'Practitioner', doctorId, doctorName)),
      participant(elsewhere(work, 'Location', clinicId, clinicName)),
      ...(roomId === null ? [] : [participant(elsewhere(work, 'Location', roomId, roomName))]),
    ],
    ...present({
      description: one.reason,
      cancelationReason:
        STATUS.shown[status] === 'cancelled' && one.endReason !== null ? { text: one.endReason } : undefined,
    }),
  };
}

/** People and places belong to the module hms. FHIR resolves a relative reference on the same server, so it is absolute. */
function elsewhere(work: Work, type: string, id: string, display?: string | null): Reference {
  return reference(`${baseUrl(work, HMS_FHIR)}/${type}`, id, display);
}

function participant(actor: Reference, status: AppointmentParticipant['status'] = 'accepted'): AppointmentParticipant {
  return { actor, status };
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function showSchedule(schedule: Hours, names: ReadonlyMap<string, string>, work: Work): Schedule {
  const { id, doctorId, clinicId, roomId } = schedule;
  const { weekday, startTime, endTime, slotMinutes, validFrom, validTo } = hoursOf(schedule);
  return {
    resourceType: 'Schedule',
    id,
    active: true,
    actor: [
      elsewhere(work, 'Practitioner', doctorId, names.get(doctorId)),
      elsewhere(work, 'Location', clinicId, names.get(clinicId)),
      ...(roomId ? [elsewhere(work, 'Location', roomId)] : []),
    ],
    planningHorizon: { start: validFrom, ...present({ end: validTo }) },
    comment: `${WEEKDAYS[weekday - 1]} ${startTime} to ${endTime}, ${slotMinutes} minutes each`,
  };
}
