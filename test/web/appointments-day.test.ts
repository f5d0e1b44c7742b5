/**
 * A day at the desk, without a mouse, in a browser whose clock is not that of the hospital: in English and in Arabic, side
 * by side. Every time that a page shows is one of the hospital's clock.
 */
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, randomPhone, Scene, violations } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { choose, goesOnAt, keyTo } from '../support/keys.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const clockOf = (zone: string, at = Date.now()) =>
  new Date(at).toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
const dayOf = (zone: string, at = Date.now()) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at);

/** Where it is day, whenever this runs: at night, nobody is offered a time. */
const ZONE =
  ['Pacific/Auckland', 'Asia/Tokyo', 'Asia/Dubai', 'Europe/Dublin', 'America/New_York', 'Pacific/Honolulu'].find(
    (zone) => /^(09|1[0-5])/.test(clockOf(zone)),
  ) ?? 'Europe/Dublin';
/** Where it is another day, if possible, and never the same minute. */
const ELSEWHERE =
  ['Pacific/Marquesas', 'Pacific/Chatham'].find((zone) => dayOf(zone) !== dayOf(ZONE)) ?? 'Pacific/Marquesas';

const dayIn = (days: number) => dayOf(ZONE, Date.now() + days * DAY);

/** Those who come, and what the pages say about them. */
const DESKS = {
  en: {
    doctor: ['Gregory', 'House'],
    ...{ moved: 'Nora Quinn', comes: 'Liam Byrne', absent: 'Maeve Kelly', waits: 'Oisin Daly' },
    locale: 'en-IE',
    email: 'Email address or employee code',
    doctorField: 'Doctor',
    bookAt: (at: string) => `Book ${at}`,
    kept: /Kept for you until (\d\d:\d\d:\d\d)/,
    booked: (name: string, at: string) => `${name} has an appointment: ${at}.`,
    move: 'Move',
    moving: (name: string) => `Another time for ${name}`,
    moveTo: (at: string) => `Move to ${at}`,
    isMoved: (name: string, at: string) => `${name} comes at another time: ${at}.`,
    repeats: 'Repeats',
    refused: (name: string) => `${name}: 1 of 3 times is not possible, so nothing is booked`,
    taken: (at: string) => `${at}: booked already`,
    others: 'Book the other 2 times',
    series: (name: string, at: string) => `${name} has 2 appointments, the last one: ${at}.`,
    noShow: 'Has not come',
    isNoShow: (name: string) => `${name} has not come.`,
    add: 'Add to the waiting list',
    isAdded: (name: string) => `${name} is on the waiting list.`,
    cancel: 'Cancel',
    isCancelled: (name: string) => `The appointment of ${name} is cancelled.`,
    offered: 'Offered',
    offer: (at: string, doctor: string) => `Offered: ${at}, ${doctor}`,
    takes: (name: string) => `${name} takes it`,
    hasTaken: (name: string) => `${name} has the appointment.`,
    isHere: 'Is here',
    token: /has the token (A-\d+)\.$/,
    waiting: /^Waiting/,
    ...{ edit: 'Edit', language: 'Language of emails', saved: 'Saved.', details: 'Details', tab: 'Appointments' },
    ...{ book: 'Book', forNow: (name: string) => `A time for ${name}`, bookFor: (name: string) => `Book for ${name}` },
    onwards: 'ArrowRight',
  },
  ar: {
    doctor: ['سامي', 'حداد'],
    ...{ moved: 'ليلى منصور', comes: 'عمر خوري', absent: 'هدى نصار', waits: 'كريم سعد' },
    locale: 'ar',
    email: 'البريد الإلكتروني أو رمز الموظف',
    doctorField: 'الطبيب',
    bookAt: (at: string) => `حجز ${at}`,
    kept: /محفوظ لك حتى (\d\d:\d\d:\d\d)/,
    booked: (name: string, at: string) => `لدى ${name} موعد: ${at}.`,
    move: 'نقل',
    moving: (name: string) => `وقت آخر لـ ${name}`,
    moveTo: (at: string) => `نقل إلى ${at}`,
    isMoved: (name: string, at: string) => `يحضر ${name} في وقت آخر: ${at}.`,
    repeats: 'التكرار',
    refused: (name: string) => `${name}: وقت واحد من 3 غير ممكن، لذلك لم يُحجز شيء`,
    taken: (at: string) => `${at}: محجوز`,
    others: 'احجز الوقتين الآخرين',
    series: (name: string, at: string) => `لدى ${name} موعدان، آخرهما: ${at}.`,
    noShow: 'لم يحضر',
    isNoShow: (name: string) => `لم يحضر ${name}.`,
    add: 'إضافة إلى قائمة الانتظار',
    isAdded: (name: string) => `${name} على قائمة الانتظار.`,
    cancel: 'إلغاء',
    isCancelled: (name: string) => `أُلغي موعد ${name}.`,
    offered: 'معروض',
    offer: (at: string, doctor: string) => `معروض: ${at}، ${doctor}`,
    takes: (name: string) => `${name} يقبله`,
    hasTaken: (name: string) => `حصل ${name} على الموعد.`,
    isHere: 'حضر',
    token: /هو (A-\d+)\.$/,
    waiting: /^في الانتظار/,
    ...{ edit: 'تعديل', language: 'لغة الرسائل', saved: 'تم الحفظ.', details: 'البيانات', tab: 'المواعيد' },
    ...{ book: 'حجز', forNow: (name: string) => `وقت لـ ${name}`, bookFor: (name: string) => `حجز لـ ${name}` },
    onwards: 'ArrowLeft',
  },
} as const;
type Language = keyof typeof DESKS;
const LANGUAGES = [{ language: 'en' }, { language: 'ar' }] as const;

