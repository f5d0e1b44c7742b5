/** The FHIR facade of appointments: resources, parameters, paging, refusals and the audit log. */
import { cancelAppointment } from '@hms/domain/appointments';
import type { FhirAnswer } from '@hms/service/fhir/testing';
import { createTestHospital } from '@hms/service/testing';
import { describe, expect, it } from '@jest/globals';
import type { Bundle, CapabilityStatement, FhirResource, OperationOutcome, Slot } from 'fhir/r4.js';
import { at, day, mary, queue, within } from '../testing.ts';
import { busy, fhir, found, ids, TYPES, useBusyHospital } from './testing.ts';

useBusyHospital();

describe('what is served', () => {
  it('is what the metadata say', async () => {
    const { body } = await fhir<CapabilityStatement>('metadata');
    expect(body.implementation?.url).toBe(`${mary.hospital.portal}/api/queue/fhir/R4`);
    const [server] = body.rest ?? [];
    expect(server?.resource?.map(({ type }) => type)).toEqual([...TYPES, 'Slot']);
  });

  it('is an appointment with its people and its place, which another server has', async () => {
    const { appointment, doctor, clinic, roomId, patientId } = busy;
    const other = `${mary.hospital.portal}/api/hms/fhir/R4`;
    expect((await fhir(`Appointment/${appointment.id}`)).body).toMatchObject({
      status: 'booked',
      description: 'Cough',
      participant: [
        { actor: { reference: `${other}/Patient/${patientId}` }, status: 'needs-action' },
        {
          actor: { reference: `${other}/Practitioner/${doctor.id}`, display: 'Gregory House' },
          status: 'accepted',
        },
        { actor: { reference: `${other}/Location/${clinic.id}`, display: 'Ear, nose and throat' } },
        { actor: { reference: `${other}/Location/${roomId}`, display: 'Room 1' } },
      ],
    });
    await within((work) => cancelAppointment(work, appointment.id, { reason: 'Moved away' }));
    expect((await fhir(`Appointment/${appointment.id}`)).body).toMatchObject({
      status: 'cancelled',
      cancelationReason: { text: 'Moved away' },
    });
    expect(await found(`Slot?schedule=${busy.schedule.id}&start=${day(3)}&status=busy`)).toEqual([]);
  });
});

