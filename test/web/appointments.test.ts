/** A reception books, moves and checks in, by keyboard, and another desk sees it. */
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Login, logIn, overflow, picture, register, Scene, violations } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';

/** Where it is day, whenever this runs: at night, nobody is offered a time. */
const ZONE =
  ['Pacific/Auckland', 'Asia/Tokyo', 'Asia/Dubai', 'Europe/Dublin', 'America/New_York', 'Pacific/Honolulu'].find(
    (zone) => /^(09|1[0-5])/.test(new Date().toLocaleTimeString('en-GB', { timeZone: zone })),
  ) ?? 'Europe/Dublin';
const DAY_MS = 86_400_000;

let scene: Scene;
let house: Login;
let desk: Page;
let other: Page;

const dayIn = (days: number) => new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(Date.now() + days * DAY_MS);

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital", { timezone: ZONE });
  house = await scene.hire('Gregory', 'House', 'DOCTOR');
  const admin = api(await tokenOf(scene.prefix, 'ADMIN'));
  const employees = await dataOf(admin.GET('/api/hms/employees', { params: { query: { role: 'DOCTOR' } } }));
  const doctorId = employees.find(({ lastName }) => lastName === 'House')?.id ?? '';
  const body = { code: 'ENT', name: 'Ear, nose and throat', tokenPrefix: 'A', isQueueEnabled: true };
  const { id: clinicId } = await dataOf(admin.POST('/api/hms/clinics', { body }));
  // All day long, so that something is ahead whenever this runs.
  for (const weekday of [1, 2, 3, 4, 5, 6, 7]) {
    const hours = { weekday, startTime: '00:00', endTime: '24:00', slotMinutes: 60, capacity: 1 };
    await dataOf(admin.POST('/api/hms/schedules', { body: { ...hours, doctorId, clinicId } }));
  }
  [desk, other] = await Promise.all([scene.loggedIn('RECEPTION'), scene.loggedIn('NURSE')]);
  await register(desk, scene.origin, { firstName: 'Nora', lastName: 'Quinn' });
}, 240_000);
afterAll(() => scene?.stop());

const row = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Times of the day' }).getByRole('listitem').filter({ hasText: text });
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const open = async (page: Page, days: number) => {
  await page.goto(`${scene.origin}/appointments?date=${dayIn(days)}`);
  await page.getByLabel('Doctor', { exact: true }).selectOption({ label: 'Gregory House' });
  await row(page, '09:00').waitFor();
};