/** In minutes. Long enough to mark somebody by hand before. */
const NO_SHOW_AFTER = 2;
/** For a test that waits until the hours begin, or until somebody is a no-show. In ms. */
const PATIENCE = 4 * MINUTE;

let scene: Scene;
const pages = {} as Record<Language, Page>;
const doctors = {} as Record<Language, string>;
/** By their names. */
const patients: Record<string, string> = {};
/** When the hours of today begin: soon, so that somebody can be late for them. */
let begin: number;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital", {
    timezone: ZONE,
    settings: { country: 'IE', noShowAfterMinutes: NO_SHOW_AFTER },
  });
  const admin = api(await tokenOf(scene.prefix, 'ADMIN'));
  const clinic = { code: 'ENT', name: 'Ear, nose and throat', tokenPrefix: 'A', isQueueEnabled: true };
  const { id: clinicId } = await dataOf(admin.POST('/api/hms/clinics', { body: clinic }));
  for (const { language } of LANGUAGES) pages[language] = await begun(language);
  begin = Math.ceil(Date.now() / MINUTE + 1) * MINUTE;
  for (const { language } of LANGUAGES) {
    const { doctor, moved, comes, absent, waits } = DESKS[language];
    const [firstName, lastName] = doctor;
    const person = { firstName, lastName, email: `${language}@example.org`, roles: ['DOCTOR' as const] };
    const { id: doctorId } = await dataOf(admin.POST('/api/hms/employees', { body: person }));
    doctors[language] = doctorId;
    const weekdayOf = (day: string) => new Date(day).getUTCDay() || 7;
    const today = {
      validFrom: dayIn(0),
      validTo: dayIn(0),
      weekday: weekdayOf(dayIn(0)),
      slotMinutes: 15,
      capacity: 2,
    };
    const hours = { startTime: clockOf(ZONE, begin), endTime: clockOf(ZONE, begin + 2 * 60 * MINUTE) };
    const usual = { startTime: '09:00', endTime: '12:00', slotMinutes: 60, capacity: 1 };
    const tomorrow = { ...usual, validFrom: dayIn(1), weekday: weekdayOf(dayIn(1)) };
    for (const body of [{ ...today, ...hours }, tomorrow])
      await dataOf(admin.POST('/api/hms/schedules', { body: { ...body, doctorId, clinicId } }));
    for (const name of [moved, comes, absent, waits]) {
      const [first = '', last = ''] = name.split(' ');
      const body = { firstName: first, lastName: last, dateOfBirth: '1988-02-29', phone: randomPhone() };
      patients[name] = (await dataOf(admin.POST('/api/hms/patients', { body }))).id;
    }
    // One time of the series is taken.
    const query = { doctorId, date: dayIn(8) };
    const slots = await dataOf(admin.GET('/api/queue/slots', { params: { query } }));
    const startsAt = slots.find((slot) => slot.startsAt.slice(11, 16) === '10:00')?.startsAt ?? '';
    await dataOf(
      admin.POST('/api/queue/appointments', { body: { doctorId, startsAt, patientId: patients[comes] ?? '' } }),
    );
  }
}, 240_000);
afterAll(() => scene?.stop());

