/** People in browsers, at a hospital of the test. */
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { dataOf } from '@hms/api-client';
import { demonstrationUser } from '@hms/local';
import type { HospitalRole } from '@hms/tenancy';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { platform } from '../platform.ts';
import { findChromium } from './chromium.ts';
import { api, tokenOf } from './gateway.ts';
import { freshHospital } from './hospitals.ts';
import { asKeycloakAdmin } from './keycloak-admin.ts';
import { codesTo } from './mails.ts';
import { until } from './until.ts';

const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
/** WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** How long a page may take on a busy machine, in ms. */
const PATIENCE = 20_000;

/** Pictures of the documentation, if HMS_SCREENSHOTS is set. Otherwise they are taken and thrown away. */
const PICTURES = process.env.HMS_SCREENSHOTS ? path.resolve(import.meta.dirname, '../../docs/images') : undefined;

export interface Login {
  readonly email: string;
  readonly password: string;
}

const HIRED_PASSWORD = 'a long passphrase';

/** A hospital with people, and a browser. */
export class Scene {
  readonly browser: Browser;
  readonly prefix: string;
  /** Address of the portal, without a slash at the end. */
  readonly origin: string;
  readonly #contexts: BrowserContext[] = [];

  private constructor(browser: Browser, prefix: string) {
    this.browser = browser;
    this.prefix = prefix;
    this.origin = `http://${prefix}.${platform().domain}:${platform().ports.gateway}`;
  }

  /** @param flags more of them for the browser. */
  static async start(
    displayName: string,
    spec: Parameters<typeof freshHospital>[0] = {},
    flags: readonly string[] = [],
  ): Promise<Scene> {
    const [browser, { metadata }] = await Promise.all([
      chromium.launch({ executablePath: findChromium(), args: [...FLAGS, ...flags] }),
      freshHospital({ displayName, timezone: 'Europe/Dublin', settings: { country: 'IE' }, ...spec }),
    ]);
    return new Scene(browser, metadata.name);
  }

  /** At a hospital that another part of the test has made. */
  static async at(prefix: string): Promise<Scene> {
    return new Scene(await chromium.launch({ executablePath: findChromium(), args: FLAGS }), prefix);
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }

  /** An empty browser. */
  async context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      timezoneId: 'Europe/Dublin',
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(PATIENCE);
    this.#contexts.push(context);
    return context;
  }

  person(role: HospitalRole) {
    return demonstrationUser(platform(), this.prefix, role);
  }

  /** Somebody with a name, who works here and has chosen a password. */
  async hire(firstName: string, lastName: string, role: HospitalRole): Promise<Login> {
    const [realm, email] = [this.prefix, `${firstName}@${this.prefix}.example`.toLowerCase()];
    const owner = api(await tokenOf(realm, 'OWNER'));
    const body = { firstName, lastName, email, roles: [role] };
    await dataOf(owner.POST('/api/hms/employees', { body }));
    const { users } = await asKeycloakAdmin();
    const [account] = await until(
      'an account',
      () => users.find({ realm, email, exact: true }),
      ([one]) => one?.id !== undefined,
    );
    const credential = { type: 'password', value: HIRED_PASSWORD, temporary: false };
    await users.resetPassword({ realm, id: account?.id ?? '', credential });
    return { email, password: HIRED_PASSWORD };
  }

  /** A page of somebody who has logged in. */
  async loggedIn(who: HospitalRole | Login, options: BrowserContextOptions = {}): Promise<Page> {
    const { email, password } = typeof who === 'string' ? await this.person(who) : who;
    const page = await (await this.context(options)).newPage();
    await page.goto(`${this.origin}/`);
    await logIn(page, email, password);
    await page.getByRole('heading', { name: /^(Patients|Today, .+)$/ }).waitFor();
    // Doctors begin with their own day.
    if (new URL(page.url()).pathname === '/today') await page.goto(`${this.origin}/patients`);
    await page.getByRole('heading', { name: 'Patients', exact: true }).waitFor();
    return page;
  }
}

