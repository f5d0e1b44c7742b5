/** From the console to the portal of a hospital: somebody of the platform acts as somebody of it, and everybody can see it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { platform } from '../platform.ts';
import { fillPatient, logIn, overflow, picture, register, Scene, violations, visit } from '../support/browser.ts';
import { type ConsolePerson, consolePerson } from '../support/console-people.ts';
import { call } from '../support/gateway.ts';
import { codesTo } from '../support/mails.ts';
import { until } from '../support/until.ts';

const SLOW = 180_000;
const REASON = 'Ticket 4711: the list of patients stays empty since this morning';
const CONSOLE = `http://console.${platform().domain}:${platform().ports.gateway}`;

let scene: Scene;
let support: ConsolePerson;
let admin: ConsolePerson;
let context: BrowserContext;
/** The console, where somebody of the support has logged in. */
let desk: Page;
let patient: string;

beforeAll(async () => {
  [scene, support, admin] = await Promise.all([
    Scene.start("St. Mary's Hospital"),
    consolePerson('PLATFORM_SUPPORT'),
    consolePerson('PLATFORM_ADMIN'),
  ]);
  await scene.person('DOCTOR');
  const reception = await scene.loggedIn('RECEPTION');
  patient = await register(reception, scene.origin, { firstName: 'Ann', lastName: 'Lee' });
  await reception.context().close();
  desk = await deskOf(support);
  context = desk.context();
}, SLOW);
afterAll(() => scene?.stop());

async function deskOf({ email, password }: ConsolePerson): Promise<Page> {
  const page = await (await scene.context()).newPage();
  await page.goto(`${CONSOLE}/`);
  const before = (await codesTo(email)).length;
  await logIn(page, email, password);
  const [code = ''] = (
    await until(
      'a code',
      () => codesTo(email),
      ({ length }) => length > before,
    )
  ).slice(-1);
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('link', { name: 'Act as somebody' }).waitFor();
  return page;
}

/** Begins one in the console. */
async function begin(page: Page, role = 'doctor', write = false): Promise<void> {
  await page.getByRole('link', { name: 'Act as somebody' }).click();
  const another = page.getByRole('button', { name: 'Hospital: choose another one' });
  if ((await another.count()) > 0) await another.click();
  await page.getByRole('combobox', { name: 'Hospital' }).fill(scene.prefix);
  await page.getByRole('combobox', { name: 'Hospital' }).press('Enter');
  await page.getByRole('combobox', { name: 'Person' }).fill(`${role}@${scene.prefix}.example`);
  await page.getByRole('combobox', { name: 'Person' }).press('Enter');
  await page.getByRole('textbox', { name: 'Reason' }).fill(REASON);
  if (write) await page.getByLabel('Read and write').check();
  await page.getByRole('button', { name: 'Begin' }).click();
}

/** Opens the portal in a new tab. */
async function open(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Open the portal' }).click();
  const portal = await opened;
  await bar(portal).waitFor();
  return portal;
}

/** The beginnings of the buttons that write. */
const WRITING = /^(?:Register|New|Edit|Delete|Save|Add|Book|Give|Call|Check in|Choose a photo)\b/;
const bar = (page: Page) => page.getByRole('region', { name: 'You act as somebody else' });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
/** Whether a click in the middle of the bar's button would meet the button. */
const isOnTop = (page: Page) =>
  page.evaluate(`(() => {
    const button = document.querySelector('.hms-acting button');
    const { left, top, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  })()`);

