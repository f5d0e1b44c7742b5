/** The desk gives tokens, a room calls, and the television in the waiting room shows it. */
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { focused, overflow, picture, register, Scene, violations } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { until } from '../support/until.ts';

let scene: Scene;
let eyesId: string;
let desk: Page;
let doctor: Page;
let tv: Page;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  const admin = api(await tokenOf(scene.prefix, 'ADMIN'));
  const ent = { code: 'ENT', name: 'Ear, nose and throat', tokenPrefix: 'A', isQueueEnabled: true };
  const { id: clinicId } = await dataOf(admin.POST('/api/hms/clinics', { body: ent }));
  const eyes = { code: 'EYE', name: 'Eyes', isQueueEnabled: true };
  eyesId = (await dataOf(admin.POST('/api/hms/clinics', { body: eyes }))).id;
  for (const name of ['Room 1', 'Room 2'])
    await dataOf(admin.POST('/api/hms/rooms', { body: { code: name, name, clinicId } }));
  tv = await (await scene.context({ viewport: { width: 1920, height: 1080 } })).newPage();
  await tv.goto(`${scene.origin}/tv`);
  const code = (await tv.locator('.code').textContent()) ?? '';
  await dataOf(admin.POST('/api/auth/displays', { body: { code, name: 'Waiting room', clinicIds: [clinicId] } }));
  [desk, doctor] = await Promise.all([scene.loggedIn('RECEPTION'), scene.loggedIn('DOCTOR')]);
  await register(desk, scene.origin, { firstName: 'Nora', lastName: 'Quinn' });
  const patientId = await register(desk, scene.origin, { firstName: 'Seán', lastName: 'Ó Briain', day: '1979-06-01' });
  // Without a weight, it leaves the order as it is.
  const { id: tierId } = await dataOf(admin.POST('/api/crm/vip-tiers', { body: { name: 'Gold' } }));
  await dataOf(admin.POST('/api/crm/vip-memberships', { body: { patientId, tierId } }));
}, 240_000);
afterAll(() => scene?.stop());

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const tokens = (page: Page) =>
  page.getByRole('table', { name: /^Waiting/ }).locator('tbody td:first-child .hms-number');
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
/** Until the last step is over, buttons ignore who presses them. */
const ready = (page: Page) => page.locator('[aria-disabled="true"]').first().waitFor({ state: 'detached' });

describe('the desk', () => {
  it('gives a token with a name and Enter, and another one without a mouse', async () => {
    await desk.getByRole('link', { name: 'Queue' }).click();
    await heading(desk, 'Queue').waitFor();
    expect(await violations(desk)).toEqual([]);
    const search = desk.getByRole('combobox', { name: 'Patient' });
    await desk.getByLabel('Clinic').selectOption({ label: 'Ear, nose and throat' });
    await search.focus();
    await desk.keyboard.type('quinn');
    await desk.getByRole('option', { name: /Nora Quinn/ }).waitFor();
    await desk.keyboard.press('Enter');
    await says(desk, 'A-001 for Nora Quinn. It takes about 15 to 23 min.');
    expect(await desk.locator(':focus').getAttribute('role')).toBe('combobox');
    await desk.keyboard.type('briain');
    await desk.getByRole('option', { name: /Ó Briain/ }).waitFor();
    await desk.keyboard.press('Enter');
    await says(desk, /^A-002 for Seán Ó Briain/);
    await desk.getByRole('row', { name: /A-002.*VIP Gold/ }).waitFor();
    await ready(desk);
    await desk.keyboard.press('Tab');
    await desk.keyboard.press('Tab');
    expect(await focused(desk)).toBe('Token without a patient');
    await desk.keyboard.press('Enter');
    await desk.keyboard.type('nash');
    await says(desk, /^A-003\. It takes about 45 to 68 min\./);
    expect(await search.inputValue()).toBe('nash');
    expect(await violations(desk)).toEqual([]);
  });

  it('empties and leaves the search with Escape, and calls nobody with a letter', async () => {
    const asked: string[] = [];
    desk.on('request', (request) => asked.push(request.method()));
    const search = desk.getByRole('combobox', { name: 'Patient' });
    await desk.keyboard.press('Escape');
    expect([await search.inputValue(), await focused(desk)]).toEqual(['', 'Patient']);
    await desk.keyboard.press('Escape');
    expect(await focused(desk)).toBe('nothing');
    await desk.keyboard.type('nsx');
    // A request would be on its way before the page is drawn again.
    await desk.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))');
    expect(asked).not.toContain('POST');
    desk.removeAllListeners('request');
  });

  it('is told that somebody has a token already, and is shown that one', async () => {
    const shown = desk.getByRole('region', { name: 'Give a token' }).locator('.hms-token .hms-number');
    expect(await shown.textContent()).toBe('A-003');
    await desk.getByRole('combobox', { name: 'Patient' }).fill('quinn');
    await desk.getByRole('option', { name: /Nora Quinn/ }).waitFor();
    await desk.keyboard.press('Enter');
    await says(desk, 'This patient has a token for this clinic already.');
    await until(
      'the token of the patient',
      () => shown.allTextContents(),
      (all) => all.join() === 'A-001',
    );
  });

  it('lets somebody go first, with the arrows', async () => {
    await ready(desk);
    await desk.getByLabel('Priority of A-003').focus();
    await desk.keyboard.press('ArrowDown');
    await says(desk, 'The priority of A-003 is changed.');
    await until(
      'the order',
      () => tokens(desk).allTextContents(),
      (all) => all[0] === 'A-003',
    );
    await ready(desk);
    expect(await focused(desk)).toBe('Priority of A-003');
    await desk.keyboard.press('ArrowUp');
    await until(
      'the order',
      () => tokens(desk).allTextContents(),
      (all) => all[0] === 'A-001',
    );
  });
});

