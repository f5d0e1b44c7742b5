/** An owner's first day, from the invitation to a television that is paired, and the life of that television. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { request } from 'undici';
import { platform } from '../platform.ts';
import { clickAndConfirm, logIn, overflow, picture, Scene, violations } from '../support/browser.ts';
import { applyHospital, whenCondition, whenReady } from '../support/hospitals.ts';
import { codesTo, mailsTo } from '../support/mails.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
const PASSWORD = 'a long passphrase';
const OWNER = { email: `owner-${Date.now()}@st-mary.example`, firstName: 'Ann', lastName: 'Byrne' };
const HOSPITAL = "St. Mary's Hospital";
const TELEVISION = { viewport: { width: 1920, height: 1080 } };

let scene: Scene;
let owner: Page;
/** The browser of the television, which keeps its cookie. */
let living: BrowserContext;
let tv: Page;

beforeAll(async () => {
  scene = await Scene.start(HOSPITAL, { owner: OWNER, identity: { secondFactor: 'Email' } });
  living = await scene.context(TELEVISION);
}, 180_000);
afterAll(() => scene?.stop());

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** A television that has just been switched on. Its clock can be put forward. */
async function switchedOn(): Promise<Page> {
  const page = await living.newPage();
  await page.clock.install();
  await page.goto(`${scene.origin}/tv`);
  return page;
}

const shownCode = async (page: Page) => (await page.locator('.code').textContent()) ?? '';

/** Logs the owner in, with the code from the next mail. */
async function logOwnerIn(page: Page): Promise<void> {
  const before = (await codesTo(OWNER.email)).length;
  await logIn(page, OWNER.email, PASSWORD);
  await typeCode(page, before);
}

/** Types the code that is mailed to the owner. @param before how many were mailed until now. */
async function typeCode(page: Page, before: number): Promise<void> {
  const [code = ''] = await until(
    'a code',
    async () => (await codesTo(OWNER.email)).slice(before),
    ({ length }) => length > 0,
  );
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.keyboard.press('Enter');
}