describe('somebody of the support', () => {
  let portal: Page;

  it(
    'begins with a reason in the console',
    async () => {
      await desk.getByRole('link', { name: 'Act as somebody' }).click();
      await heading(desk, 'Act as somebody').waitFor();
      expect(await violations(desk)).toEqual([]);
      expect(await desk.getByLabel('Read and write').count()).toBe(0);
      await begin(desk, 'owner');
      await scene.person('OWNER');
      await desk.getByRole('alert').waitFor();
      await begin(desk);
      await desk.getByText('You can act as').waitFor();
      expect(await violations(desk)).toEqual([]);
    },
    SLOW,
  );

  it(
    'comes to the portal, and no address has the code or a token',
    async () => {
      const addresses: string[] = [];
      const note = (request: Request) => addresses.push(`${request.url()} ${request.headers().referer ?? ''}`);
      context.on('request', note);
      const code = (await desk.locator('input[name=code]').inputValue()) || 'missing';
      portal = await open(desk);
      await heading(portal, 'Patients').waitFor();
      context.off('request', note);
      expect(addresses.some((address) => address.includes('/session/impersonation'))).toBe(true);
      for (const address of [...addresses, portal.url()]) {
        expect(address).not.toContain(code);
        expect(address).not.toContain('eyJ');
      }
      // Neither has the history of the tab, nor a storage.
      expect(
        await portal.evaluate('JSON.stringify([history.state, {...sessionStorage}, {...localStorage}])'),
      ).not.toContain(code);
      expect(await portal.evaluate('document.cookie')).toBe('');
      expect(await desk.getByRole('button', { name: 'Open the portal' }).count()).toBe(0);
    },
    SLOW,
  );

  it(
    'sees all the time who acts as whom, why, and how long',
    async () => {
      const text = (await bar(portal).textContent()) ?? '';
      for (const part of ['Sam Support', 'Demo Doctor', REASON, 'Only reading.', 'left']) expect(text).toContain(part);
      expect(await bar(portal).getByRole('button').count()).toBe(1);
      expect(await violations(portal)).toEqual([]);
      await picture(portal, 'impersonation');
      await portal.goto(`${scene.origin}/patients/${patient}`);
      await heading(portal, 'Ann Lee').waitFor();
      await bar(portal).waitFor();
      const top = (await portal.getByRole('banner').getByRole('button').first().boundingBox())?.y ?? 0;
      expect(top).toBeGreaterThanOrEqual((await bar(portal).boundingBox())?.height ?? 1_000);
      await portal.emulateMedia({ media: 'print' });
      expect(await bar(portal).isVisible()).toBe(true);
      await portal.emulateMedia({ media: 'screen' });
    },
    SLOW,
  );

  it(
    'is told clearly that nothing may be changed',
    async () => {
      await portal.goto(`${scene.origin}/patients/new`);
      await portal.getByText('You act as somebody else and may only read.').waitFor();
      expect(await violations(portal)).toEqual([]);
      const main = portal.getByRole('main');
      for (const path of ['patients', `patients/${patient}`, 'departments', 'appointments', 'queue', 'visitors']) {
        await visit(portal, `${scene.origin}/${path}`);
        const names = await main.getByRole('button').or(main.getByRole('link')).allTextContents();
        expect([path, names.filter((name) => WRITING.test(name))]).toEqual([path, []]);
      }
    },
    SLOW,
  );

  it(
    'keeps it over a reload, in this tab only, beside other sessions of the same host',
    async () => {
      const { email, password } = await scene.person('RECEPTION');
      const other = await context.newPage();
      await other.goto(`${scene.origin}/`);
      await logIn(other, email, password);
      await heading(other, 'Patients').waitFor();
      expect(await bar(other).count()).toBe(0);
      portal.on('dialog', (dialog) => void dialog.accept());
      await portal.reload();
      await bar(portal).waitFor();
      await other.reload();
      await heading(other, 'Patients').waitFor();
      await other.getByRole('button', { name: 'Account of Demo Reception' }).waitFor();
      expect(await bar(other).count()).toBe(0);
      await portal.getByRole('button', { name: 'Account of Demo Doctor' }).waitFor();
      await other.close();
    },
    SLOW,
  );

  it(
    'ends it at will, and the tab has nothing of the hospital any more',
    async () => {
      await portal.goto(`${scene.origin}/patients`);
      await bar(portal).getByRole('button', { name: 'End now' }).click();
      await heading(portal, 'The impersonation has ended').waitFor();
      expect(await violations(portal)).toEqual([]);
      expect(await portal.getByText('Ann').count()).toBe(0);
      await portal.goBack().catch(() => null);
      await portal.goto(`${scene.origin}/patients`);
      // Somebody else's session of this browser goes on.
      await portal.getByRole('button', { name: 'Account of Demo Reception' }).waitFor();
      expect(await bar(portal).count()).toBe(0);
      await portal.close();
      // Without a reload.
      await desk.getByText('ended by Sam Support').waitFor({ timeout: 5_000 });
      expect(await violations(desk)).toEqual([]);
    },
    SLOW,
  );
});