/** Logs in. */
async function begun(language: Language): Promise<Page> {
  const { email, password } = await scene.person('RECEPTION');
  const page = await (await scene.context({ locale: DESKS[language].locale, timezoneId: ELSEWHERE })).newPage();
  await page.goto(`${scene.origin}/`);
  await page.getByLabel(DESKS[language].email).and(page.locator(':focus')).waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('main').locator('h1').waitFor();
  const browsers = await page.evaluate("new Date().toLocaleTimeString('en-GB').slice(0, 5)");
  expect(browsers).not.toBe(clockOf(ZONE));
  return page;
}

/** What somebody does and sees at the desk that speaks a language. */
function deskIn(language: Language) {
  const words = DESKS[language];
  const doctorName = words.doctor.join(' ');
  const page = pages[language];
  const press = (key: string) => page.keyboard.press(key);
  const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const row = (clock: string) =>
    page
      .getByRole('main')
      .locator('ol > li')
      .filter({ has: page.getByText(clock, { exact: true }) });
  /** A time of today, as the hospital's clock shows it. */
  const clock = (minutes: number) => clockOf(ZONE, begin + minutes * MINUTE);
  /** The same, as a sentence has it. */
  const moment = (at: number) =>
    new Intl.DateTimeFormat(`${language}-IE-u-ca-gregory-nu-latn`, {
      ...{ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: ZONE },
    })
      .format(at)
      .replaceAll(/[\u200E\u200F\u061C]/gu, '');
  const today = (minutes: number) => moment(begin + minutes * MINUTE);
  /** Waits until somebody who has an appointment when the hours begin is a no-show, whom nobody can mark again. */
  const isNoShow = async (name: string) => {
    const line = row(clock(0)).getByRole('link', { name }).locator('xpath=..');
    const mark = line.getByRole('button', { name: words.noShow, exact: true });
    await mark.waitFor({ state: 'detached', timeout: PATIENCE });
    await line.getByText(words.noShow, { exact: true }).waitFor();
  };
  const isFine = async (name: string) => {
    expect([name, await overflow(page), await violations(page)]).toEqual([name, 0, []]);
  };
  const open = async (path: string) => {
    await page.goto(`${scene.origin}/${path}`);
    await page.locator('#page-title:focus, main input:focus').waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  };
  const openDay = async (days: number) => {
    await open(`appointments?doctor=${doctors[language]}&date=${dayIn(days)}`);
    await page.getByRole('main').locator('ol > li').first().waitFor();
  };
  const typePatient = async (name: string) => {
    await page.locator('[role=combobox]:focus').waitFor();
    await page.keyboard.type(name);
    await page.getByRole('option').filter({ hasText: name }).waitFor();
    await press('Enter');
  };
  /** The moment of a time in some days, read from the slots. */
  const momentIn = async (days: number, at: string) => {
    const reception = api(await tokenOf(scene.prefix, 'RECEPTION'));
    const query = { doctorId: doctors[language], date: dayIn(days) };
    const slots = await dataOf(reception.GET('/api/queue/slots', { params: { query } }));
    return moment(Date.parse(slots.find((slot) => slot.startsAt.slice(11, 16) === at)?.startsAt ?? ''));
  };
  return {
    ...{ page, words, doctorName, press, says, row, clock, today, momentIn, isFine, isNoShow },
    ...{ open, openDay, typePatient },
  };
}