describe('the desk', () => {
  it('books a free time with a name and Enter', async () => {
    await open(desk, 1);
    await open(other, 1);
    expect(await violations(desk)).toEqual([]);
    await desk.getByRole('button', { name: 'Book 09:00' }).press('Enter');
    await desk.keyboard.type('quinn');
    await desk.getByRole('option', { name: /Nora Quinn/ }).waitFor();
    expect(await violations(desk)).toEqual([]);
    await desk.keyboard.press('Enter');
    await says(desk, /^Nora Quinn has an appointment: /);
    await row(desk, '09:00').getByText('Booked').waitFor();
    await row(other, '09:00').getByText('Nora Quinn').waitFor();
    expect(await violations(desk)).toEqual([]);
    await picture(desk, 'appointments');
  });

  it('keeps a time while it looks for the patient, and another desk sees it', async () => {
    const admin = api(await tokenOf(scene.prefix, 'ADMIN'));
    await desk.getByRole('button', { name: 'Book 13:00' }).press('Enter');
    await says(desk, /^Kept for you until \d\d:\d\d:\d\d/);
    expect(await violations(desk)).toEqual([]);
    await row(other, '13:00').getByText('Being booked').waitFor();
    expect(await row(other, '13:00').getByRole('button').count()).toBe(0);
    await desk.getByRole('button', { name: 'Cancel', exact: true }).last().press('Enter');
    await row(other, '13:00').getByRole('button', { name: 'Book 13:00' }).waitFor();

    const type = { code: 'FIRST', name: 'First visit', minutes: 120 };
    await dataOf(admin.POST('/api/queue/visit-types', { body: type }));
    await open(desk, 1);
    await desk.getByLabel('Type of visit').selectOption({ label: 'First visit, 120 min' });
    // The next hour is booked.
    await row(desk, '08:00').getByText('Not free').waitFor();
    expect(await violations(desk)).toEqual([]);
    await desk.getByRole('button', { name: 'Book 16:00' }).press('Enter');
    await desk.keyboard.type('quinn');
    await desk.getByRole('option', { name: /Nora Quinn/ }).waitFor();
    await desk.keyboard.press('Enter');
    await row(desk, '16:00').getByText('First visit, until 18:00').waitFor();
    await row(other, '17:00').getByText('Not free').waitFor();
    await row(desk, '16:00').getByRole('button', { name: 'Cancel', exact: true }).click();
    await says(desk, 'The appointment of Nora Quinn is cancelled.');
    await desk.getByLabel('Type of visit').selectOption({ label: 'Any, as long as the hours say' });
  });

  it('is told that the patient is somewhere else then', async () => {
    const admin = api(await tokenOf(scene.prefix, 'ADMIN'));
    const found = await dataOf(admin.GET('/api/hms/patients', { params: { query: { q: 'quinn' } } }));
    const [{ clinicId = '', startsAt = '' } = {}] = await dataOf(admin.GET('/api/queue/appointments'));
    const patientId = found[0]?.id ?? '';
    const person = { firstName: 'James', lastName: 'Wilson', email: 'wilson@example.org', roles: ['DOCTOR' as const] };
    const { id: doctorId } = await dataOf(admin.POST('/api/hms/employees', { body: person }));
    const weekday = new Date(dayIn(1)).getUTCDay() || 7;
    const hours = { weekday, startTime: '10:00', endTime: '11:00', slotMinutes: 60, capacity: 1 };
    await dataOf(admin.POST('/api/hms/schedules', { body: { ...hours, doctorId, clinicId } }));
    const later = new Date(Date.parse(startsAt) + 3_600_000).toISOString();
    await dataOf(admin.POST('/api/queue/appointments', { body: { patientId, doctorId, startsAt: later } }));
    await desk.getByRole('button', { name: 'Book 10:00' }).click();
    await desk.keyboard.type('quinn');
    await desk.getByRole('option', { name: /Nora Quinn/ }).waitFor();
    await desk.keyboard.press('Enter');
    await says(desk, 'The patient has another appointment at this time.');
    // The time is still kept.
    await row(other, '10:00').getByText('Being booked').waitFor();
    await row(desk, '10:00').getByRole('button', { name: 'Cancel' }).press('Enter');
    await row(other, '10:00').getByRole('button', { name: 'Book 10:00' }).waitFor();
  });

  it('moves an appointment to another day', async () => {
    await row(desk, '09:00').getByRole('button', { name: 'Move' }).click();
    await says(desk, 'Another time for Nora Quinn');
    await desk.getByRole('button', { name: 'Next free' }).click();
    await desk.getByRole('button', { name: 'Move to 11:00' }).click();
    await says(desk, /^Nora Quinn comes at another time: /);
    await row(desk, '11:00').getByText('Booked').waitFor();
    await row(other, '09:00').getByText('Moved').waitFor();
  });

  it('books a series, is told which times are not possible, and cancels what is left of it', async () => {
    const admin = api(await tokenOf(scene.prefix, 'ADMIN'));
    const [{ doctorId = '' } = {}] = await dataOf(admin.GET('/api/queue/appointments'));
    const patient = { firstName: 'Liam', lastName: 'Byrne', phone: '+353861234567', dateOfBirth: '1990-05-17' };
    const { id: patientId } = await dataOf(admin.POST('/api/hms/patients', { body: patient }));
    const query = { doctorId, date: dayIn(10) };
    const slots = await dataOf(admin.GET('/api/queue/slots', { params: { query } }));
    const startsAt = slots.find((slot) => slot.startsAt.slice(11, 16) === '14:00')?.startsAt ?? '';
    await dataOf(admin.POST('/api/queue/appointments', { body: { patientId, doctorId, startsAt } }));

    await open(desk, 3);
    await desk.getByRole('button', { name: 'Book 14:00' }).click();
    await desk.getByLabel('Repeats').selectOption({ label: 'Every week' });
    const times = desk.getByLabel('Appointments', { exact: true });
    await times.fill('1');
    await says(desk, 'Enter 2 to 52');
    await times.fill('3');
    await desk.getByRole('combobox', { name: 'Patient' }).fill('quinn');
    await desk.getByRole('option', { name: /Nora Quinn/ }).waitFor();
    await desk.keyboard.press('Enter');
    await says(desk, 'Nora Quinn: 1 of 3 times is not possible, so nothing is booked');
    await says(desk, /: booked already$/);
    expect(await violations(desk)).toEqual([]);
    await picture(desk, 'series-refused');
    await desk.getByRole('button', { name: 'Book the other 2 times' }).press('Enter');
    await says(desk, /^Nora Quinn has 2 appointments, the last one: /);
    await row(desk, '14:00').getByRole('img', { name: 'Part of a series' }).waitFor();

    await row(desk, '14:00').getByRole('button', { name: 'Cancel from here on' }).click();
    expect(await violations(desk)).toEqual([]);
    await desk.keyboard.press('Enter');
    await says(desk, '2 appointments of Nora Quinn are cancelled.');
    await row(desk, '14:00').getByRole('button', { name: 'Book 14:00' }).waitFor();
  });

  it('checks somebody in, who gets a token', async () => {
    await open(desk, 0);
    await desk
      .getByRole('button', { name: /^Book / })
      .first()
      .click();
    await desk.keyboard.type('quinn');
    await desk.getByRole('option', { name: /Nora Quinn/ }).waitFor();
    await desk.keyboard.press('Enter');
    await says(desk, /^Nora Quinn has an appointment: /);
    await row(desk, 'Nora Quinn').getByRole('button', { name: 'Is here' }).click();
    await says(desk, 'Nora Quinn has the token A-001.');
    await row(desk, 'Nora Quinn').getByText('Is here', { exact: true }).waitFor();
  });
});