describe('the code of a start', () => {
  it(
    'stays on the page while the list can not be read, and leaves it when the list says that it has ended',
    async () => {
      await desk.getByRole('link', { name: 'Act as somebody' }).click();
      const list = desk.getByRole('table', { name: 'Your impersonations' });
      await list.or(desk.getByText('There are none yet.')).waitFor();
      const lists = '**/api/auth/impersonations/own*';
      const json = { success: false, error: { code: 'INTERNAL', message: 'broken' } };
      await desk.route(lists, (route) => route.fulfill({ status: 500, json }));
      await begin(desk);
      await desk.getByRole('button', { name: 'Open the portal' }).waitFor();
      await desk.getByRole('alert').waitFor();
      const hasCode = () => desk.locator('input[name=code]').count();
      expect(await hasCode()).toBe(1);
      await desk.unroute(lists);
      await desk.getByRole('button', { name: 'Try again' }).click();
      await list.getByRole('button', { name: 'End now: access of Sam Support' }).click();
      await until('the code to leave', hasCode, (count) => count === 0);
    },
    SLOW,
  );
});

describe('the bar', () => {
  it(
    'is above every dialog, and works there',
    async () => {
      const office = await deskOf(admin);
      await begin(office, 'doctor', true);
      const portal = await open(office);
      // No dialog of the kit has a higher number.
      await portal.evaluate(`(() => {
        const cover = document.createElement('div');
        cover.id = 'cover';
        cover.style.cssText = 'position: fixed; inset: 0; z-index: 10000; background: #000';
        document.body.append(cover);
      })()`);
      expect(await isOnTop(portal)).toBe(true);
      await portal.evaluate("document.getElementById('cover').remove()");
      await portal.goto(`${scene.origin}/patients/new`);
      await fillPatient(portal, { firstName: 'Bob', lastName: 'Ray' });
      await portal.getByRole('button', { name: 'Register', exact: true }).click();
      await heading(portal, 'Bob Ray').waitFor();
      expect((await bar(portal).textContent()) ?? '').toContain('Reading and writing.');
      await office.context().close();
    },
    SLOW,
  );

  it(
    'is there on a phone, in Arabic, and with forced colors',
    async () => {
      const office = await deskOf(admin);
      await begin(office);
      const portal = await open(office);
      await portal.setViewportSize({ width: 320, height: 640 });
      await portal.getByRole('button', { name: 'Language: English' }).click();
      await portal.getByRole('menuitem', { name: 'العربية' }).click();
      await portal.getByRole('heading', { name: 'المرضى', exact: true }).waitFor();
      const arabic = portal.getByRole('region', { name: 'أنت تعمل باسم شخص آخر' });
      await arabic.waitFor();
      expect(await overflow(portal)).toBe(0);
      expect(await isOnTop(portal)).toBe(true);
      expect(await violations(portal)).toEqual([]);
      await portal.emulateMedia({ forcedColors: 'active' });
      expect(await arabic.isVisible()).toBe(true);
      await arabic.getByRole('button', { name: 'إنهاء الآن' }).click();
      await portal.getByRole('heading', { name: 'انتهى العمل باسم شخص آخر' }).waitFor();
      await office.context().close();
    },
    SLOW,
  );
});

