/** What a television shows stays readable, however many clinics it has and people are called, in each language. */
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { picture, Scene, violations } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { applyHospital, whenReady } from '../support/hospitals.ts';

const NAME = "St. Mary's Hospital";
const CLINICS = ['Ear, nose and throat', 'عيادة الأنف والأذن والحنجرة', 'Eyes', 'Orthopaedics and trauma'];
const ROOMS = ['Examination room 1', 'غرفة الفحص ٢', 'R3', 'Treatment room 4', 'Room 5', 'Room 6'];
const WAITING = 15;
/** The smallest letters of a called token, as a part of the height of the screen. */
const SMALLEST = 1 / 30;

let scene: Scene;
let tv: Page;
let clinics: readonly string[];
let display: string;
/** Per clinic, in the order in which they call. */
const rooms = new Map<string, readonly string[]>();

const admin = async () => api(await tokenOf(scene.prefix, 'ADMIN'));

beforeAll(async () => {
  scene = await Scene.start(NAME);
  // The first login gives the person a password.
  await admin();
  clinics = await Promise.all(CLINICS.map((name, index) => clinic(name, index)));
  tv = await (await scene.context({ viewport: { width: 1920, height: 1080 } })).newPage();
  await tv.goto(`${scene.origin}/tv`);
  const code = (await tv.locator('.code').textContent()) ?? '';
  const body = { code, name: 'Hall', clinicIds: [...clinics] };
  display = (await dataOf((await admin()).POST('/api/auth/displays', { body }))).id;
  await dataOf(
    (await admin()).POST('/api/hms/notices', { body: { text: 'Please keep your token until you are called. شكرا' } }),
  );
}, 240_000);
afterAll(() => scene?.stop());

/** With people who wait, and rooms. */
async function clinic(name: string, index: number): Promise<string> {
  const by = await admin();
  const about = { code: `C${index}`, name, tokenPrefix: 'ABCD'[index] ?? 'A', isQueueEnabled: true };
  const { id } = await dataOf(by.POST('/api/hms/clinics', { body: about }));
  const made: string[] = [];
  for (const [number, room] of ROOMS.entries()) {
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

/** The display shows the first clinics, with so many calls in each. */
async function show(count: number, calls: number): Promise<void> {
  const clinicIds = clinics.slice(0, count);
  const params = { path: { id: display } };
  const by = await admin();
  const { version } = await dataOf(by.GET('/api/auth/displays/{id}', { params }));
  await dataOf(by.PUT('/api/auth/displays/{id}', { params, body: { name: 'Hall', version, clinicIds } }));
  await tv.locator(`.clinics[data-columns="${count}"]`).waitFor();
  for (let one = 0; one < count; one += 1)
    await tv
      .locator('section')
      .nth(one)
      .locator('.calls li')
      .nth(calls - 1)
      .waitFor();
}

/** What does not fit. */
const unfit = () =>
  tv.evaluate<readonly string[]>(`(() => {
    const found = [];
    const bottom = document.querySelector('main').getBoundingClientRect().bottom;
    for (const section of document.querySelectorAll('section')) {
      const name = section.getAttribute('aria-label');
      const frame = section.getBoundingClientRect();
      if (frame.bottom > bottom + 1) found.push(name + ' is behind the foot');
      let above = frame.top;
      for (const part of section.children) {
        const { top, bottom, height } = part.getBoundingClientRect();
        if (height === 0) continue;
        const what = name + ': ' + (part.className || part.tagName);
        if (bottom > frame.bottom + 1) found.push(what + ' leaves its frame by ' + Math.round(bottom - frame.bottom));
        if (top < above - 1) found.push(what + ' is over what is above it');
        above = bottom;
      }
      const list = section.querySelector('.calls')?.getBoundingClientRect();
      for (const call of section.querySelectorAll('.calls li')) {
        const { bottom, left, right } = call.getBoundingClientRect();
        const label = call.querySelector('bdi').textContent;
        if (bottom > list.bottom + 1) found.push(label + ' is hidden');
        for (const part of call.children) {
          const box = part.getBoundingClientRect();
          if (box.left < left - 1 || box.right > right + 1) found.push(label + ' is too wide');
          if (part.scrollWidth > part.clientWidth + 1) found.push(label + ' is cut: ' + part.textContent);
        }
        const letters = parseFloat(getComputedStyle(call).fontSize);
        if (letters < innerHeight * ${SMALLEST}) found.push(label + ' is too small: ' + letters);
      }
      const next = section.querySelector('.next')?.getBoundingClientRect();
      const first = section.querySelector('.next li')?.getBoundingClientRect();
      if (next?.height > 0 && first.bottom > next.bottom + 1) found.push(name + ': who is next is cut');
    }
    return found;
  })()`);

describe.each([
  ['en', 'Next'],
  ['ar', 'التالي'],
])('in the language %s', (language, next) => {
  beforeAll(async () => {
    await applyHospital(scene.prefix, {
      displayName: NAME,
      timezone: 'Europe/Dublin',
      settings: { country: 'IE', language },
    });
    await whenReady(scene.prefix);
    await tv.reload();
    await tv.locator(`html[lang="${language}"] section`).first().waitFor();
  }, 120_000);

  it('everybody who is called fits, in one clinic to four', async () => {
    for (const number of ROOMS.keys()) {
      await callIn(number);
      for (const count of [1, 2, 3, 4]) {
        await show(count, number + 1);
        expect({ number, count, unfit: await unfit() }).toEqual({ number, count, unfit: [] });
        if (count < 3) await tv.getByText(next, { exact: true }).first().waitFor();
        if (number === 1) await picture(tv, `tv-${language}-${count}`);
      }
    }
    expect(await violations(tv)).toEqual([]);
    await endCalls();
  }, 240_000);
});
