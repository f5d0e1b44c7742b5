/** Doctors' calendars by a secret link: who has one, what it shows, and when it opens nothing. */
import { randomUUID } from 'node:crypto';
import type { ShownAppointment } from '@hms/domain/appointments';
import type { Clinic } from '@hms/domain/clinics';
import { activate, type Employee, employees, suspend, terminate } from '@hms/domain/employees';
import { records } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { readCalendar } from '../../../packages/domain/src/calendars/testing/reader.ts';
import {
  aClinic,
  aDoctor,
  aPatient,
  aRoom,
  at,
  call,
  hours,
  mary,
  outcome,
  queue,
  useQueue,
  within,
} from './testing.ts';

useQueue();

const LINK = 'calendar-link';
let ent: Clinic;
let house: Employee;
let token: string;

/** An active doctor with an account, and a token of it. */
async function aDoctorWithAccount(lastName: string) {
  const { id } = await aDoctor(lastName);
  const accountId = randomUUID();
  const doctor = await within(async (work) => {
    const own = records(work, employees);
    return own.moveTo(await own.lock(id), 'active', { accountId });
  });
  return { doctor, token: await mary.token(['DOCTOR'], { claims: { sub: accountId } }) };
}

beforeEach(async () => {
  ent = await aClinic('ENT');
  ({ doctor: house, token } = await aDoctorWithAccount('House'));
  await hours(house, ent, 3, { roomId: await aRoom(ent, 'Room 1') });
});

async function link(): Promise<string> {
  const answer = await call('POST', LINK, undefined, token);
  expect([answer.error, answer.status]).toEqual([undefined, 201]);
  return answer.data<{ readonly url: string }>().url;
}
const ask = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${queue.url}${new URL(url).pathname}`, { headers });
const statusOf = async (url: string) => (await ask(url)).status;
const eventsOf = async (url: string) => readCalendar(await (await ask(url)).text()).events;
async function book(time: string, doctorId = house.id, patientId?: string): Promise<ShownAppointment> {
  const body = { patientId: patientId ?? (await aPatient()), doctorId, startsAt: at(3, time), reason: 'Cough' };
  const answer = await call('POST', 'appointments', body);
  expect([answer.error, answer.status]).toEqual([undefined, 201]);
  return answer.data<ShownAppointment>();
}
async function move({ id }: { readonly id: string }, time: string, doctorId = house.id): Promise<ShownAppointment> {
  const answer = await call('POST', `appointments/${id}/reschedule`, { startsAt: at(3, time), doctorId });
  expect([answer.error, answer.status]).toEqual([undefined, 200]);
  return answer.data<ShownAppointment>();
}
const utc = (time: string) => new Date(at(3, time)).toISOString();

describe('a link', () => {
  it('is made by the doctor, shown once, and stored as a hash', async () => {
    expect((await call('GET', LINK, undefined, token)).data()).toEqual({ createdAt: null });
    const url = await link();
    const [, secret = ''] =
      new RegExp(`^${mary.hospital.portal}/api/queue/calendar/${mary.hospital.prefix}/(.+)$`).exec(url) ?? [];
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect((await call('GET', LINK, undefined, token)).data()).toEqual({ createdAt: expect.any(String) });
    const stored = await within(({ trx }) =>
      trx.query<{ row: string }>('SELECT calendar_links::text AS row FROM calendar_links'),
    );
    expect(stored).toHaveLength(1);
    expect(stored[0]?.row).not.toContain(secret);
    expect(stored[0]?.row).not.toContain(Buffer.from(secret).toString('hex'));
    const logged = await within(({ trx }) =>
      trx.query<{ row: string }>('SELECT audit_events::text AS row FROM audit_events'),
    );
    expect(logged.map(({ row }) => row).join()).not.toContain(secret);
  });

  it('opens nothing any more after a renewal, and after a withdrawal', async () => {
    const former = await link();
    expect(await statusOf(former)).toBe(200);
    const url = await link();
    expect([await statusOf(former), await statusOf(url)]).toEqual([404, 200]);
    expect((await call('DELETE', LINK, undefined, token)).data()).toEqual({ createdAt: null });
    expect(await statusOf(url)).toBe(404);
    expect(await outcome('DELETE', LINK, undefined, token)).toBe(200);
  });

  it('is one, however often somebody makes it at the same time', async () => {
    const urls = await Promise.all([link(), link(), link(), link()]);
    const answers = await Promise.all(urls.map(statusOf));
    expect(answers.toSorted()).toEqual([200, 404, 404, 404]);
  });

  it('is not kept for an idempotency key', async () => {
    const body = { idempotencyKey: 'once' };
    const urls = [await call('POST', LINK, body, token), await call('POST', LINK, body, token)].map(
      (answer) => answer.data<{ readonly url: string }>().url,
    );
    expect(urls[0]).not.toBe(urls[1]);
  });

  it('is for doctors alone', async () => {
    expect(await outcome('POST', LINK)).toBe('NOT_A_DOCTOR');
    const admin = await mary.token(['DOCTOR']);
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(await outcome(method, LINK, undefined, admin)).toBe('NOT_A_DOCTOR');
  });
});

describe('a calendar is not found', () => {
  it('while the doctor is suspended, and once they have left', async () => {
    const url = await link();
    await within((work) => suspend(work, house.id, undefined));
    expect(await statusOf(url)).toBe(404);
    await within((work) => activate(work, house.id, undefined));
    expect(await statusOf(url)).toBe(200);
    await within((work) => terminate(work, house.id, undefined));
    expect(await statusOf(url)).toBe(404);
  });

  it('while the hospital is suspended', async () => {
    const url = await link();
    await mary.setState('Suspended');
    expect(await statusOf(url)).toBe(404);
  });

  it('with another secret or at another hospital, and the answer is always the same', async () => {
    const url = await link();
    const other = await createTestHospital(queue.operator, queue.issuer);
    const own = new URL(url).pathname;
    const [secret = ''] = own.split('/').slice(-1);
    const base = own.slice(0, -secret.length);
    const wrong = [
      `${base}${secret.slice(0, -2)}AA`,
      `${base}a`,
      `${base}${'a'.repeat(3000)}`,
      `${base}%00`,
      ...[other.hospital.prefix, 'nowhere', '%27'].map((name) => own.replace(mary.hospital.prefix, name)),
    ];
    const answers = await Promise.all(
      wrong.map(async (one) => {
        const answer = await ask(`http://localhost${one}`);
        const { error } = (await answer.json()) as { error: { code: string; message: string } };
        return [answer.status, error.code, error.message];
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual([404, 'CALENDAR_NOT_FOUND', expect.any(String)]);
  });
});