describe('a room', () => {
  it('calls the next person with one key, and the television shows who and where', async () => {
    await doctor.goto(`${scene.origin}/queue`);
    await doctor.getByLabel('Clinic').selectOption({ label: 'Ear, nose and throat' });
    await doctor.getByLabel('Room', { exact: true }).selectOption({ label: 'Room 1' });
    await heading(doctor, 'Room 1').waitFor();
    expect(await focused(doctor)).toBe('Room 1');
    await doctor.reload();
    await heading(doctor, 'Room 1').waitFor();
    await heading(tv, 'Ear, nose and throat').waitFor();
    await tv.getByText('Waiting: 3').waitFor();
    await doctor.keyboard.press('n');
    await says(doctor, 'A-001 is called.');
    await doctor.getByRole('button', { name: 'Is here' }).waitFor();
    await tv.locator('.calls .fresh').filter({ hasText: 'A-001' }).filter({ hasText: 'Room 1' }).waitFor();
    await tv.getByText('Waiting: 2').waitFor();
    expect(await tv.locator('body').textContent()).not.toMatch(/Nora|Quinn/);
    expect(await violations(doctor)).toEqual([]);
    expect(await violations(tv)).toEqual([]);
    expect(await overflow(tv)).toBe(0);
    await picture(doctor, 'queue-room');
    await picture(tv, 'tv-queue');
  });

  it('goes on to the next with one key, and takes it back with another', async () => {
    await doctor.keyboard.press('h');
    await says(doctor, 'A-001 is in the room.');
    await doctor.getByRole('button', { name: 'Next', exact: false }).first().waitFor();
    await doctor.keyboard.press('n');
    await says(doctor, 'A-002 is called.');
    await tv.locator('.calls li').filter({ hasText: 'A-002' }).waitFor();
    await tv.locator('.calls li').filter({ hasText: 'A-001' }).waitFor({ state: 'detached' });
    await doctor.keyboard.press('u');
    await says(doctor, 'The last step of A-002 is undone.');
    await tv.locator('.calls li').filter({ hasText: 'A-002' }).waitFor({ state: 'detached' });
  });

  it('shows the desk at once what the room does', async () => {
    await doctor.keyboard.press('n');
    await says(doctor, 'A-002 is called.');
    await until(
      'the table of the desk',
      () => tokens(desk).allTextContents(),
      (all) => all.join() === 'A-003',
    );
  });

  it('does nothing when somebody types a letter into a field', async () => {
    const search = doctor.getByRole('combobox', { name: 'Patient' });
    await search.fill('');
    await search.pressSequentially('xsdun');
    await doctor.getByText('A-002').first().waitFor();
    expect(await doctor.getByRole('button', { name: 'Is here' }).count()).toBe(1);
    await doctor.keyboard.press('Escape');
  });
});

describe('a ticket', () => {
  /** What the printer gets, instead of the browser's dialog. */
  const watchPrinter = () =>
    desk.evaluate(`
      window.sheets = [];
      window.print = () => {
        const code = document.querySelector('.hms-ticket img');
        sheets.push({ text: document.body.innerText, hasCode: code.complete && code.naturalWidth > 0 });
      };`);
  const sheets = (count: number) =>
    until(
      'the printed sheets',
      () => desk.evaluate<readonly { readonly text: string; readonly hasCode: boolean }[]>('window.sheets'),
      ({ length }) => length === count,
    );

  it('is printed alone on its sheet, with the clinic and a code for the phone', async () => {
    await watchPrinter();
    await desk.emulateMedia({ media: 'print' });
    await desk.evaluate("[...document.querySelectorAll('button')].find((one) => one.innerText === 'Print').click()");
    const [sheet] = await sheets(1);
    await desk.emulateMedia({ media: 'screen' });
    expect(sheet?.hasCode).toBe(true);
    expect(sheet?.text.split('\n').filter(Boolean)).toEqual([
      "St. Mary's Hospital",
      'Ear, nose and throat',
      'A-001',
      expect.stringMatching(/^About \d+ to \d+ min/),
      expect.stringMatching(/^\d{1,2} \w+ \d{4}, \d\d:\d\d$/),
      'Scan this to see when it is your turn.',
    ]);
    expect(await desk.locator('.hms-ticket').count()).toBe(0);
  });

  it('is printed with each token on a desk that wants it, also after a reload', async () => {
    await desk.getByLabel('Print each token').check();
    await ready(desk);
    await desk.getByRole('button', { name: 'Token without a patient' }).click();
    await says(desk, /^A-004\./);
    await sheets(2);
    await desk.reload();
    await desk.getByLabel('Clinic').selectOption({ label: 'Ear, nose and throat' });
    await watchPrinter();
    await desk.getByRole('button', { name: 'Token without a patient' }).click();
    await says(desk, /^A-005\./);
    await sheets(1);
    await desk.getByLabel('Print each token').uncheck();
    await ready(desk);
    await desk.getByRole('button', { name: 'Token without a patient' }).click();
    await says(desk, /^A-006\./);
    await sheets(1);
  });
});