describe('an owner', () => {
  it(
    'sees who acts as whom, and ends it',
    async () => {
      await begin(desk);
      const portal = await open(desk);
      await heading(portal, 'Patients').waitFor();
      const owner = await scene.loggedIn('OWNER');
      await owner.getByRole('link', { name: 'Support access' }).click();
      await owner.getByText(REASON).first().waitFor();
      expect(await violations(owner)).toEqual([]);
      await picture(owner, 'support-access');
      await owner.getByRole('button', { name: 'End now: access of Sam Support' }).click();
      await owner.getByText('ended by Demo Owner').waitFor();
      // The next request of the page is refused, of this click or one in the background before it. The page leaves for
      // another address, which aborts whatever waits for the former one.
      const over = heading(portal, 'The impersonation has ended');
      await portal.getByRole('link', { name: 'Employees' }).or(over).click();
      await over.waitFor();
      expect(portal.url()).toMatch(/impersonation-over/);
      await owner.getByRole('link', { name: 'Audit log' }).click();
      await owner.getByText(`really Sam Support of the platform`).first().waitFor();
      expect(await violations(owner)).toEqual([]);
      await owner.context().close();
      await portal.close();
    },
    SLOW,
  );
});

describe('a hostile page', () => {
  /** Sends a form from another origin, like the console does. @returns the status of the answer. */
  async function forge(from: string, body: Readonly<Record<string, string>>): Promise<number> {
    const page = await (await scene.context()).newPage();
    await page.route(`${from}/hostile`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<form method="post"></form>' }),
    );
    await page.goto(`${from}/hostile`);
    const answer = page.waitForResponse((response) => response.url().endsWith('/session/impersonation'));
    const inputs = Object.entries(body).map(([name, value]) => `<input name="${name}" value="${value}">`);
    await page.setContent(
      `<form method="post" action="${scene.origin}/session/impersonation">${inputs.join('')}</form>`,
    );
    await page.evaluate('document.forms[0].submit()');
    const status = (await answer).status();
    expect((await page.context().cookies(scene.origin)).map(({ name }) => name)).toEqual([]);
    await page.context().close();
    return status;
  }

  it(
    'can not put anybody into an impersonation, even with a right code',
    async () => {
      await begin(desk);
      const field = (name: string) => desk.locator(`input[name=${name}]`).inputValue();
      const body = { id: await field('id'), code: await field('code') };
      for (const origin of [
        `http://evil.${platform().domain}:${platform().ports.gateway}`,
        'http://evil.example',
        scene.origin,
      ])
        expect([origin, await forge(origin, body)]).toEqual([origin, 403]);
      // The code was not used up: the console itself can still hand it over.
      const portal = await open(desk);
      await portal.close();
    },
    SLOW,
  );

  it(
    'finds no use for a code that was used, nor for the address where an impersonation begins',
    async () => {
      const victim = await scene.loggedIn('RECEPTION');
      await victim.goto(`${scene.origin}/impersonation`);
      await heading(victim, 'The impersonation has ended').waitFor();
      await victim.getByRole('link', { name: 'Go to the login page' }).click();
      // The own session is as it was.
      await victim.getByRole('button', { name: 'Account of Demo Reception' }).waitFor();
      await victim.context().close();

      await begin(desk);
      const replay = {
        id: await desk.locator('input[name=id]').inputValue(),
        code: await desk.locator('input[name=code]').inputValue(),
      };
      const portal = await open(desk);
      const again = await call('POST', '/session/impersonation', {
        host: new URL(scene.origin).host,
        headers: { origin: CONSOLE, 'content-type': 'application/x-www-form-urlencoded' },
        raw: new URLSearchParams(replay).toString(),
      });
      expect([again.status, again.headers.location, again.headers['set-cookie']]).toEqual([
        ...[303, '/impersonation', undefined],
      ]);
      await portal.close();
    },
    SLOW,
  );
});