describe('the waiting list', () => {
  const waits = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const add = async (name: string) => {
    await desk.getByRole('button', { name: 'Add to the waiting list' }).press('Enter');
    await desk.keyboard.type(name);
    await desk.getByRole('option', { name: new RegExp(name, 'i') }).waitFor();
    await desk.keyboard.press('Enter');
    await desk.getByLabel('Doctor', { exact: true }).selectOption({ label: 'Gregory House' });
  };

  it('offers a freed time to the first of it, who takes it', async () => {
    await register(desk, scene.origin, { firstName: 'Maeve', lastName: 'Kelly' });
    await register(desk, scene.origin, { firstName: 'Oisin', lastName: 'Daly' });
    await desk.getByRole('link', { name: 'Waiting list' }).click();
    await says(desk, 'Nobody waits for a time.');
    await add('daly');
    await desk.keyboard.press('Tab');
    await desk.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await says(desk, 'Oisin Daly is on the waiting list.');
    await add('kelly');
    await desk.getByLabel('Not before').fill(dayIn(5));
    await desk.getByLabel('Not after').fill(dayIn(4));
    await desk.getByLabel('Urgent: comes before the others').check();
    await desk.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await says(desk, 'must not be before fromDate');
    await desk.getByLabel('Not before').fill('');
    await desk.getByLabel('Not after').fill(dayIn(8));
    expect(await violations(desk)).toEqual([]);
    await desk.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await says(desk, 'Maeve Kelly is on the waiting list.');
    // Who is urgent comes first.
    await desk.getByRole('row').nth(1).filter({ hasText: 'Maeve Kelly' }).waitFor();

    await open(other, 6);
    await other.getByRole('button', { name: 'Book 10:00' }).click();
    await other.keyboard.type('quinn');
    await other.getByRole('option', { name: /Nora Quinn/ }).waitFor();
    await other.keyboard.press('Enter');
    // Until it is booked, the form in the same row has a button with this name.
    await row(other, '10:00').getByText('Booked').waitFor();
    await row(other, '10:00').getByRole('button', { name: 'Cancel', exact: true }).click();
    await row(other, '10:00').getByText('Offered').waitFor();
    await waits(desk, 'Maeve Kelly')
      .getByText(/^Offered: .*Gregory House$/)
      .waitFor();
    expect(await violations(desk)).toEqual([]);
    await picture(desk, 'waiting-list');
    await desk.getByRole('button', { name: 'Maeve Kelly does not want it' }).press('Enter');
    await says(desk, 'Maeve Kelly waits for another time.');
    await desk.getByRole('button', { name: 'Oisin Daly takes it' }).press('Enter');
    await says(desk, 'Oisin Daly has the appointment.');
    await row(other, '10:00').getByText('Oisin Daly').waitFor();
    await row(other, '10:00').getByText('Booked').waitFor();
  });

  it('is booked from, and left', async () => {
    await desk.getByRole('link', { name: 'Book for Maeve Kelly' }).click();
    await says(desk, 'A time for Maeve Kelly');
    await desk.getByRole('button', { name: 'The day after' }).click();
    await desk.getByRole('button', { name: 'Book 15:00' }).click();
    await says(desk, /^Maeve Kelly has an appointment: /);
    await row(desk, '15:00').getByText('Maeve Kelly').waitFor();
    await desk.getByRole('link', { name: 'Waiting list' }).click();
    await says(desk, 'Nobody waits for a time.');
    await add('quinn');
    await desk.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await desk.getByRole('button', { name: 'Take off Nora Quinn' }).press('Enter');
    await desk.keyboard.type('Not needed any more');
    await desk.keyboard.press('Control+Enter');
    await says(desk, 'Nora Quinn is not on the waiting list any more.');
    await desk.getByLabel('Show those who wait no more').check();
    await waits(desk, 'Nora Quinn').getByText('Not needed any more').waitFor();
    await waits(desk, 'Oisin Daly').getByText('Has a time').waitFor();
  });
});