describe('a long list', () => {
  /** Whose row has the focus, and what in it. */
  const inRow = async () => [
    await desk.evaluate("document.activeElement.closest('tr')?.querySelector('.hms-number').textContent"),
    await focused(desk),
  ];
  const action = (label: string, name: string) =>
    desk.getByRole('row', { name: label }).getByRole('button', { name, exact: true });
  const waiting = (count: number) => heading(desk, `Waiting: ${count}`).waitFor();
  const isFocused = (label: string, name: string) =>
    until('the focus', inRow, (found) => found.join() === `${label},${name}`);

  it('shows what was done where somebody has scrolled, and takes nobody out by a second click', async () => {
    const reception = api(await tokenOf(scene.prefix, 'RECEPTION'));
    const params = { path: { clinicId: eyesId } };
    for (let count = 0; count < 13; count++)
      await dataOf(reception.POST('/api/queue/{clinicId}/entries', { params, body: {} }));
    await desk.getByLabel('Clinic').selectOption({ label: 'Eyes' });
    await waiting(13);
    const button = action('EYE-010', 'Cancel');
    await button.scrollIntoViewIfNeeded();
    const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
    await desk.mouse.click(x + 5, y + 5);
    await says(desk, 'EYE-010 is taken out.');
    await waiting(12);
    await isFocused('EYE-011', 'Cancel');
    await desk.mouse.click(x + 5, y + 5);
    const message = (await desk.getByText('EYE-010 is taken out.').boundingBox()) ?? { y: -1, height: 0 };
    expect(message.y).toBeGreaterThan(0);
    expect(message.y + message.height).toBeLessThan(800);
    // A second click would have been seen by now.
    await desk.evaluate('new Promise((done) => setTimeout(done, 500))');
    await waiting(12);
    await desk.locator('.hms-said').getByRole('button', { name: 'Undo' }).click();
    await says(desk, 'The last step of EYE-010 is undone.');
    await waiting(13);
    expect(await focused(desk)).toBe('The last step of EYE-010 is undone.');
    expect(await violations(desk)).toEqual([]);
  });

  it('keeps the focus where somebody works with the keyboard', async () => {
    await ready(desk);
    await action('EYE-002', 'Cancel').focus();
    await desk.keyboard.press('Enter');
    await waiting(12);
    await isFocused('EYE-003', 'Cancel');
    await ready(desk);
    await desk.keyboard.press('Enter');
    await says(desk, 'EYE-003 is taken out.');
    await isFocused('EYE-004', 'Cancel');
    await action('EYE-005', 'Send elsewhere').focus();
    await desk.keyboard.press('Enter');
    await until(
      'the list of clinics',
      () => focused(desk),
      (name) => name === 'Where does EYE-005 go?',
    );
    await desk.keyboard.press('Escape');
    await isFocused('EYE-005', 'Send elsewhere');
    await action('EYE-006', 'Phone: EYE-006').focus();
    await desk.keyboard.press('Enter');
    await desk.getByRole('button', { name: 'Close' }).waitFor();
    await desk.keyboard.press('Enter');
    await isFocused('EYE-006', 'Phone: EYE-006');
    const room = desk.getByRole('region', { name: 'Calls without a room' });
    await ready(desk);
    await room.getByRole('button', { name: 'Next' }).focus();
    await desk.keyboard.press('Enter');
    await says(desk, 'EYE-001 is called.');
    await until(
      'the focus',
      () => focused(desk),
      (name) => name === 'Is here',
    );
  });
});

describe('a phone in Arabic', () => {
  it('works mirrored, without a page that is too wide', async () => {
    const phone = await scene.loggedIn('NURSE', { viewport: { width: 320, height: 640 }, hasTouch: true });
    await phone.getByRole('button', { name: 'Language: English' }).click();
    await phone.getByRole('menuitem', { name: 'العربية' }).click();
    await phone.getByRole('heading', { name: 'المرضى', exact: true }).waitFor();
    await phone.goto(`${scene.origin}/queue`);
    await heading(phone, 'الانتظار').waitFor();
    await phone.getByText('A-003').first().waitFor();
    expect(await overflow(phone)).toBe(0);
    expect(await violations(phone)).toEqual([]);
    await phone.context().close();
  });
});
