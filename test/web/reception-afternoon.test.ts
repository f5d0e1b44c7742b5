/**
 * An afternoon at the reception, without a mouse, in English and in Arabic: somebody who looks like another patient, a
 * family, a VIP, visitors who come and go, and the list of who is in the house.
 */
import { type ApiClient, dataOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, randomPhone, Scene, violations, visit } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { choose, goesOnAt, keyTo } from '../support/keys.ts';
import { type Say, wordsOf } from '../support/words.ts';

const LANGUAGES = ['en', 'ar'] as const;
const PEOPLE = {
  en: { firstName: 'Nora', lastName: 'Quinn', again: 'Norah', child: 'Liam', visitor: 'Oisin Daly' },
  ar: { firstName: 'ليلى', lastName: 'منصور', again: 'ليلي', child: 'عمر', visitor: 'كريم سعد' },
};
const BORN = '1988-02-29';
const SLOW = 180_000;

let scene: Scene;
let page: Page;
let admin: ApiClient;
let tierId: string;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital", { settings: { country: 'IE' } });
  admin = api(await tokenOf(scene.prefix, 'ADMIN'));
  ({ id: tierId } = await dataOf(admin.POST('/api/crm/vip-tiers', { body: { name: 'Gold' } })));
  page = await scene.loggedIn('RECEPTION');
}, SLOW);
afterAll(() => scene?.stop());

describe.each(LANGUAGES)('an afternoon in %s', (language) => {
  const { firstName, lastName, again, child, visitor } = PEOPLE[language];
  const phone = randomPhone();
  const name = `${firstName} ${lastName}`;
  let say: Say;
  let id: string;
  let code: string;
  const press = (key: string) => page.keyboard.press(key);
  const type = (text: string) => page.keyboard.type(text);
  /** Tab leads to a field, in which something is typed. */
  const fill = async (key: string, text: string) => {
    await keyTo(page, 'Tab', say(key));
    await type(text);
  };
  /** A pass for the patient, with which the visitor comes in at once. */
  const issuePass = async (visitorName: string) => {
    await visit(page, `${scene.origin}/visitors`);
    await goesOnAt(page, say('visitors.scan'));
    await keyTo(page, 'Tab', say('visitors.new'));
    await press('Enter');
    await goesOnAt(page, say('visitors.patient'));
    await type(name);
    await page.getByRole('option').first().waitFor();
    await press('Enter');
    await goesOnAt(page, say('visitors.name'));
    await type(visitorName);
    await press('Control+Enter');
  };
  const isFine = async () => expect([await overflow(page), await violations(page)]).toEqual([0, []]);

  beforeAll(async () => {
    say = await wordsOf(language);
    await page.evaluate(`localStorage.setItem('hms-language', '${language}')`);
    const body = { firstName, lastName, phone, dateOfBirth: BORN };
    ({ id, patientCode: code } = await dataOf(admin.POST('/api/hms/patients', { body })));
    await dataOf(admin.POST('/api/crm/vip-memberships', { body: { tierId, patientId: id } }));
  });

  it(
    'registers a child into the family of its mother, who comes under another spelling',
    async () => {
      await visit(page, `${scene.origin}/patients`);
      expect(await page.evaluate('document.documentElement.dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
      // Another spelling of somebody who is here: the desk opens the record instead.
      await keyTo(page, 'Tab', say('patients.new'));
      await press('Enter');
      await goesOnAt(page, say('patients.firstName'));
      await type(again);
      await fill('patients.lastName', lastName);
      await fill('patients.dateOfBirth', BORN);
      await fill('patients.phone', phone);
      await press('Control+Enter');
      await page.getByText(say('patients.alike_one')).waitFor();
      // Whoever sends the form all the same is asked for a reason. The records are above it.
      await goesOnAt(page, say('patients.otherPerson'));
      await isFine();
      await keyTo(page, 'Shift+Tab', say('patients.open', { code }));
      await press('Enter');
      // What was typed is not needed any more.
      await page.getByRole('alertdialog').waitFor();
      await keyTo(page, 'Tab', say('form.leave'));
      await press('Enter');
      await page.getByRole('heading', { level: 1, name }).waitFor();

      // The child.
      await visit(page, `${scene.origin}/patients/new`);
      await goesOnAt(page, say('patients.firstName'));
      await type(child);
      await fill('patients.lastName', lastName);
      await fill('patients.dateOfBirth', '2019-05-06');
      await fill('patients.phone', phone);
      const offer = page.getByRole('region', { name: say('family.offer') });
      await offer.waitFor();
      await keyTo(page, 'Tab', say('family.joinAs', { name: lastName, code: '' }).slice(0, 12));
      await choose(page, say('family.relationTo.child', { name }));
      await press('Control+Enter');
      await page.getByRole('heading', { level: 1, name: `${child} ${lastName}` }).waitFor();
      await page.getByRole('tab', { name: say('patients.tab.family') }).click();
      await page.getByText(say('family.relations.child'), { exact: true }).waitFor();
      await isFine();
    },
    SLOW,
  );

  it(
    'sees who is a VIP',
    async () => {
      await visit(page, `${scene.origin}/patients/${id}?tab=vip`);
      await page.getByText('Gold').first().waitFor();
      await isFine();
    },
    SLOW,
  );

  it(
    'lets visitors in and out, and prints who is in the house',
    async () => {
      await issuePass(visitor);
      await page.getByText(say('visitors.news.in', { name: visitor, patient: name })).waitFor();
      await isFine();

      // The list for an evacuation.
      const isList = { predicate: (one: { url(): string }) => one.url().includes('/visitors/inside') };
      await keyTo(page, 'Tab', say('visitors.printInside'));
      const [response] = await Promise.all([page.context().waitForEvent('response', isList), press('Enter')]);
      expect([response.status(), response.headers()['content-type']]).toEqual([200, 'application/pdf']);

      // A second visitor fills the room, and the third waits.
      for (const [number, outcome] of [
        ['2', say('visitors.news.in', { name: `${visitor} 2`, patient: name })],
        ['3', say('visitors.refusal.full', { number: '2' })],
      ] as const) {
        await issuePass(`${visitor} ${number}`);
        await page.getByText(outcome).waitFor();
      }
      await isFine();

      // The first one leaves: the pass is scanned.
      const { data: passes } = await admin.GET('/api/crm/visitors', { params: { query: { q: visitor, limit: 10 } } });
      const first = passes?.data.find((one) => one.name === visitor);
      await visit(page, `${scene.origin}/visitors`);
      await goesOnAt(page, say('visitors.scan'));
      await type(first?.scanCode ?? '');
      await press('Enter');
      await page.getByText(say('visitors.news.out', { name: visitor })).waitFor();

      // There is a place for the third.
      await keyTo(page, 'Tab', say('visitors.stepOf.check-in', { name: `${visitor} 3` }));
      await press('Enter');
      await page.getByText(say('visitors.news.in', { name: `${visitor} 3`, patient: name })).waitFor();
      await isFine();
    },
    SLOW,
  );
});
