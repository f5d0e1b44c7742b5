/**
 * Slots of a month, and bookings, compared with a bare server: `twins.ts`. A clinic has 30 doctors, who work every day and
 * see 32 people. HMS_BENCH_APPOINTMENTS (100,000) take 28 of the 32 places of each day, from 60 days ago on.
 */
import { queueModule } from '../../services/queue/src/module.ts';
import type { Operation } from './recorder.ts';
import { benchTwins } from './twins.ts';

const APPOINTMENTS = Number(process.env.HMS_BENCH_APPOINTMENTS ?? 100_000);
const DOCTORS = 30;
const PATIENTS = 5_000;
const PLACES = 32;
const TAKEN = 28;
const MINUTES = 15;
const DAYS_BEFORE = 60;
/** The first day with bookings of the bench, in days from now: all places are free. */
const FREE_FROM = 90;
const BOOKINGS = 6_000;
const MONTH = 31;
/** Of test hospitals. It keeps one offset. */
const OFFSET = '+07:00';
const FIRST_HOUR = 8;

const id = (letter: string, of = 'n') => `('${letter}0000000-0000-4000-8000-' || lpad((${of})::text, 12, '0'))::uuid`;
const by = "'bench', 'bench'";
const place = `n / ${DOCTORS}`;
const startsAt = `(current_date - ${DAYS_BEFORE} + ${place} / ${TAKEN}) + time '${FIRST_HOUR}:00' + ${place} % ${TAKEN} * interval '${MINUTES} minutes'`;

const fill = [
  `
  INSERT INTO clinics (id, code, name, created_by, updated_by) VALUES (${id('c', '1')}, 'ENT', 'Clinic', ${by})`,
  `
  INSERT INTO employees (id, employee_code, first_name, last_name, email, roles, employed_from, status, created_by, updated_by)
  SELECT ${id('d')}, 'EMP-' || n, 'Ann' || n, 'Doe', 'ann' || n || '@example.com', '["DOCTOR"]', '2020-01-01', 'active', ${by}
  FROM generate_series(0, ${DOCTORS - 1}) n`,
  `
  INSERT INTO schedules (id, doctor_id, clinic_id, weekday, start_time, end_time, slot_minutes, capacity, valid_from, created_by, updated_by)
  SELECT gen_random_uuid(), ${id('d')}, ${id('c', '1')}, weekday, '0${FIRST_HOUR}:00', '${FIRST_HOUR + (PLACES * MINUTES) / 60}:00', ${MINUTES}, 1, '2020-01-01', ${by}
  FROM generate_series(0, ${DOCTORS - 1}) n, generate_series(1, 7) weekday`,
  `
  INSERT INTO patients (id, patient_code, family_id, first_name, last_name, phone, date_of_birth, created_by, updated_by)
  SELECT ${id('a')}, 'HSP-' || lpad(n::text, 6, '0'), ${id('f')}, 'Nora' || n, 'Quinn', '+62812' || (3000000 + n), '1990-05-17', ${by}
  FROM generate_series(0, ${PATIENTS - 1}) n`,
  `
  INSERT INTO families (id, family_code, name, primary_contact_id, payer_id, created_by, updated_by)
  SELECT ${id('f')}, 'FAM-' || lpad(n::text, 6, '0'), 'Quinn', ${id('a')}, ${id('a')}, ${by}
  FROM generate_series(0, ${PATIENTS - 1}) n`,
  `
  INSERT INTO family_members (id, family_id, patient_id, relation, created_by, updated_by)
  SELECT ${id('e')}, ${id('f')}, ${id('a')}, 'self', ${by} FROM generate_series(0, ${PATIENTS - 1}) n`,
  `
  INSERT INTO appointments (id, appointment_no, patient_id, doctor_id, clinic_id, starts_at, ends_at, seat, status, created_by, updated_by)
  SELECT ${id('b')}, 'APT-' || lpad(n::text, 6, '0'), ${id('a', `n % ${PATIENTS}`)}, ${id('d', `n % ${DOCTORS}`)}, ${id('c', '1')},
    begin, begin + interval '${MINUTES} minutes', 1, CASE WHEN begin < now() THEN 'completed' ELSE 'booked' END, ${by}
  FROM generate_series(1, ${APPOINTMENTS}) n, LATERAL (SELECT (${startsAt}) AT TIME ZONE '${OFFSET}'::interval AS begin) times`,
  `
  INSERT INTO counters (series, period, value) VALUES ('appointment', '', ${APPOINTMENTS})`,
];

/** Each with the next doctor, and then at the next time. */
const bookings = (first: number): Operation['requests'] =>
  Array.from({ length: BOOKINGS }, (_, index) => {
    const number = first + index;
    const time = Math.floor(number / DOCTORS);
    const day = new Date(Date.now() + (FREE_FROM + Math.floor(time / PLACES)) * 86_400_000).toISOString().slice(0, 10);
    const minutes = FIRST_HOUR * 60 + (time % PLACES) * MINUTES;
    const clock = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
    return {
      path: '/api/queue/appointments',
      body: {
        patientId: idOf('a', number % PATIENTS),
        doctorId: idOf('d', number % DOCTORS),
        startsAt: `${day}T${clock}:00${OFFSET}`,
      },
    };
  });

await benchTwins({
  ...{ module: 'queue', define: queueModule, roles: ['RECEPTION'] },
  ...{ filling: `${APPOINTMENTS} appointments`, fill },
  measurements: [
    {
      operation: {
        ...{ name: 'month', title: `a month of ${DOCTORS} doctors`, module: 'queue', method: 'GET' },
        requests: [{ path: `/api/queue/slots/days?clinicId=${idOf('c', 1)}&days=${MONTH}` }],
      },
      ...{ connections: 1, goal: 60 },
    },
    {
      operation: {
        ...{ name: 'slots', title: 'all slots of a month of a doctor', module: 'queue', method: 'GET' },
        requests: Array.from({ length: DOCTORS }, (_, number) => ({
          path: `/api/queue/slots?doctorId=${idOf('d', number)}&days=${MONTH}`,
        })),
      },
      ...{ connections: 1, goal: 60 },
    },
    {
      operation: {
        ...{ name: 'book', title: 'book an appointment', module: 'queue', method: 'POST' },
        requests: bookings(0),
      },
      fresh: bookings(BOOKINGS),
    },
  ],
});

/** The id that a record has in both hospitals, by its number. */
function idOf(letter: string, number: number): string {
  return `${letter}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
