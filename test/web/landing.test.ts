/** People who look for their hospital in a browser, without its address and without scripts. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { request } from 'undici';
import { platform } from '../platform.ts';
import { AuthProcesses } from '../support/auth-processes.ts';
import { focused, overflow, picture, Scene, scriptsIn, violations } from '../support/browser.ts';
import { applyHospital, freshHospital, whenCondition } from '../support/hospitals.ts';
import { WebProcess } from '../support/web-process.ts';

/** In the names of this test alone. */
const word = `q${randomBytes(4).toString('hex')}`;
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const root = `http://${platform().domain}:${platform().ports.gateway}`;
let scene: Scene;
let arabic: string;
let suspended: string;

beforeAll(async () => {
  scene = await Scene.start(`St. ${word} Hospital`, { theme: { primaryColor: '#ffe066' } });
  arabic = (await freshHospital({ displayName: `مستشفى الأمل ${word}`, theme: { primaryColor: '#a03050' } })).metadata
    .name;
  suspended = (await freshHospital({ displayName: `${word} Old Town Clinic` })).metadata.name;
  await applyHospital(suspended, { displayName: `${word} Old Town Clinic`, state: 'Suspended' });
  await whenCondition(suspended, 'Suspended', ({ status }) => status === 'True');
}, 180_000);
afterAll(() => scene?.stop());

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await scene.context({ javaScriptEnabled: false, ...options })).newPage();
  await page.goto(`${root}${path}`);
  return page;
}
/** `fetch` sends the host of the address only. */
async function fetchAt(url: string, headers: Readonly<Record<string, string>>) {
  const answer = await request(url, { headers });
  return { status: answer.statusCode, text: await answer.body.text() };
}
/** What axe needs: the same page with scripts. */
async function problemsOf(page: Page): Promise<readonly string[]> {
  const other = await (await scene.context({ viewport: page.viewportSize() })).newPage();
  await other.goto(page.url());
  return violations(other);
}
const links = (page: Page) =>
  page.locator('#hospitals a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));

describe('somebody with a part of a name', () => {
  it('finds the hospital by keyboard, with its look, and opens it', async () => {
    const page = await open('/');
    const reached: string[] = [];
    while (reached.at(-1) !== 'Name of the hospital' && reached.length < 10) {
      await page.keyboard.press('Tab');
      reached.push(await focused(page));
    }
    await page.keyboard.type(word.toUpperCase());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Hospitals found' }).waitFor();
    const card = page.getByRole('link', { name: `St. ${word} Hospital` });
    // Its color with white on it, and not the platform's.
    expect(await card.locator('.logo').evaluate('logo => getComputedStyle(logo).backgroundColor')).not.toBe(
      'rgb(11, 92, 110)',
    );
    expect(await problemsOf(page)).toEqual([]);
    await picture(page, 'landing-found');
    await card.press('Enter');
    await page.waitForURL(`${scene.origin}/`);
  });

  it('reads that a hospital is suspended', async () => {
    const page = await open(`/find?hospital=${word}+old`);
    await page.getByRole('link', { name: /Suspended at the moment/ }).waitFor();
    expect(await links(page)).toEqual([`http://${suspended}.${platform().domain}:${platform().ports.gateway}/`]);
  });

  it('finds it in Arabic, without the article and the marks, on a phone of 360 pixels', async () => {
    const page = await open('/', { ...PHONE, locale: 'ar' });
    await page.getByLabel('اسم المستشفى').fill(`أَمَل ${word}`);
    await page.getByRole('button', { name: 'بحث' }).click();
    await page.getByRole('heading', { name: 'المستشفيات التي عُثر عليها' }).waitFor();
    expect(await links(page)).toEqual([expect.stringContaining(`//${arabic}.`)]);
    expect([await overflow(page), await problemsOf(page)]).toEqual([0, []]);
    await picture(page, 'landing-phone-arabic');
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Hospitals found' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe(`أَمَل ${word}`);
  });
});

describe('an address that somebody types', () => {
  const { domain, ports } = platform();

  it('leads to the console, and a television to its hospital', async () => {
    const page = await open('/console');
    expect(page.url()).toBe(`http://console.${domain}:${ports.gateway}/`);
    const tv = await open('/tv', PHONE);
    await tv.getByRole('heading', { name: 'In which hospital is this television?' }).waitFor();
    expect([await overflow(tv), await problemsOf(tv)]).toEqual([0, []]);
    await tv.getByRole('searchbox').fill(`st ${word}`);
    await tv.getByRole('button', { name: 'Find' }).click();
    await tv.getByRole('heading', { name: 'Hospitals found' }).waitFor();
    expect(await links(tv)).toEqual([`${scene.origin}/tv`]);
    await tv.getByRole('link', { name: 'العربية' }).click();
    expect(await links(tv)).toEqual([`${scene.origin}/tv`]);
    await tv.getByRole('searchbox').fill(scene.prefix);
    await tv.getByRole('searchbox').press('Enter');
    await tv.waitForURL(`${scene.origin}/tv`);
  });

  it.each([
    ['/patiens', 'There is no page at this address.'],
    ['/index.html', 'There is no page at this address.'],
  ])('as %s gets a page that says so', async (path, text) => {
    const page = await open(path);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByText(text).waitFor();
    expect([await page.title(), await problemsOf(page)]).toEqual(['Page not found', []]);
    await page.getByRole('link', { name: 'العربية' }).click();
    await page.getByRole('heading', { name: 'الصفحة غير موجودة' }).waitFor();
    await page.getByRole('link', { name: 'ابحث عن مستشفاك' }).click();
    await page.waitForURL(`${root}/?lang=ar`);
  });

  it('as a host of no hospital gets one that says so', async () => {
    const port = ports.gateway;
    const page = await (await scene.context({ locale: 'en' })).newPage();
    await page.goto(`http://no-such-hospital.${domain}:${port}/`);
    await page.getByText('There is no hospital at this address').waitFor();
    const html = { Accept: 'text/html', Host: 'portal.nobody.example' };
    const answer = await fetchAt(`http://127.0.0.1:${port}/`, html);
    expect([answer.status, answer.text.includes('No hospital here has this address')]).toEqual([404, true]);
    const data = await fetchAt(`http://127.0.0.1:${port}/`, { Host: 'portal.nobody.example' });
    expect(JSON.parse(data.text)).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});

describe('the page', () => {
  it('says that it finds nothing, that more letters are needed, and runs nothing that somebody writes', async () => {
    const page = await open('/');
    const scripts = scriptsIn(page);
    for (const [text, answer] of [
      ['zzzzqqq', 'No hospital here has this name'],
      ['ab', 'at least three letters'],
      ['"><img src=x onerror=alert(1)>', 'No hospital here has this name'],
      ['\u202e%_\\', 'at least three letters'],
    ] as const) {
      await page.getByRole('searchbox').fill(text);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByRole('alert').filter({ hasText: answer }).waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe(text);
      expect(await problemsOf(page)).toEqual([]);
    }
    expect(scripts).toEqual([]);
  });

  it('has no list of hospitals', async () => {
    const page = await open('/?page=1');
    expect(await page.locator('#hospitals').count()).toBe(0);
    expect(await problemsOf(page)).toEqual([]);
    await picture(page, 'landing');
  });

  it.each(['en', 'ar'])('of the status says in %s what works', async (lang) => {
    const page = await open(`/status?lang=${lang}`, PHONE);
    expect(await page.locator('dd.works').count()).toBe(5);
    expect([await overflow(page), await problemsOf(page)]).toEqual([0, []]);
    await picture(page, lang === 'en' ? 'status-phone' : 'status-phone-arabic');
  });
});

describe('a server of the pages', () => {
  let web: WebProcess | undefined;
  const auths = new AuthProcesses();
  afterEach(() => web?.stop());
  afterAll(() => auths.end());
  const at = (path: string) => `http://${platform().domain}:${web?.port}${path}`;

  it('that reaches no other process says so', async () => {
    web = await WebProcess.start({ AUTH_URL: 'http://127.0.0.1:1', MODULE_TARGETS: 'payment=127.0.0.1:1' });
    const page = await (await scene.context()).newPage();
    await page.goto(at('/'));
    await page.getByRole('searchbox').fill(word);
    const [answer] = await Promise.all([
      page.waitForResponse(/find/),
      page.getByRole('button', { name: 'Find' }).click(),
    ]);
    expect(answer.status()).toBe(503);
    await page.getByText('The search does not work at the moment.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Does everything work?' }).click();
    await page.getByText('Some parts do not work at the moment.').waitFor();
    expect(await page.locator('dt').allTextContents()).toEqual(['Login', 'Invoices and payments']);
    expect(await page.locator('dd.fails').count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'status-fails');
  });

  it('lists all hospitals where the platform allows it', async () => {
    const { url } = await auths.serving({ HOSPITAL_DIRECTORY: 'list' });
    web = await WebProcess.start({ AUTH_URL: url });
    const page = await (await scene.context(PHONE)).newPage();
    await page.goto(at('/'));
    await page.getByRole('heading', { name: 'All hospitals' }).waitFor();
    const [names, addresses]: [string[], (string | null)[]] = [[], []];
    for (;;) {
      names.push(...(await page.locator('#hospitals .name').allTextContents()));
      addresses.push(...(await links(page)));
      const next = page.getByRole('link', { name: 'Next page' });
      if ((await next.count()) === 0) break;
      await next.click();
    }
    expect(names).toEqual(expect.arrayContaining([`St. ${word} Hospital`, `${word} Old Town Clinic`]));
    // Two hospitals may have one name.
    expect(new Set(addresses).size).toBe(names.length);
    expect([await overflow(page), await violations(page)]).toEqual([0, []]);
  });
});