describe('a calendar', () => {
  it('shows the appointments of the doctor, and no patient', async () => {
    const { doctor: wilson } = await aDoctorWithAccount('Wilson');
    await hours(wilson, ent, 3);
    const [one] = [await book('09:00'), await book('09:00', wilson.id)];
    const cancelled = await book('09:20');
    await call('POST', `appointments/${cancelled.id}/cancel`);
    // A hold is no appointment.
    await call('POST', 'appointments/holds', { doctorId: house.id, startsAt: at(3, '09:40') });
    const answer = await ask(await link());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    const text = await answer.text();
    expect(text).not.toMatch(/Nora|Quinn|Cough|\+353/);
    expect(readCalendar(text)).toEqual({
      method: 'PUBLISH',
      events: [
        {
          uid: `${one.id}@hms.dev`,
          sequence: 0,
          status: 'CONFIRMED',
          summary: `Appointment ${one.appointmentNo} · Clinic ENT`,
          location: 'Clinic ENT, Room 1',
          startsAt: utc('09:00'),
          endsAt: utc('09:20'),
          zone: 'Asia/Jakarta',
          organizer: null,
          attendee: null,
        },
        expect.objectContaining({ uid: `${cancelled.id}@hms.dev`, sequence: 1, status: 'CANCELLED' }),
      ],
    });
  });

  it('keeps an appointment as the same entry when it moves, once and again', async () => {
    const first = await book('09:00');
    const url = await link();
    const moved = await move(first, '10:00');
    const entry = { uid: `${first.id}@hms.dev`, status: 'CONFIRMED' };
    expect(await eventsOf(url)).toMatchObject([{ ...entry, sequence: 1, startsAt: utc('10:00') }]);
    await move(moved, '11:00');
    expect(await eventsOf(url)).toMatchObject([{ ...entry, sequence: 2, startsAt: utc('11:00') }]);
  });

  it('cancels what moves to another doctor, until it comes back', async () => {
    const { doctor: wilson } = await aDoctorWithAccount('Wilson');
    await hours(wilson, ent, 3);
    const first = await book('09:00');
    const url = await link();
    const elsewhere = await move(first, '09:00', wilson.id);
    const uid = `${first.id}@hms.dev`;
    expect(await eventsOf(url)).toMatchObject([{ uid, sequence: 1, status: 'CANCELLED' }]);
    await move(elsewhere, '10:00');
    expect(await eventsOf(url)).toMatchObject([{ uid, sequence: 2, status: 'CONFIRMED', startsAt: utc('10:00') }]);
  });

  it('reaches from 30 days ago to 366 days ahead', async () => {
    const one = await book('09:00');
    const url = await link();
    const shift = (days: number) =>
      within(({ trx }) =>
        trx.query(
          `UPDATE appointments SET starts_at = starts_at + $2 * interval '1 day', ends_at = ends_at + $2 * interval '1 day'
           WHERE id = $1`,
          [one.id, days],
        ),
      );
    const shown: number[] = [];
    // On day -30, -31, 366 and 367.
    for (const by of [-33, -1, 397, 1]) {
      await shift(by);
      shown.push((await eventsOf(url)).length);
    }
    expect(shown).toEqual([1, 0, 1, 0]);
  });

  it('is sent again only after something has changed', async () => {
    const one = await book('09:00');
    const url = await link();
    let etag = (await ask(url)).headers.get('etag') ?? '';
    const again = async () => {
      const answer = await ask(url, { 'If-None-Match': `"other", W/${etag}` });
      etag = answer.headers.get('etag') ?? '';
      return [answer.status, (await answer.text()).length > 0];
    };
    expect(await again()).toEqual([304, false]);
    await call('POST', `appointments/${one.id}/confirm`);
    expect(await again()).toEqual([200, true]);
    await book('09:20');
    expect(await again()).toEqual([200, true]);
    expect(await again()).toEqual([304, false]);
    await within(({ trx }) => trx.query("UPDATE rooms SET name = 'Room 2'"));
    expect(await again()).toEqual([200, true]);
  });
});
