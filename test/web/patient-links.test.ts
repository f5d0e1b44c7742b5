/** A patient with a phone and no account: confirms by the link of a mail, and follows their turn. */
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, picture, randomPhone, Scene, violations } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { applyHospital, whenReady } from '../support/hospitals.ts';
import { type CaughtMail, mailsTo } from '../support/mails.ts';
import { until } from '../support/until.ts';

const HOUR = 3_600_000;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

let scene: Scene;
let reception: ReturnType<typeof api>;
let doctorId: string;
let clinicId: string;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital", { timezone: 'Europe/Dublin', settings: { phone: '+35312345678' } });
  await scene.hire('Gregory', 'House', 'DOCTOR');
  const admin = api(await tokenOf(scene.prefix, 'ADMIN'));
  const employees = await dataOf(admin.GET('/api/hms/employees', { params: { query: { role: 'DOCTOR' } } }));
  doctorId = employees.find(({ lastName }) => lastName === 'House')?.id ?? '';
  const body = { code: 'ENT', name: 'Ear, nose and throat', tokenPrefix: 'A', isQueueEnabled: true };
  ({ id: clinicId } = await dataOf(admin.POST('/api/hms/clinics', { body })));
  for (const weekday of [1, 2, 3, 4, 5, 6, 7]) {
    const hours = { weekday, startTime: '00:00', endTime: '24:00', slotMinutes: 60, capacity: 1 };
    await dataOf(admin.POST('/api/hms/schedules', { body: { ...hours, doctorId, clinicId } }));
  }
  reception = api(await tokenOf(scene.prefix, 'RECEPTION'));
}, 240_000);
afterAll(() => scene?.stop());

/** A patient with an address, and their appointment some hours from now. */
async function booked(firstName: string, hours: number, language: 'en' | 'ar' | null = null) {
  const email = `${firstName}-${Date.now()}@example.org`.toLowerCase();
  const person = { firstName, lastName: 'Quinn', phone: randomPhone(), dateOfBirth: '1990-05-17', email, language };
  const { id: patientId } = await dataOf(reception.POST('/api/hms/patients', { body: person }));
  const query = { doctorId, days: 4, onlyFree: 'true' } as const;
  const slots = await dataOf(reception.GET('/api/queue/slots', { params: { query } }));
  const startsAt = slots.find((slot) => Date.parse(slot.startsAt) > Date.now() + hours * HOUR)?.startsAt ?? '';
  const body = { patientId, doctorId, startsAt };
  return { email, patientId, appointment: await dataOf(reception.POST('/api/queue/appointments', { body })) };
}

function linkIn({ html }: CaughtMail): string {
  return /href="([^"]+)"/.exec(html)?.[1] ?? '';
}
const mails = (email: string, count: number) =>
  until(
    `mail ${count} to ${email}`,
    () => mailsTo(email),
    ({ length }) => length >= count,
  );
async function phone(link: string, locale = 'en-GB'): Promise<Page> {
  const page = await (await scene.context({ ...PHONE, locale })).newPage();
  await page.goto(link);
  return page;
}
/** As somebody does who takes the phone out of the pocket. */
const look = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const statusOf = async (id: string) =>
  (await dataOf(reception.GET('/api/queue/appointments/{id}', { params: { path: { id } } }))).status;

