/**
 * What a television shows stays readable, however many clinics it has and people are called, with the longest names and
 * notices, in each language, also when it stands on its side.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { picture, Scene, violations } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { applyHospital, whenReady } from '../support/hospitals.ts';
import { until } from '../support/until.ts';

const NAME = "St. Mary's Hospital";
const CLINICS = [
  'Ear, nose and throat',
  'عيادة الأنف والأذن والحنجرة',
  'Eyes',
  'Orthopaedics and surgery of accidents, second floor, beside the lifts',
];
/** Per clinic. The longest ones are as long as a name can be. */
const ROOMS = [
  ['Examination room 1', 'غرفة الفحص ٢', 'R3', 'Treatment room 4', 'Room 5', 'Room 6'],
  ['Consultation room 12, second floor', 'Room 2', 'Room 3', 'Room 4', 'Room 5', 'Room 6'],
  ['Consultation room of the professor of ophthalmology, second floor, on the left', 'R2', 'R3', 'R4', 'R5', 'R6'],
  ['W'.repeat(100), 'غرفة '.repeat(20).trim(), 'Room 3', 'Room 4', 'Room 5', 'Room 6'],
] as const;
/** One for each call. The long ones have as many letters as a notice can have. */
const NOTICES = [
  'Please keep your token until you are called. شكرا',
  'Please tell the desk if you have moved. '.repeat(5).trim(),
  'يرجى ارتداء الكمامة في غرفة الانتظار '.repeat(6).slice(0, 200),
  'Donaudampfschiff'.repeat(13).slice(0, 200),
  'W'.repeat(200),
  'Please wear a mask.',
];
const SCREENS = [
  { width: 1280, height: 720 },
  { width: 1080, height: 1920 },
  { width: 1920, height: 1080 },
];
const WAITING = 15;
/** The smallest letters of a called token and of a room, as a part of the shorter side of the screen. */
const SMALLEST = 1 / 30;
const SMALLEST_ROOM = 1 / 50;
/** Nobody who waits has larger letters than this part of the smallest call beside. */
const LARGEST_NEXT = 0.71;
/** The name of a room with so many letters is shown as a whole. */
const WHOLE = 18;

let scene: Scene;
let tv: Page;
const clinics: string[] = [];
/** Where nobody waits. */
const empty: string[] = [];
let display: string;
let notice: { readonly id: string; readonly version: number };
/** Per clinic, in the order in which they call. */
const rooms = new Map<string, readonly string[]>();

const admin = async () => api(await tokenOf(scene.prefix, 'ADMIN'));

beforeAll(async () => {
  scene = await Scene.start(NAME);
  for (const [index, name] of CLINICS.entries()) clinics.push(await clinic(name, index));
  for (const prefix of ['X', 'Y', 'Z']) empty.push(await clinicOf(prefix, `Clinic ${prefix}`));
  tv = await (await scene.context({ viewport: { width: 1920, height: 1080 } })).newPage();
  await tv.goto(`${scene.origin}/tv`);
  const code = (await tv.locator('.code').textContent()) ?? '';
  const body = { code, name: 'Hall', clinicIds: [...clinics] };
  display = (await dataOf((await admin()).POST('/api/auth/displays', { body }))).id;
  notice = await dataOf((await admin()).POST('/api/hms/notices', { body: { text: NOTICES[0] ?? '' } }));
}, 240_000);
afterAll(() => scene?.stop());

async function clinicOf(tokenPrefix: string, name: string): Promise<string> {
  const body = { code: `C${tokenPrefix}`, name, tokenPrefix, isQueueEnabled: true };
  return (await dataOf((await admin()).POST('/api/hms/clinics', { body }))).id;
}

/** With people who wait, and rooms. */
async function clinic(name: string, index: number): Promise<string> {
  const by = await admin();
  const id = await clinicOf('ABCD'[index] ?? 'A', name);
  const made: string[] = [];
  for (const [number, room] of (ROOMS[index] ?? []).entries()) {
    const body = { code: `${index}-${number}`, name: room, clinicId: id };
    made.push((await dataOf(by.POST('/api/hms/rooms', { body }))).id);
  }
  rooms.set(id, made);
  for (let one = 0; one < WAITING; one += 1)
    await dataOf(by.POST('/api/queue/{clinicId}/entries', { params: { path: { clinicId: id } }, body: {} }));
  return id;
}