describe('the calendar', () => {
  const block = (page: Page, at: string) => page.getByRole('button', { name: new RegExp(`^${at} Nora Quinn`) });
  const week = async (page: Page) => {
    await page.goto(`${scene.origin}/appointments?view=week&date=${dayIn(2)}`);
    await page.locator('select').first().selectOption({ label: 'Gregory House' });
  };

  it('moves an appointment by keyboard, and by mouse', async () => {
    await week(desk);
    await block(desk, '11:00').press('m');
    await says(desk, 'Another time for Nora Quinn');
    await desk.keyboard.press('ArrowDown');
    expect(await desk.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Move to 12:00');
    await desk.keyboard.press('Enter');
    await says(desk, /^Nora Quinn comes at another time: /);
    await block(desk, '12:00').waitFor();
    await block(desk, '12:00').focus();
    await desk.keyboard.press('ArrowRight');
    await desk.keyboard.press('ArrowLeft');
    const day = block(desk, '12:00').locator('xpath=ancestor::ol');
    await block(desk, '12:00').dragTo(day.locator('button[data-free]').filter({ hasText: '13:00' }));
    await block(desk, '13:00').waitFor();
    expect(await violations(desk)).toEqual([]);
    await picture(desk, 'calendar-week');
  });

  it('books and opens, for everybody in a clinic', async () => {
    await desk.getByText('Doctors', { exact: true }).click();
    const column = desk.getByRole('region', { name: 'Gregory House' });
    await column.getByRole('button', { name: 'Book 16:00' }).press('Enter');
    await desk.keyboard.type('byrne');
    await desk.getByRole('option', { name: /Liam Byrne/ }).waitFor();
    await desk.keyboard.press('Enter');
    await says(desk, /^Liam Byrne has an appointment: /);
    await column.getByRole('button', { name: /^16:00 Liam Byrne/ }).press('Enter');
    const panel = desk.getByRole('region', { name: 'Liam Byrne' });
    expect(await violations(desk)).toEqual([]);
    await panel.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
    await says(desk, 'The appointment of Liam Byrne is cancelled.');
    await column.getByRole('button', { name: 'Book 16:00' }).waitFor();
  });

  it('is mirrored in Arabic, and a list on a phone', async () => {
    const page = await scene.loggedIn('NURSE');
    await page.evaluate(`localStorage.setItem('hms-language', 'ar')`);
    await week(page);
    await block(page, '13:00').focus();
    const at = () => page.evaluate('document.activeElement.closest("section").getAttribute("aria-label")');
    const before = await at();
    await page.keyboard.press('ArrowLeft');
    const after = await at();
    expect(after).not.toBe(before);
    await page.keyboard.press('ArrowRight');
    expect(await at()).toBe(before);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    await block(page, '13:00').waitFor();
    expect(await overflow(page)).toBe(0);
    // The head of a day stays below the bar of the page.
    const isBelow = await page.evaluate(`(() => {
      const day = document.querySelector('.hms-calendar section:last-child');
      day.querySelector('li:last-child').scrollIntoView({ block: 'end' });
      const bar = document.querySelector('header').getBoundingClientRect().bottom;
      return Math.abs(day.querySelector('.hms-week-head').getBoundingClientRect().top - bar) < 2;
    })()`);
    expect(isBelow).toBe(true);
    await page.context().close();
  });
});

describe('a doctor', () => {
  it('begins with those who come today, and sees at once who is here', async () => {
    const page = await (await scene.context()).newPage();
    await page.goto(`${scene.origin}/`);
    await logIn(page, house.email, house.password);
    await page.getByRole('heading', { name: /^Today, / }).waitFor();
    const list = page.getByRole('list', { name: 'Appointments of today' });
    await list.getByText('Nora Quinn').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'today');
    await list.getByRole('link', { name: 'Prescribe for Nora Quinn' }).first().press('Enter');
    await page.getByRole('heading', { name: 'New prescription' }).waitFor();
    await page.goBack();
    await list.getByRole('link', { name: 'Nora Quinn' }).first().press('Enter');
    await page.getByRole('tab', { name: 'Appointments' }).click();
    await page.getByRole('cell', { name: 'Gregory House' }).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });
});