describe('a patient', () => {
  it('confirms by the mail, and cancels after all by the next one', async () => {
    const { email, appointment } = await booked('Nora', 3);
    const [first] = await mails(email, 1);
    expect(first?.subject).toMatch(/^Your appointment on /);
    const page = await phone(linkIn(first as CaughtMail));
    await says(page, 'Hello Nora');
    await says(page, 'Gregory House');
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await picture(page, 'visit-appointment');
    // By opening alone, as a mail program does, nothing is answered.
    expect(await statusOf(appointment.id)).toBe('booked');
    await page.getByRole('button', { name: 'Yes, I will come' }).click();
    await says(page, 'You have confirmed. We expect you.');
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await statusOf(appointment.id)).toBe('confirmed');

    const [, second] = await mails(email, 2);
    const next = await phone(linkIn(second as CaughtMail));
    await next.getByRole('button', { name: 'Cancel the appointment' }).click();
    await says(next, 'Cancel the appointment? Somebody else gets the time.');
    expect(await violations(next)).toEqual([]);
    await next.getByRole('button', { name: 'Keep it' }).click();
    await next.getByRole('button', { name: 'Cancel the appointment' }).click();
    await next.getByRole('button', { name: 'Yes, cancel it' }).click();
    await says(next, 'This appointment is cancelled.');
    expect(await statusOf(appointment.id)).toBe('cancelled');
    // The first page shows it once somebody looks at it again, and the first link answers nothing.
    await page.reload();
    await says(page, 'This appointment is cancelled.');
    expect(await page.getByRole('button').count()).toBe(0);
    const [, , third] = await mails(email, 3);
    expect(third?.subject).toMatch(/^Your appointment on .+ is cancelled$/);
  });

  it('is written to in their language, which the page has too, and is told about another time', async () => {
    const { email, appointment } = await booked('Noor', 20, 'ar');
    const [first] = await mails(email, 1);
    expect(first?.subject).toMatch(/^موعدك يوم /);
    const page = await phone(linkIn(first as CaughtMail));
    await says(page, 'مرحبًا Noor');
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    const path = { id: appointment.id };
    const startsAt = new Date(Date.parse(appointment.startsAt) + 2 * HOUR).toISOString();
    await dataOf(reception.POST('/api/queue/appointments/{id}/reschedule', { params: { path }, body: { startsAt } }));
    const [, second] = await mails(email, 2);
    expect(second?.subject).toMatch(/^نُقل موعدك إلى /);
  });

  it('who answers too late is told what the appointment is now', async () => {
    const { email, appointment } = await booked('Olga', 5);
    const [mail] = await mails(email, 1);
    const page = await phone(linkIn(mail as CaughtMail));
    const yes = page.getByRole('button', { name: 'Yes, I will come' });
    await yes.waitFor();
    await dataOf(
      reception.POST('/api/queue/appointments/{id}/cancel', { params: { path: { id: appointment.id } }, body: {} }),
    );
    await yes.click();
    await says(page, 'This link was used before, or the appointment has changed.');
    await says(page, 'This appointment is cancelled.');
  });

  it('sees when it is their turn, by the code of the desk, also in the dark', async () => {
    const join = () =>
      dataOf(reception.POST('/api/queue/{clinicId}/entries', { params: { path: { clinicId } }, body: {} }));
    const [first, own] = [await join(), await join()];
    const desk = await scene.loggedIn('RECEPTION');
    await desk.goto(`${scene.origin}/queue?clinic=${clinicId}`);
    await desk.getByRole('button', { name: `Phone: ${own.label}` }).press('Enter');
    const code = desk.getByRole('img', { name: `Picture with the link of ${own.label}` });
    await code.waitFor();
    expect(await violations(desk)).toEqual([]);
    await desk.keyboard.press('Enter');
    await code.waitFor({ state: 'detached' });

    const path = { id: own.id };
    const { link } = await dataOf(reception.POST('/api/queue/entries/{id}/link', { params: { path } }));
    const page = await phone(link);
    await says(page, own.label);
    await says(page, 'One person is before you.');
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await picture(page, 'visit-turn');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page)).toEqual([]);
    const next = () =>
      dataOf(reception.POST('/api/queue/{clinicId}/call-next', { params: { path: { clinicId } }, body: {} }));
    expect((await next())?.label).toBe(first.label);
    // Whoever looks at the phone again sees the present state at once.
    await look(page);
    await says(page, 'You are next.');
    expect(await page.title()).toBe(`${own.label}: 0`);
    await dataOf(
      reception.POST('/api/queue/entries/{id}/done', { params: { path: { id: first.id } }, body: {} }),
    ).catch(() => undefined);
    await next();
    await look(page);
    await says(page, 'Please come in now.');
    expect(await violations(page)).toEqual([]);
    expect(await page.title()).toBe(`${own.label}!`);
  });

  it('with a link that is cut off, or of another hospital, is told so', async () => {
    const page = await phone(`${scene.origin}/visit#eyJhbGciOiJIUzI1NiJ9.eyJz`);
    await says(page, 'This link is not complete. Open it from the message again.');
    expect(await violations(page)).toEqual([]);
    await page.goto(`${scene.origin}/visit`);
    await says(page, 'This link is not complete. Open it from the message again.');
  });

  it('stays informed while there is no network, and afterwards', async () => {
    const entry = await dataOf(
      reception.POST('/api/queue/{clinicId}/entries', { params: { path: { clinicId } }, body: {} }),
    );
    const path = { id: entry.id };
    const { link } = await dataOf(reception.POST('/api/queue/entries/{id}/link', { params: { path } }));
    const page = await phone(link);
    await says(page, entry.label);
    await page.context().setOffline(true);
    await look(page);
    await says(page, /^No connection since \d\d:\d\d\./);
    await says(page, entry.label);
    await page.context().setOffline(false);
    await page.getByText('No connection since').waitFor({ state: 'detached' });
  });

  it('reads it in the language of the hospital, mirrored, on a narrow phone', async () => {
    const { email } = await booked('Samira', 8);
    const [mail] = await mails(email, 1);
    await applyHospital(scene.prefix, {
      timezone: 'Europe/Dublin',
      settings: { language: 'ar', phone: '+35312345678' },
    });
    await whenReady(scene.prefix);
    const page = await phone(linkIn(mail as CaughtMail));
    await page.setViewportSize({ width: 320, height: 640 });
    await until(
      'Arabic',
      async () => {
        await page.reload();
        await page.getByText('Gregory House').waitFor();
        return page.locator('html').getAttribute('dir');
      },
      (direction) => direction === 'rtl',
    );
    await page.getByRole('button', { name: 'نعم، سأحضر' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });
});