/** The next room calls, in each clinic. */
async function callIn(number: number): Promise<void> {
  const by = await admin();
  for (const clinicId of clinics) {
    const body = { roomId: rooms.get(clinicId)?.[number] ?? '' };
    await dataOf(by.POST('/api/queue/{clinicId}/call-next', { params: { path: { clinicId } }, body }));
  }
}

/** Nobody of them came. */
async function endCalls(): Promise<void> {
  const by = await admin();
  for (const clinicId of clinics) {
    const { called } = await dataOf(by.GET('/api/queue/{clinicId}', { params: { path: { clinicId } } }));
    for (const { id } of called)
      await dataOf(by.POST('/api/queue/entries/{id}/no-show', { params: { path: { id } }, body: {} }));
  }
}

/** The display has these clinics. */
async function follow(clinicIds: readonly string[]): Promise<void> {
  const params = { path: { id: display } };
  const by = await admin();
  const { version } = await dataOf(by.GET('/api/auth/displays/{id}', { params }));
  await dataOf(
    by.PUT('/api/auth/displays/{id}', { params, body: { name: 'Hall', version, clinicIds: [...clinicIds] } }),
  );
  await tv.locator(`.clinics[data-columns="${clinicIds.length}"]`).waitFor();
}

/** The display shows so many clinics, beginning with one of them, with so many calls in each. */
async function show(first: number, count: number, calls: number): Promise<void> {
  await follow(Array.from({ length: count }, (_, index) => clinics[(first + index) % clinics.length] ?? ''));
  for (let one = 0; one < count; one += 1)
    await tv
      .locator('section')
      .nth(one)
      .locator('.calls li')
      .nth(calls - 1)
      .waitFor();
}

/** The only notice. */
async function notify(text: string): Promise<void> {
  const params = { path: { id: notice.id } };
  notice = await dataOf(
    (await admin()).PUT('/api/hms/notices/{id}', { params, body: { text, version: notice.version } }),
  );
  await tv.locator('aside').getByText(text, { exact: true }).waitFor();
}

/** What does not fit, on each screen. */
async function unfit(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const screen of SCREENS) {
    await tv.setViewportSize(screen);
    found.push(...(await unfitNow()).map((what) => `${screen.width}: ${what}`));
  }
  return found;
}