describe('an owner on the first day', () => {
  it(
    'follows the invitation, chooses a password, and logs in with a code',
    async () => {
      const [mail] = await until(
        'an invitation',
        () => mailsTo(OWNER.email),
        ({ length }) => length > 0,
      );
      const [, link = ''] = /href="([^"]*\/invitation#[^"]*)"/.exec(mail?.html ?? '') ?? [];
      owner = await (await scene.context()).newPage();
      const before = (await codesTo(OWNER.email)).length;
      await owner.goto(link);
      await owner.getByLabel('New password').fill(PASSWORD);
      await owner.keyboard.press('Enter');
      await typeCode(owner, before);
      await heading(owner, 'Patients').waitFor();
    },
    SLOW,
  );

  it('hires a doctor', async () => {
    await owner.getByRole('link', { name: 'Employees' }).click();
    await owner.getByRole('link', { name: 'New employee' }).click();
    await owner.getByLabel('First name').fill('Dara');
    await owner.getByLabel('Last name').fill('Quinn');
    await owner.getByLabel('Email address').fill(`dara-${OWNER.email}`);
    await owner.getByLabel('Doctor').check();
    await owner.keyboard.press('Control+Enter');
    await heading(owner, 'Dara Quinn').waitFor();
    await until(
      'an invitation of the doctor',
      () => mailsTo(`dara-${OWNER.email}`),
      ({ length }) => length > 0,
    );
  });

  it('opens a clinic without a mouse', async () => {
    await owner.getByRole('link', { name: 'Clinics' }).press('Enter');
    await owner.getByText('There are no clinics yet.').waitFor();
    expect(await violations(owner)).toEqual([]);
    for (const [name, code] of [
      ['Ear, nose and throat', 'ENT-1'],
      ['Eyes', 'EYE-1'],
    ] as const) {
      await owner.getByRole('link', { name: 'New clinic' }).press('Enter');
      await heading(owner, 'New clinic').waitFor();
      await owner.keyboard.type(name);
      await owner.keyboard.press('Enter');
      await owner.keyboard.type(code);
      expect(await violations(owner)).toEqual([]);
      await owner.keyboard.press('Control+Enter');
      await owner.getByRole('link', { name }).waitFor();
    }
  });

  it('pairs a television with the code that it shows', async () => {
    tv = await switchedOn();
    await heading(tv, 'Pair this display').waitFor();
    await tv.getByText(HOSPITAL).waitFor();
    const code = await shownCode(tv);
    expect(code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
    expect(await violations(tv)).toEqual([]);
    // Nobody can scroll on a television.
    expect(await tv.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
    await picture(tv, 'tv-code');
    await owner.getByRole('link', { name: 'Displays' }).press('Enter');
    await owner.getByText('There are no displays yet.').waitFor();
    expect(await violations(owner)).toEqual([]);
    await owner.getByRole('link', { name: 'Pair a display' }).press('Enter');
    await heading(owner, 'Pair a display').waitFor();
    await owner.keyboard.type('wrong');
    await owner.keyboard.press('Control+Enter');
    await owner.getByText('Write the eight letters on the display').waitFor();
    expect(await violations(owner)).toEqual([]);
    await owner.getByRole('textbox', { name: 'Name' }).fill('Waiting room 2');
    await owner.getByLabel('Ear, nose and throat').press('Space');
    await owner.getByLabel('Code on the display').fill(code);
    await picture(owner, 'pair-display');
    await owner.getByLabel('Code on the display').fill('BBBB-BBBB');
    await owner.keyboard.press('Control+Enter');
    await owner.getByText('No display shows this code now.').waitFor();
    // As people type it.
    await owner.getByLabel('Code on the display').fill(code.toLowerCase().replace('-', ' '));
    await owner.keyboard.press('Control+Enter');
    await heading(owner, 'Waiting room 2').waitFor();
    await heading(tv, 'Ear, nose and throat').waitFor();
    await tv.getByText('Nobody is waiting.').waitFor();
    await tv.getByText('This display: Waiting room 2').waitFor();
    await tv.getByText('Connected', { exact: true }).waitFor();
    expect(await violations(tv)).toEqual([]);
    await picture(tv, 'tv-board');
  });

  it('sees at once that the television is on', async () => {
    await owner.getByText('On', { exact: true }).first().waitFor();
    await owner.getByText('Last seen').waitFor();
    expect(await violations(owner)).toEqual([]);
    await owner.getByRole('link', { name: 'Displays' }).click();
    await owner.getByRole('link', { name: 'Waiting room 2' }).waitFor();
    await owner.getByText('On', { exact: true }).first().waitFor();
    expect(await violations(owner)).toEqual([]);
    await picture(owner, 'displays');
  });

  it('sees what the television reports, and has it show its name', async () => {
    const build = await tv.evaluate<string>("JSON.parse(document.getElementById('start').textContent).build");
    await owner.getByRole('link', { name: 'Waiting room 2' }).press('Enter');
    await owner.getByText('Board received at').waitFor();
    const facts = owner.getByRole('main');
    for (const shown of [build.slice(0, 8), 'English']) await facts.getByText(shown, { exact: true }).waitFor();
    // This browser lets pages ring without a touch.
    await facts.getByRole('definition').filter({ hasText: /^On$/ }).waitFor();
    await owner.getByRole('button', { name: 'Identify' }).press('Enter');
    await owner.getByText('The display shows its name for 30 seconds.').waitFor();
    await tv.locator('.identify').getByText('Waiting room 2').waitFor();
    expect(await violations(tv)).toEqual([]);
    expect(await violations(owner)).toEqual([]);
  });

  it('sees that a television has older pages', async () => {
    await owner.getByText('Older pages').waitFor({ state: 'detached' });
    await tv.route('**/me/report', (route) =>
      route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), build: 'older' }) }),
    );
    await tv.clock.fastForward('01:05');
    await owner.getByText('Older pages').waitFor();
    await tv.unroute('**/me/report');
    await tv.clock.fastForward('01:05');
    await owner.getByText('Older pages').waitFor({ state: 'detached' });
  });

  it('tells everybody who waits something, without a mouse', async () => {
    await owner.getByRole('link', { name: 'Notices' }).press('Enter');
    await owner.getByText('There are no notices yet.').waitFor();
    await owner.getByRole('link', { name: 'New notice' }).press('Enter');
    await heading(owner, 'New notice').waitFor();
    await owner.keyboard.type('Please keep your token');
    expect(await violations(owner)).toEqual([]);
    await owner.keyboard.press('Control+Enter');
    await owner.getByRole('link', { name: 'Please keep your token' }).waitFor();
    await tv.getByRole('complementary', { name: 'Notices' }).getByText('Please keep your token').waitFor();
    await owner.getByRole('link', { name: 'Displays' }).press('Enter');
    await owner.getByRole('link', { name: 'Waiting room 2' }).waitFor();
  });
});