describe('who plans the hours', () => {
  it('sees which appointments a change breaks, before it is made', async () => {
    const admin = await scene.loggedIn('ADMIN');
    const gateway = api(await tokenOf(scene.prefix, 'ADMIN'));
    const [{ doctorId = '' } = {}] = await dataOf(gateway.GET('/api/queue/appointments'));
    await admin.goto(`${scene.origin}/schedules?doctor=${doctorId}&from=${dayIn(7)}`);
    await admin.getByRole('button', { name: 'New absence' }).press('Enter');
    await admin.getByLabel('First day').fill(dayIn(2));
    await admin.getByLabel('Last day', { exact: true }).fill(dayIn(2));
    await admin.keyboard.press('Control+Enter');
    const question = admin.getByRole('alert').filter({ hasText: 'would have no time any more' });
    await question.getByText('Nora Quinn').waitFor();
    expect(await violations(admin)).toEqual([]);
    await question.getByRole('button', { name: 'Make the change' }).press('Enter');
    await question.waitFor({ state: 'detached' });
    await admin.getByRole('region', { name: 'Absences' }).getByRole('cell', { name: 'Leave' }).waitFor();
    await open(desk, 3);
    await says(desk, /does not fit the hours of the doctor any more/);
    await admin.context().close();
  });
});

describe('a phone in Arabic', () => {
  it('works mirrored, without a page that is too wide', async () => {
    const phone = await scene.loggedIn('NURSE', { viewport: { width: 320, height: 640 }, hasTouch: true });
    await phone.getByRole('button', { name: 'Language: English' }).click();
    await phone.getByRole('menuitem', { name: 'العربية' }).click();
    await phone.getByRole('heading', { name: 'المرضى', exact: true }).waitFor();
    await phone.goto(`${scene.origin}/appointments?date=${dayIn(2)}`);
    await phone.getByLabel('الطبيب', { exact: true }).selectOption({ label: 'Gregory House' });
    await phone.getByText('Nora Quinn').first().waitFor();
    expect(await overflow(phone)).toBe(0);
    expect(await violations(phone)).toEqual([]);
    await phone.goto(`${scene.origin}/patients`);
    await phone.getByRole('link', { name: /Quinn/ }).first().click();
    await phone.getByRole('tab', { name: 'المواعيد' }).click();
    await phone.getByText('Gregory House').first().waitFor();
    expect(await overflow(phone)).toBe(0);
    expect(await violations(phone)).toEqual([]);
    await phone.goto(`${scene.origin}/waiting-list?over=true`);
    await phone.getByText('Not needed any more').waitFor();
    expect(await overflow(phone)).toBe(0);
    expect(await violations(phone)).toEqual([]);
    await phone.context().close();
  });
});