describe('a search', () => {
  it('finds an appointment by its people, its place, its day, its number and its status', async () => {
    const { appointment, doctor, clinic, patientId } = busy;
    const queries = [
      `patient=${patientId}`,
      `patient=${mary.hospital.portal}/api/hms/fhir/R4/Patient/${patientId}`,
      `practitioner=Practitioner/${doctor.id}`,
      `location=${clinic.id}`,
      `date=${day(3)}`,
      `identifier=${appointment.appointmentNo}`,
      `identifier=https://hms.dev/hospitals/${mary.hospital.id}/appointment-number|${appointment.appointmentNo}`,
      'status=booked',
    ];
    for (const query of queries) expect([query, await ids(`Appointment?${query}`)]).toEqual([query, [appointment.id]]);
    for (const query of [`date=lt${day(3)}`, 'status=cancelled,noshow', `practitioner=${patientId}`])
      expect([query, await ids(`Appointment?${query}`)]).toEqual([query, []]);
  });

  it('finds the hours of a doctor, and the times that are free', async () => {
    const { schedule, doctor } = busy;
    const on = day(3);
    expect(await ids(`Schedule?actor=Practitioner/${doctor.id}`)).toEqual([schedule.id]);
    expect(await ids(`Schedule?date=lt${on}`)).toEqual([]);
    const slots = `Slot?schedule=Schedule/${schedule.id}`;
    const all = (await found(slots)) as Slot[];
    expect(all.slice(0, 3).map(({ start, status }) => [start, status])).toEqual([
      [at(3, '09:00'), 'free'],
      [at(3, '09:20'), 'busy'],
      [at(3, '09:40'), 'free'],
    ]);
    // Every week, for a month that begins at this moment.
    expect([12, 13, 14, 15]).toContain(all.length);
    expect((await fhir<Slot>(`Slot/${all[1]?.id}`)).body).toEqual(all[1]);
    expect(await ids(`${slots}&start=${on}&status=free`)).toEqual([all[0]?.id, all[2]?.id]);
    expect(await ids(`${slots}&start=${on}&status=free,busy`)).toHaveLength(3);
    const from = encodeURIComponent(at(3, '09:20'));
    expect(await ids(`${slots}&start=ge${from}&start=lt${on}T09:40:00`)).toEqual([all[1]?.id]);
    expect(await ids(`${slots}&start=gt${on}`)).toHaveLength(12);
    for (const date of [`lt${on}`, 'ge2200', '0001-01-01', 'ge0001&start=lt0001-02', 'lt0001', '9998-12-31'])
      expect([date, await ids(`${slots}&start=${date}`)]).toEqual([date, []]);
    expect(await ids(`Slot?schedule=${busy.appointment.id}`)).toEqual([]);
    for (const minutes of ['0', '1', '999999999'])
      expect((await fhir(`Slot/${schedule.id}.${minutes}`)).status).toBe(404);
    expect((await fhir(`Slot/${'-'.repeat(36)}.1`)).status).toBe(404);
  });

  it('has each resource on exactly one page', async () => {
    await within((work) => cancelAppointment(work, busy.appointment.id, {}));
    const paged: (string | undefined)[] = [];
    for (let next: string | undefined = 'Appointment?_count=1'; next; ) {
      const { body }: FhirAnswer<Bundle<FhirResource>> = await fhir(next);
      paged.push(...(body.entry ?? []).map(({ fullUrl }) => fullUrl));
      next = body.link?.find(({ relation }) => relation === 'next')?.url;
    }
    expect(paged).toEqual([`${mary.hospital.portal}/api/queue/fhir/R4/Appointment/${busy.appointment.id}`]);
    for (const type of TYPES) expect((await fhir(`${type}?_count=0`)).body.total).toBe(1);
  });

  it('that is wrong is refused, names the parameter, and says why', async () => {
    const slots = `Slot?schedule=${busy.schedule.id}`;
    const refused = {
      [slots.slice(0, -1)]: 'schedule',
      Slot: 'schedule',
      [`${slots}&status=nonsense`]: 'status',
      [`${slots}&start=ge2026&start=lt2027`]: 'start',
      [`${slots}&start=soon`]: 'start',
      'Appointment?status=nonsense': 'status',
      'Appointment?date=soon': 'date',
    };
    for (const [query, field] of Object.entries(refused)) {
      const { status, type, body } = await fhir<OperationOutcome>(query);
      expect([query, status, type]).toEqual([query, 400, 'application/fhir+json']);
      expect([query, body.issue[0]?.expression]).toEqual([query, [`http.${field}`]]);
    }
  });
});

it('what the server does not have is refused in the format of FHIR', async () => {
  for (const path of ['Patient', `Encounter/${busy.appointment.id}`, `Appointment/${busy.patientId}`])
    expect(await fhir<OperationOutcome>(path)).toMatchObject({
      status: 404,
      type: 'application/fhir+json',
      body: { issue: [{ code: 'not-found' }] },
    });
});

describe('somebody', () => {
  it('of another hospital finds nothing, by an id neither', async () => {
    const other = await createTestHospital(queue.operator, queue.issuer);
    const token = await other.token(['DOCTOR']);
    for (const type of TYPES) expect(await found(type, token)).toEqual([]);
    expect(await found(`Slot?schedule=${busy.schedule.id}`, token)).toEqual([]);
    expect((await fhir(`Appointment/${busy.appointment.id}`, token)).status).toBe(404);
  });

  it('without the permission is refused in the format of FHIR', async () => {
    const display = await mary.token(['DISPLAY']);
    for (const path of ['metadata', 'Appointment', 'Schedule', `Slot?schedule=${busy.schedule.id}`])
      expect(await fhir<OperationOutcome>(path, display)).toMatchObject({
        status: 403,
        type: 'application/fhir+json',
        body: { issue: [{ code: 'forbidden', details: { text: 'FORBIDDEN' } }] },
      });
  });

  it('who reads or finds an appointment is in the log of the patient', async () => {
    const reader = '0198a5a0-0000-7000-8000-00000000c0de';
    const token = await mary.token(['NURSE'], { claims: { sub: reader } });
    await fhir(`Appointment/${busy.appointment.id}`, token);
    await fhir(`Appointment?patient=${busy.patientId}`, token);
    const log = await within(({ trx }) =>
      trx.query<{ action: string; record: string; patient_id: string | null; details: { ids?: string[] } }>(
        'SELECT action, record, patient_id, details FROM audit_events WHERE actor = $1 ORDER BY seq',
        [reader],
      ),
    );
    expect(log).toMatchObject([
      { action: 'read', record: 'appointments', patient_id: busy.patientId },
      { action: 'list', record: 'patients', details: { ids: [busy.patientId] } },
    ]);
  });
});