describe('a desk, with keys only', () => {
  it.each(LANGUAGES)(
    'books a free time, which is kept for two minutes meanwhile, in $language',
    async ({ language }) => {
      const { page, words, doctorName, press, says, row, clock, today, isFine, open, typePatient } = deskIn(language);
      await open(`appointments`);
      await keyTo(page, 'Tab', words.doctorField);
      await choose(page, doctorName);
      await row(clock(0)).waitFor();
      await keyTo(page, 'Tab', words.bookAt(clock(0)));
      await press('Enter');
      await typePatient(words.waits);
      await says(words.booked(words.waits, today(0)));
      await goesOnAt(page, words.waits);

      await keyTo(page, 'Tab', words.bookAt(clock(0)));
      await press('Enter');
      await says(words.kept);
      const [, until = ''] = words.kept.exec((await page.getByText(words.kept).textContent()) ?? '') ?? [];
      const seconds = (text: string) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
      const now = new Date().toLocaleTimeString('en-GB', { timeZone: ZONE });
      const left = seconds(until) - seconds(now);
      expect([left > 100, left <= 121]).toEqual([true, true]);
      await isFine('booking');
      await typePatient(words.absent);
      await says(words.booked(words.absent, today(0)));
      await goesOnAt(page, words.absent);
    },
  );

  it.each(LANGUAGES)('moves an appointment to another time of the list, in $language', async ({ language }) => {
    const { page, words, press, says, row, clock, today, typePatient } = deskIn(language);
    await keyTo(page, 'ArrowDown', words.bookAt(clock(30)));
    await press('Enter');
    await typePatient(words.moved);
    await goesOnAt(page, words.moved);
    await keyTo(page, 'Tab', words.move);
    await press('Enter');
    await says(words.moving(words.moved));
    await keyTo(page, 'ArrowDown', words.moveTo(clock(45)));
    await press('Enter');
    await says(words.isMoved(words.moved, today(45)));
    await goesOnAt(page, words.moved);
    await row(clock(45)).locator('a:focus').waitFor();
  });

  it.each(LANGUAGES)('moves and books in the calendar, and stays there, in $language', async ({ language }) => {
    const { page, words, press, says, clock, today, isFine, open, typePatient } = deskIn(language);
    await open(`appointments?doctor=${doctors[language]}&view=week`);
    await page.locator('.hms-calendar button').first().waitFor();
    await keyTo(page, 'Tab', clock(0));
    await keyTo(page, 'ArrowDown', `${clock(45)} ${words.moved}`);
    await press('m');
    await says(words.moving(words.moved));
    await keyTo(page, 'ArrowDown', words.moveTo(clock(60)));
    await press('Enter');
    await says(words.isMoved(words.moved, today(60)));
    await goesOnAt(page, `${clock(60)} ${words.moved}`);
    await keyTo(page, 'ArrowDown', words.bookAt(clock(75)));
    await press('Enter');
    await typePatient(words.comes);
    await says(words.booked(words.comes, today(75)));
    await goesOnAt(page, `${clock(75)} ${words.comes}`);
    // The head of the day stays in sight while the calendar scrolls.
    const [scrolled, apart] = (await page.evaluate(`(() => {
      const head = document.activeElement.closest('section').querySelector('.hms-week-head');
      const calendar = head.closest('.hms-calendar');
      calendar.scrollTo(0, 9999);
      return [calendar.scrollTop, head.getBoundingClientRect().top - calendar.getBoundingClientRect().top];
    })()`)) as readonly [number, number];
    expect([scrolled > 0, Math.abs(apart) < 2]).toEqual([true, true]);
    await isFine('calendar');
  });

  it.each(LANGUAGES)('books a series, of which one time is refused, in $language', async ({ language }) => {
    const { page, words, press, says, row, momentIn, isFine, openDay, typePatient } = deskIn(language);
    await openDay(1);
    await keyTo(page, 'Tab', words.bookAt('09:00'));
    await keyTo(page, 'ArrowDown', words.bookAt('10:00'));
    await press('Enter');
    await page.locator('[role=combobox]:focus').waitFor();
    await keyTo(page, 'Tab', words.repeats);
    await press('ArrowDown');
    await press('Tab');
    await page.keyboard.type('3');
    for (let back = 0; back < 3; back++) await press('Shift+Tab');
    await typePatient(words.moved);
    await says(words.refused(words.moved));
    await says(words.taken(await momentIn(8, '10:00')));
    await isFine('series');
    await keyTo(page, 'Tab', words.others);
    await press('Enter');
    await says(words.series(words.moved, await momentIn(15, '10:00')));
    await goesOnAt(page, words.moved);
    await row('10:00').locator('a:focus').waitFor();
  });

  it.each(LANGUAGES)(
    'notes the language of a patient, and books from the record, in $language',
    async ({ language }) => {
      const { page, words, doctorName, press, says, row, clock, today, open } = deskIn(language);
      await open(`patients/${patients[words.absent]}`);
      await keyTo(page, 'Tab', words.edit);
      await press('Enter');
      await page.locator('input[name=firstName]:focus').waitFor();
      await keyTo(page, 'Tab', words.language);
      await choose(page, 'العربية');
      await press('Control+Enter');
      await says(words.saved);
      await page.locator('dt', { hasText: words.language }).locator('xpath=..').getByText('العربية').waitFor();
      await goesOnAt(page, words.edit);
      await keyTo(page, 'Shift+Tab', words.details);
      await keyTo(page, words.onwards, words.tab);
      await page.getByRole('link', { name: words.book, exact: true }).waitFor();
      await keyTo(page, 'Tab', words.book);
      await press('Enter');
      await says(words.forNow(words.absent));
      await page.locator('#page-title:focus').waitFor();
      await keyTo(page, 'Tab', words.doctorField);
      await choose(page, doctorName);
      await row(clock(90)).waitFor();
      await keyTo(page, 'Tab', words.bookAt(clock(15)));
      await keyTo(page, 'ArrowDown', words.bookAt(clock(90)));
      await press('Enter');
      await goesOnAt(page, words.bookFor(words.absent));
      await press('Enter');
      await says(words.booked(words.absent, today(90)));
      await goesOnAt(page, words.absent);
      await row(clock(90)).locator('a:focus').waitFor();
      expect(await page.getByText(words.forNow(words.absent)).count()).toBe(0);
    },
  );

  it.each(LANGUAGES)(
    'marks somebody who has not come, in $language',
    async ({ language }) => {
      const { page, words, press, says, row, clock, openDay, isNoShow } = deskIn(language);
      await openDay(0);
      await row(clock(0)).getByRole('button', { name: words.noShow }).first().waitFor({ timeout: PATIENCE });
      await keyTo(page, 'Tab', words.absent);
      await keyTo(page, 'Tab', words.noShow);
      await press('Enter');
      await says(words.isNoShow(words.absent));
      await goesOnAt(page, words.absent);
      await isNoShow(words.absent);
    },
    PATIENCE,
  );

  it.each(LANGUAGES)('offers a freed time to somebody of the waiting list, in $language', async ({ language }) => {
    const { page, words, doctorName, press, says, row, momentIn, isFine, open, openDay, typePatient } =
      deskIn(language);
    await open('waiting-list');
    await keyTo(page, 'Shift+Tab', words.add);
    await press('Enter');
    await typePatient(words.waits);
    await page.locator('select:focus').waitFor();
    await choose(page, doctorName);
    await press('Control+Enter');
    await says(words.isAdded(words.waits));
    await goesOnAt(page, words.add);

    await openDay(1);
    await keyTo(page, 'Tab', words.moved);
    await keyTo(page, 'Tab', words.cancel);
    await press('Enter');
    await says(words.isCancelled(words.moved));
    await goesOnAt(page, words.moved);
    await row('10:00').getByText(words.offered, { exact: true }).waitFor();

    await open('waiting-list');
    await says(words.offer(await momentIn(1, '10:00'), doctorName));
    await isFine('offer');
    await keyTo(page, 'Tab', words.takes(words.waits));
    await press('Enter');
    await says(words.hasTaken(words.waits));
    await page.locator('#page-title:focus').waitFor();
    await openDay(1);
    await row('10:00').getByText(words.waits).waitFor();
  });

  it.each(LANGUAGES)('checks somebody in, who is in the queue then, in $language', async ({ language }) => {
    const { page, words, press, says, open, openDay } = deskIn(language);
    await openDay(0);
    await keyTo(page, 'Tab', words.waits);
    await keyTo(page, 'ArrowDown', words.comes);
    await keyTo(page, 'Tab', words.isHere);
    await press('Enter');
    await says(words.token);
    await goesOnAt(page, words.comes);
    const said = await page.getByText(words.token).first().textContent();
    const [, label = ''] = words.token.exec(said?.trim() ?? '') ?? [];
    await open('queue');
    const waiting = page.getByRole('table', { name: words.waiting }).locator('tbody tr').filter({ hasText: label });
    await waiting.getByText(words.comes).waitFor();
  });

  it.each(LANGUAGES)(
    'sees that somebody else has not come, without marking it, in $language',
    async ({ language }) => {
      const { words, isFine, isNoShow, openDay } = deskIn(language);
      await openDay(0);
      await isNoShow(words.waits);
      await isFine('end of the day');
    },
    PATIENCE,
  );
});