describe('a television', () => {
  it('keeps its secret where no script can read it', async () => {
    expect(await tv.evaluate('document.cookie')).toBe('');
    const stored = await tv.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(stored).not.toMatch(/ey[\w-]{20}|[\w-]{43}/);
    const cookies = await living.cookies(scene.origin);
    expect(cookies).toMatchObject([{ name: '__Host-hms-display', httpOnly: true, secure: true, sameSite: 'Strict' }]);
    expect((cookies[0]?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(60 * 24 * 3600);
    // Another site can't use it.
    const { statusCode, body } = await request(`http://127.0.0.1:${platform().ports.gateway}/session/display/token`, {
      method: 'POST',
      headers: {
        host: new URL(scene.origin).host,
        origin: 'https://elsewhere.example',
        'content-type': 'application/json',
        cookie: `__Host-hms-display=${cookies[0]?.value}`,
      },
      body: '{}',
    });
    expect(statusCode).toBe(403);
    expect(await body.text()).not.toContain('accessToken');
  });

  it('stays paired when it is switched off and on', async () => {
    await tv.close();
    tv = await switchedOn();
    await heading(tv, 'Ear, nose and throat').waitFor();
  });

  it('shows its new name and clinics', async () => {
    await owner.getByRole('link', { name: 'Waiting room 2' }).click();
    await owner.getByRole('button', { name: 'Edit' }).click();
    await owner.getByRole('textbox', { name: 'Name' }).fill('First floor');
    await owner.getByLabel('Eyes').check();
    await owner.keyboard.press('Control+Enter');
    await owner.getByText('Saved.').waitFor();
    await tv.clock.fastForward('03:00');
    await heading(tv, 'Eyes').waitFor();
    await tv.getByText('This display: First floor').waitFor();
    expect(await violations(tv)).toEqual([]);
  });

  it('says since when it has no connection, keeps what it shows, and continues by itself', async () => {
    await living.setOffline(true);
    await tv.clock.fastForward('00:19');
    await tv.getByText(/^No connection since \d\d:\d\d/).waitFor();
    await tv.clock.fastForward('06:00');
    await heading(tv, 'Eyes').waitFor();
    // What nobody can rely on is dimmed, and still readable.
    await tv.locator('.board.away').waitFor();
    expect(await violations(tv)).toEqual([]);
    await living.setOffline(false);
    await tv.clock.fastForward('02:00');
    await tv.getByText('Connected', { exact: true }).waitFor();
  });

  it(
    'waits while the hospital is suspended, and continues without a new pairing',
    async () => {
      await applyHospital(scene.prefix, { ...spec(), state: 'Suspended' });
      await whenCondition(scene.prefix, 'Suspended', ({ status }) => status === 'True');
      await tv.clock.fastForward('10:00');
      await tv.getByText('This hospital is suspended.').waitFor();
      await applyHospital(scene.prefix, { ...spec(), state: 'Active' });
      await whenReady(scene.prefix);
      const isBack = async () => {
        await tv.clock.fastForward('02:00');
        return tv.getByText('Connected', { exact: true }).isVisible();
      };
      await until('the television to continue', isBack, Boolean);
      await heading(tv, 'Eyes').waitFor();
    },
    SLOW,
  );

  it('shows a code again when it is unpaired', async () => {
    const page = await (await scene.context()).newPage();
    await page.goto(`${scene.origin}/displays`);
    await logOwnerIn(page);
    await page.getByRole('link', { name: 'First floor' }).click();
    await clickAndConfirm(page, 'Unpair');
    await page.getByText('There are no displays yet.').waitFor();
    const isAsking = async () => {
      await tv.clock.fastForward('02:00');
      return heading(tv, 'Pair this display').isVisible();
    };
    await until('a code', isAsking, Boolean);
    owner = page;
  });

  it('is paired with a phone that scans the picture, in Arabic', async () => {
    const arabic = await scene.context({ ...TELEVISION, locale: 'ar-EG' });
    const screen = await arabic.newPage();
    await screen.goto(`${scene.origin}/tv`);
    await heading(screen, 'ربط هذه الشاشة').waitFor();
    expect(await screen.evaluate('document.documentElement.dir')).toBe('rtl');
    expect(await violations(screen)).toEqual([]);
    expect(await overflow(screen)).toBe(0);
    await owner.setViewportSize({ width: 320, height: 640 });
    await owner.getByRole('button', { name: 'Language: English' }).click();
    await owner.getByRole('menuitem', { name: 'العربية' }).click();
    await owner.goto(`${scene.origin}/displays/new#${await shownCode(screen)}`);
    await heading(owner, 'ربط شاشة').waitFor();
    expect(await owner.getByLabel('الرمز المعروض على الشاشة').inputValue()).toBe(await shownCode(screen));
    expect(await overflow(owner)).toBe(0);
    expect(await violations(owner)).toEqual([]);
    await owner.keyboard.type('الاستقبال');
    await owner.getByLabel('Eyes').check();
    await owner.keyboard.press('Control+Enter');
    await heading(owner, 'الاستقبال').waitFor();
    expect(await overflow(owner)).toBe(0);
    expect(await violations(owner)).toEqual([]);
    // The television speaks the hospital's language from now on.
    await heading(screen, 'Eyes').waitFor();
    await screen.getByText('Nobody is waiting.').waitFor();
  });

  it('is asked for its hospital at the address of the platform', async () => {
    const page = await (await scene.context()).newPage();
    await page.goto(`http://${platform().domain}:${platform().ports.gateway}/tv/`);
    await heading(page, 'In which hospital is this television?').waitFor();
    expect(await page.locator('.code').count()).toBe(0);
  });
});

/** Everything that the hospital was made with. */
function spec() {
  return {
    displayName: HOSPITAL,
    timezone: 'Europe/Dublin',
    owner: OWNER,
    identity: { secondFactor: 'Email' as const },
  };
}