export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** The first page of the console, of somebody who has logged in with a code. */
export async function enterConsole(
  scene: Scene,
  { email, password }: Login,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const former = (await codesTo(email)).length;
  const page = await (await scene.context(options)).newPage();
  await page.goto(`http://console.${platform().domain}:${platform().ports.gateway}/`);
  await logIn(page, email, password);
  const [code = ''] = await until(
    'a code',
    async () => (await codesTo(email)).slice(former),
    ({ length }) => length > 0,
  );
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Hospitals', exact: true }).waitFor();
  return page;
}

/** Clicks on a button that asks first, and on the button of the question, which has the same name. */
export async function clickAndConfirm(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

/** What a new patient is registered with. */
export interface Registered {
  readonly firstName: string;
  readonly lastName: string;
  readonly day?: string;
  readonly phone?: string;
}

export async function fillPatient(page: Page, { firstName, lastName, day, phone }: Registered): Promise<void> {
  await page.getByLabel('First name').fill(firstName);
  await page.getByLabel('Last name').fill(lastName);
  await page.getByLabel('Day of birth').fill(day ?? '1988-02-29');
  await page.getByLabel('Phone').fill(phone ?? randomPhone());
}

/** Registers a patient, and returns the id of the record. */
export async function register(page: Page, origin: string, patient: Registered): Promise<string> {
  await page.goto(`${origin}/patients/new`);
  await fillPatient(page, patient);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.waitForURL(/\/patients\/[0-9a-f-]{36}/);
  // The address changes before the form is gone.
  await page.getByRole('heading', { name: `${patient.firstName} ${patient.lastName}` }).waitFor();
  return page.url().split('/').at(-1) ?? '';
}

export function randomPhone(): string {
  return `+35386${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;
}

/** What axe finds wrong with the page as it is, one line for each element. */
export async function violations(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} at ${target.join(' ')}: ${failureSummary.split('\n')[1]}`),
  );
}

/** Opens a page and waits until nothing of it is loading. It is never idle: its streams of changes stay open. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Collects what a script that runs in a page would leave: a dialog, or a refusal of the content security policy. */
export function scriptsIn(page: Page): readonly string[] {
  const found: string[] = [];
  page.on('dialog', (dialog) => {
    found.push(`${page.url()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) found.push(`${page.url()}: ${message.text()}`);
  });
  return found;
}

/**
 * Composes 王 in the field with the focus, and presses the Enter with which an input method ends it.
 * @param modifiers 2 is Ctrl. @param isComposing whether the key comes before the composition ends, as in Chromium and
 * Firefox, or after it, as in Safari.
 */
export async function enterOfInputMethod(
  page: Page,
  { modifiers = 0, isComposing }: { readonly modifiers?: number; readonly isComposing: boolean },
): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229, modifiers };
  const end = () => client.send('Input.insertText', { text: '王' });
  await client.send('Input.imeSetComposition', { text: 'わ', selectionStart: 1, selectionEnd: 1 });
  if (!isComposing) await end();
  await client.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
  if (isComposing) await end();
  await client.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  await client.detach();
}

/** How many pixels of the page are beside the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Texts that are wider than where they are, and cut there. */
export function cut(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('body *')].flatMap((element) => {
    const { overflowX, visibility } = getComputedStyle(element);
    const isCut = (overflowX === 'hidden' || overflowX === 'clip') && element.scrollWidth > element.clientWidth + 1;
    // What only screen readers read has one pixel.
    const isSeen = visibility === 'visible' && element.clientWidth > 1;
    return isCut && isSeen && element.textContent.trim() !== '' ? [element.textContent.trim().slice(0, 60)] : [];
  })`);
}

/** The element with the focus, as its label or its text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent ?? '';
    return element === document.body ? 'nothing' : label.replace(' *', '').trim();
  })()`);
}

export async function picture(page: Page, name: string): Promise<void> {
  const file = PICTURES && { path: path.join(PICTURES, `${name}.png`) };
  await page.screenshot({ ...file, animations: 'disabled', caret: 'hide' });
}
