/** What people meet at the edges of the pages: names in two scripts, pages that are not there, and words of their language. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { platform } from '../platform.ts';
import { overflow, Scene, violations } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';

const SLOW = 60_000;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
/** Any letter of the Latin script, which no sentence in Arabic has. */
const LATIN = /[A-Za-z]/;

let scene: Scene;
let page: Page;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  const desk = api(await tokenOf(scene.prefix, 'RECEPTION'));
  for (const [index, [lastName, firstName]] of [
    ['Byrne', 'Nora'],
    ['Byrne', 'Aoife'],
    ['Byrne', 'Emil'],
    ['حداد', 'ليلى'],
  ].entries() as Iterable<[number, [string, string]]>) {
    const phone = `+35386510${String(1000 + index)}`;
    const body = { firstName, lastName, phone, dateOfBirth: `1980-01-0${index + 1}`, gender: 'female' as const };
    const { error } = await desk.POST('/api/hms/patients', { body: { ...body, rejectDuplicates: false } });
    expect(error).toBeUndefined();
  }
  page = await scene.loggedIn('RECEPTION');
}, 180_000);
afterAll(() => scene?.stop());

const names = (of: Page) => of.locator('.hms-table tbody tr').getByRole('link').allTextContents();

describe('the list of patients', () => {
  it('sorted by the last name goes on with the first name', async () => {
    await page.goto(`${scene.origin}/patients?sort=lastName`);
    await page.getByRole('link', { name: 'Byrne, Aoife' }).waitFor();
    expect((await names(page)).filter((name) => name.startsWith('Byrne'))).toEqual([
      ...['Byrne, Aoife', 'Byrne, Emil', 'Byrne, Nora'],
    ]);
  });

  it('writes an Arabic name with the comma of its script', async () => {
    await page.getByRole('link', { name: 'حداد، ليلى' }).waitFor();
  });

  it('leads back from a page that it has not', async () => {
    await page.goto(`${scene.origin}/patients?page=99`);
    await page.getByText('The list has no such page. Choose one below.').waitFor();
    await page.getByRole('button', { name: 'Page 1', exact: true }).click();
    await page.getByRole('link', { name: 'Byrne, Nora' }).waitFor();
  });

  it('has numbers that a phone calls, and that a desk only reads', async () => {
    expect(await page.locator('a[href^="tel:"]').count()).toBe(0);
    const phone = await scene.loggedIn('RECEPTION', PHONE);
    await phone.goto(`${scene.origin}/patients`);
    await phone.locator('a[href="tel:+353865101000"]').waitFor();
    await phone.context().close();
  });
});

describe('a page that is not there', () => {
  it.each([
    ['/nowhere', 'Page not found'],
    ['/audit', 'Not for your role'],
  ])('%s has a title', async (path, title) => {
    await page.goto(`${scene.origin}${path}`);
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    expect(await page.title()).toContain(title);
  });

  it('at the host of no hospital says so, and leads to the search', async () => {
    const { domain, ports } = platform();
    const lost = await (await scene.context()).newPage();
    await lost.goto(`http://nobody-here.${domain}:${ports.gateway}/`);
    await lost.getByText('There is no hospital at this address.').waitFor();
    expect(await lost.title()).toContain('Hospital not found');
    expect(await lost.locator('input[type=password]').count()).toBe(0);
    expect(await violations(lost)).toEqual([]);
    await lost.getByRole('link', { name: 'Find your hospital' }).click();
    await lost.getByRole('searchbox').waitFor();
    await lost.context().close();
  });

  it.each(['/console', '/console/'])('%s of the platform leads to the console', async (path) => {
    const { domain, ports } = platform();
    const found = await (await scene.context()).newPage();
    await found.goto(`http://${domain}:${ports.gateway}${path}`);
    await found.getByText('Administration').first().waitFor();
    expect(new URL(found.url()).hostname).toBe(`console.${domain}`);
    await found.context().close();
  });
});

describe('in Arabic, on a phone', () => {
  it(
    'what a module says is in the language of the page',
    async () => {
      const phone = await scene.loggedIn('RECEPTION', PHONE);
      await phone.evaluate("localStorage.setItem('hms-language', 'ar')");
      for (const path of [`/patients/${crypto.randomUUID()}`, '/patients/nobody', '/families/nobody']) {
        await phone.goto(`${scene.origin}${path}`);
        const said = phone.getByRole('alert').locator('p').first();
        await said.waitFor();
        await phone.waitForFunction("document.querySelector('[role=alert] p')?.textContent !== ''");
        expect([path, await said.textContent()]).toEqual([path, expect.not.stringMatching(LATIN)]);
        expect(await overflow(phone)).toBe(0);
      }
      await phone.context().close();
    },
    SLOW,
  );

  it(
    'what a module says about a field is in the language of the page',
    async () => {
      const phone = await scene.loggedIn('RECEPTION', PHONE);
      await phone.evaluate("localStorage.setItem('hms-language', 'ar')");
      await phone.goto(`${scene.origin}/patients/new`);
      for (const [name, text] of [
        ['firstName', 'Emil'],
        ['lastName', 'Novak'],
        ['dateOfBirth', '01/02/1990'],
        ['phone', '086 510 2000'],
      ] as const) {
        await phone.locator(`input[name=${name}]`).fill(text);
      }
      // Longer than the page itself would let it be.
      await phone.route('**/api/hms/patients', (route, request) => {
        const sent = { ...(request.postDataJSON() as object), firstName: 'E'.repeat(200) };
        return route.continue({ postData: JSON.stringify(sent) });
      });
      await phone.locator('input[name=phone]').press('Control+Enter');
      await phone.getByText('يمكن أن يحتوي على 100 حرفًا على الأكثر.').waitFor();
      await phone.context().close();
    },
    SLOW,
  );
});
