/** A patient is deleted once nothing is open any more. What is open is named. */
import { type Appointment, book, cancelAppointment } from '@hms/domain/appointments';
import { addCharges, cancelCharges } from '@hms/domain/charges';
import { type Clinic, clinics } from '@hms/domain/clinics';
import { type Employee, employees } from '@hms/domain/employees';
import { draftInvoice, issueInvoice, newInvoice, voidInvoice } from '@hms/domain/invoices';
import type { Patient } from '@hms/domain/patients';
import { cancel, join } from '@hms/domain/queue';
import { createSchedule, weekdayOf } from '@hms/domain/schedules';
import { createMembership, moveMembership, newMembership, vipMemberships, vipTiers } from '@hms/domain/vip';
import { addToWaitingList, newWaitingEntry, withdraw } from '@hms/domain/waiting-list';
import { fields, newId, records, type Work, workFor } from '@hms/service';
import { beforeEach, expect, it } from '@jest/globals';
import { admin, create, hms, mary, PATIENTS } from './testing.ts';

let jane: Patient;
let ent: Clinic;
let doctor: Employee;

const within = <T>(run: (work: Work) => Promise<T>) => workFor(hms.platform, mary.hospital, 'test', run);

beforeEach(async () => {
  jane = await create();
  const person = { firstName: 'Gregory', lastName: 'House', email: 'house@example.org', roles: ['DOCTOR'] };
  [ent, doctor] = await within(async (work) => [
    await records(work, clinics).insert({ code: 'ENT', name: 'Ears', tokenPrefix: 'A', isQueueEnabled: true }),
    await records(work, employees).insert({
      ...person,
      employedFrom: fields.today(mary.hospital.timezone, new Date()),
    }),
  ]);
});

/** What keeps the patient from being deleted: the tables and names. Empty: the patient is deleted. */
async function deletion(): Promise<readonly (readonly [table: string, name: string])[]> {
  const answer = await hms.send('DELETE', `${PATIENTS}/${jane.id}`, { token: admin });
  if (answer.success) return [];
  expect(answer).toMatchObject({ status: 409, error: { code: 'PATIENT_HAS_OPEN_ITEMS' } });
  const items = answer.error.details?.items as readonly { record: string; name: string }[];
  return items.map(({ record, name }) => [record, name]);
}

it('an appointment, until it is cancelled', async () => {
  const tomorrow = fields.today(mary.hospital.timezone, new Date(Date.now() + 86_400_000));
  const booked = await within(async (work): Promise<Appointment> => {
    const hours = { startTime: '09:00', endTime: '12:00', slotMinutes: 20, capacity: 1 };
    const days = { weekday: weekdayOf(tomorrow), validFrom: tomorrow, validTo: tomorrow };
    await createSchedule(work, { ...hours, ...days, doctorId: doctor.id, clinicId: ent.id });
    return book(work, { patientId: jane.id, doctorId: doctor.id, startsAt: `${tomorrow}T09:00:00+07:00` });
  });
  expect(await deletion()).toEqual([['appointments', booked.appointmentNo]]);
  await within((work) => cancelAppointment(work, booked.id, {}));
  expect(await deletion()).toEqual([]);
});

it('a token of today, until it is cancelled', async () => {
  const token = await within((work) => join(work, ent.id, { patientId: jane.id, priority: 0 }));
  expect(await deletion()).toEqual([['queue_entries', 'A-001']]);
  await within((work) => cancel(work, token.id, {}));
  expect(await deletion()).toEqual([]);
});

it('an entry of the waiting list, until it is withdrawn', async () => {
  const wish = newWaitingEntry.parse({ patientId: jane.id, doctorId: doctor.id, clinicId: ent.id });
  const entry = await within((work) => addToWaitingList(work, wish));
  expect(await deletion()).toEqual([['waiting_list', 'Gregory House, Ears']]);
  await within((work) => withdraw(work, entry.id, {}));
  expect(await deletion()).toEqual([]);
});

it('a charge on no invoice, until it is cancelled', async () => {
  const source = { sourceType: 'visit', sourceId: newId() } as const;
  await within((work) =>
    addCharges(work, [
      {
        ...{ ...source, patientId: jane.id, itemGroup: 'consultation', description: 'Consultation' },
        ...{ unitPrice: 5000, quantity: 1, taxBps: 0 },
      },
    ]),
  );
  expect(await deletion()).toEqual([['charges', 'Consultation']]);
  await within((work) => cancelCharges(work, 'visit', [source.sourceId]));
  expect(await deletion()).toEqual([]);
});

it('an invoice that is a draft or not paid, until it is void', async () => {
  const body = newInvoice.parse({ patientId: jane.id, lines: [{ description: 'Consultation', unitPrice: 5000 }] });
  const { id } = await within((work) => draftInvoice(work, body));
  expect(await deletion()).toEqual([['invoices', 'draft']]);
  const { invoiceNo } = await within((work) => issueInvoice(work, id, undefined));
  expect(await deletion()).toEqual([['invoices', invoiceNo]]);
  await within((work) => voidInvoice(work, id, 'Wrong patient', undefined));
  expect(await deletion()).toEqual([]);
});

it('an invoice of somebody else that the patient pays', async () => {
  const child = await create({ firstName: 'Ann' });
  const lines = [{ description: 'Consultation', unitPrice: 5000 }];
  const body = newInvoice.parse({ patientId: child.id, payerId: jane.id, lines });
  const { id } = await within((work) => draftInvoice(work, body));
  expect(await deletion()).toEqual([['invoices', 'draft']]);
  await within((work) => voidInvoice(work, id, 'Wrong patient', undefined));
  expect(await deletion()).toEqual([]);
});

it('everything that is open at once', async () => {
  await within((work) => join(work, ent.id, { patientId: jane.id, priority: 0 }));
  const wish = newWaitingEntry.parse({ patientId: jane.id, doctorId: doctor.id });
  await within((work) => addToWaitingList(work, wish));
  expect(await deletion()).toEqual([
    ['queue_entries', 'A-001'],
    ['waiting_list', 'Gregory House'],
  ]);
});

it('a membership of their own or of the family in which they are alone, until it is cancelled', async () => {
  const created = await within(async (work) => {
    const tier = await records(work, vipTiers).insert(vipTiers.create.parse({ name: 'Gold' }));
    return createMembership(work, newMembership.parse({ familyId: jane.familyId, tierId: tier.id }));
  });
  expect(await deletion()).toEqual([['vip_memberships', created.membershipNo]]);
  // What is refused changes nothing.
  expect(await within((work) => records(work, vipMemberships).read(created.id))).toMatchObject({
    ...{ familyId: jane.familyId, patientId: null },
  });
  await within((work) => moveMembership(work, created.id, 'cancelled', 'Moved', undefined));
  expect(await deletion()).toEqual([]);
});