const unfitNow = () =>
  tv.evaluate<readonly string[]>(`(() => {
    const found = [];
    const boxOf = (element) => element.getBoundingClientRect();
    const sizeOf = (element) => parseFloat(getComputedStyle(element).fontSize);
    const shorter = Math.min(innerWidth, innerHeight);
    const isIn = (box, frame, by = 1) =>
      box.left >= frame.left - by && box.right <= frame.right + by && box.top >= frame.top - by && box.bottom <= frame.bottom + by;
    const isOver = (one, other) =>
      one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    if (document.querySelector('.identify')) found.push('the name of the display is over everything');
    // Everything moves by a few pixels each minute.
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const parts = [...document.querySelectorAll('header, section, aside, footer')];
    for (const [index, part] of parts.entries()) {
      const what = part.getAttribute('aria-label') ?? part.tagName;
      if (!isIn(boxOf(part), screen, 5)) found.push(what + ' leaves the screen');
      for (const inner of part.children)
        if (part.tagName !== 'SECTION' && !isIn(boxOf(inner), boxOf(part))) found.push(what + ': ' + inner.tagName + ' leaves it');
      for (const other of parts.slice(index + 1))
        if (isOver(boxOf(part), boxOf(other))) found.push(what + ' is over ' + (other.getAttribute('aria-label') ?? other.tagName));
    }
    for (const section of document.querySelectorAll('section')) {
      const name = section.getAttribute('aria-label');
      const frame = boxOf(section);
      const title = getComputedStyle(section.querySelector('h2')).direction;
      if (title !== (name > '\u0600' ? 'rtl' : 'ltr')) found.push(name + ' is written ' + title);
      let above = frame.top;
      for (const part of section.children) {
        const { top, bottom, height } = boxOf(part);
        if (height === 0) continue;
        const what = name + ': ' + (part.className || part.tagName);
        if (bottom > frame.bottom + 1) found.push(what + ' leaves its frame by ' + Math.round(bottom - frame.bottom));
        if (top < above - 1) found.push(what + ' is over what is above it');
        above = bottom;
      }
      const list = boxOf(section.querySelector('.calls'));
      let smallest = Infinity;
      for (const call of section.querySelectorAll('.calls li')) {
        const [token, room] = call.children;
        const label = token.textContent;
        if (!isIn(boxOf(call), list)) found.push(label + ' is hidden');
        for (const part of call.children) if (!isIn(boxOf(part), boxOf(call))) found.push(label + ' leaves its box');
        if (isOver(boxOf(token), boxOf(room))) found.push(label + ' is over its room');
        if (token.scrollWidth > token.clientWidth + 1) found.push(label + ' is cut');
        if (room.textContent.length <= ${WHOLE} && room.scrollWidth > room.clientWidth + 1) found.push(label + ': the room is cut');
        smallest = Math.min(smallest, sizeOf(token));
        if (sizeOf(token) < shorter * ${SMALLEST}) found.push(label + ' is too small: ' + sizeOf(token));
        if (sizeOf(room) < shorter * ${SMALLEST_ROOM}) found.push(label + ': the room is too small: ' + sizeOf(room));
      }
      const next = boxOf(section.querySelector('.next'));
      const first = section.querySelector('.next li');
      const token = first.querySelector('.token');
      if (!isIn(boxOf(first), next)) found.push(name + ': who is next is cut');
      if (boxOf(section.querySelector('h3')).height === 0) found.push(name + ': nothing says who is next');
      if (sizeOf(token) > smallest * ${LARGEST_NEXT}) found.push(name + ': who is next is too large: ' + sizeOf(token) / smallest);
      const lookOf = (element) => getComputedStyle(element).backgroundColor;
      if (lookOf(first) === lookOf(section.querySelector('.calls li:last-child'))) found.push(name + ': calls look like who waits');
    }
    return found;
  })()`);

describe.each([
  ['en', 'Next', 'Nobody is waiting.'],
  ['ar', 'التالي', 'لا أحد ينتظر.'],
])('in the language %s', (language, next, nobody) => {
  beforeAll(async () => {
    await applyHospital(scene.prefix, {
      displayName: NAME,
      timezone: 'Europe/Dublin',
      settings: { country: 'IE', language },
    });
    await whenReady(scene.prefix);
    await until(
      'the language',
      async () => {
        await tv.reload();
        await tv.locator('section').first().waitFor();
        const shown = await tv.locator('html').getAttribute('lang');
        // The module that tells the display keeps settings for a moment.
        if (shown !== language) await sleep(2_000);
        return shown;
      },
      (shown) => shown === language,
      60_000,
    );
  }, 120_000);

  it('everybody who is called fits and stands out, in one clinic to four', async () => {
    for (const [number, text] of NOTICES.entries()) {
      await callIn(number);
      await notify(text);
      for (const count of [1, 2, 3, 4]) {
        await show(number, count, number + 1);
        expect({ number, count, unfit: await unfit() }).toEqual({ number, count, unfit: [] });
        expect(await tv.getByText(next, { exact: true }).count()).toBe(count);
        if (number === NOTICES.length - 1 && count === 4) await picture(tv, `tv-clinics-${language}`);
      }
    }
    expect(await violations(tv)).toEqual([]);
    await endCalls();
  }, 240_000);

  it('says so where nobody waits', async () => {
    await follow(empty);
    await tv
      .getByText(nobody, { exact: true })
      .nth(empty.length - 1)
      .waitFor();
  });
});
