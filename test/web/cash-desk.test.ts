/** A cashier's morning, by keyboard: write an invoice, collect it, give change, print receipts. */
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { focused, overflow, picture, Scene, violations } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';

const WORDS = {
  en: {
    ...{ add: 'Add from the price list', collect: 'Collect', change: 'Change: €7.50', patients: 'Patients' },
    benefit: /^Gold membership VIP-0{5}\d, 10 %$/,
  },
  ar: {
    ...{ add: 'إضافة من قائمة الأسعار', collect: 'تحصيل', change: 'الباقي: ', patients: 'المرضى' },
    benefit: /^عضوية .Gold. رقم .VIP-0{5}\d.، .10 %.$/u,
  },
};

let scene: Scene;
let tierId: string;
beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital", {
    currency: 'EUR',
    settings: { country: 'IE', cashRounding: 5, address: 'Bridge Street 1\nGalway', taxNumber: 'IE1234567T' },
  });
  const accountant = api(await tokenOf(scene.prefix, 'ACCOUNTANT'));
  const item = await dataOf(
    accountant.POST('/api/payment/price-items', {
      body: { code: 'CONS', name: 'Consultation', itemGroup: 'consultation', taxBps: 0 },
    }),
  );
  await dataOf(
    accountant.POST('/api/payment/prices', { body: { itemId: item.id, amount: 6000, validFrom: '2026-01-01' } }),
  );
  const admin = api(await tokenOf(scene.prefix, 'ADMIN'));
  const tier = await dataOf(admin.POST('/api/crm/vip-tiers', { body: { name: 'Gold', consultationBps: 1000 } }));
  tierId = tier.id;
}, 180_000);
afterAll(() => scene?.stop());

const cases = [
  { language: 'en', width: 1280 },
  { language: 'ar', width: 320 },
] as const;

describe.each(cases)('a cashier, in $language, on $width pixels', ({ language, width }) => {
  const words = WORDS[language];
  let page: Page;
  let invoiceNo: string;

  beforeAll(async () => {
    const reception = api(await tokenOf(scene.prefix, 'RECEPTION'));
    const body = { firstName: 'Aoife', lastName: `Byrne ${width}`, dateOfBirth: '1990-05-17', phone: '+353861234567' };
    const { id: patientId } = await dataOf(reception.POST('/api/hms/patients', { body }));
    const admin = api(await tokenOf(scene.prefix, 'ADMIN'));
    await dataOf(admin.POST('/api/crm/vip-memberships', { body: { patientId, tierId } }));
    const options = { viewport: { width, height: 800 }, locale: language === 'en' ? 'en-IE' : 'ar' };
    page = await (await scene.context(options)).newPage();
    const { email, password } = await scene.person('CASHIER');
    await page.goto(`${scene.origin}/`);
    await page.locator('input[inputmode=email]').waitFor();
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: words.patients, exact: true }).waitFor();
  });

  const isFine = async (name: string) => {
    expect([name, await overflow(page), await violations(page)]).toEqual([name, 0, []]);
  };

  /** The benefit of the membership is apart from discounts, and named. */
  const isNamed = async () => {
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /VIP-/ }) });
    expect(await row.getByRole('rowheader').textContent()).toMatch(words.benefit);
    expect(await row.getByRole('cell').textContent()).toMatch(/6[.,]00/);
  };

  it('writes an invoice from the price list with the benefit of a membership, and issues it', async () => {
    await page.goto(`${scene.origin}/invoices/new`);
    await page.locator('main input:focus').waitFor();
    await page.keyboard.type(`byrne ${width}`);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/invoices\/[0-9a-f]{8}-/);
    await page.getByLabel(words.add).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('cons');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('td', { hasText: 'Consultation' }).filter({ hasText: 'VIP-' }).waitFor();
    await isNamed();
    await isFine('draft');
    if (language === 'en') await picture(page, 'invoice-draft');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: /INV-/ }).waitFor();
    invoiceNo = (await page.getByRole('heading', { name: /INV-/ }).textContent())?.trim() ?? '';
    expect(await focused(page)).toBe(words.collect);
    await isNamed();
    await isFine('issued');
  });

  it('collects it in cash with three keys, of which the last one prints', async () => {
    await page.keyboard.press('Enter');
    await page.waitForURL(/cash-desk/);
    await page.locator('main button:focus').waitFor();
    await isFine('cash desk');
    if (language === 'en') await picture(page, 'cash-desk');
    await page.keyboard.press('Enter');
    await page.getByText(/RCT-/).waitFor();
    await page.locator('main input:focus').waitFor();
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
    await tab.waitForURL(/blob:|receipts/);
    await tab.close();
  });

  it('is told that it is paid already', async () => {
    await page.bringToFront();
    await page.locator('main input:focus').waitFor();
    await page.keyboard.type(`${invoiceNo}\n`);
    await page.locator('[aria-invalid=true]:focus').waitFor();
  });

  it('gives change, and is asked for the rest of what is paid in parts', async () => {
    const cashier = api(await tokenOf(scene.prefix, 'CASHIER'));
    const [patient] = await dataOf(
      api(await tokenOf(scene.prefix, 'RECEPTION')).GET('/api/hms/patients', {
        params: { query: { q: `byrne ${width}` } },
      }),
    );
    const lines = [{ description: 'Bandage', unitPrice: 1251, quantity: 1 }];
    const { id } = await dataOf(
      cashier.POST('/api/payment/invoices', { body: { patientId: patient?.id ?? '', lines } }),
    );
    const issued = await dataOf(cashier.POST('/api/payment/invoices/{id}/issue', { params: { path: { id } } }));
    await page.keyboard.press('Control+A');
    await page.keyboard.type(`${issued.invoiceNo}\n`);
    // There are no coins below 5 units.
    await page
      .getByRole('button', { name: /12[.,]50/ })
      .and(page.locator(':focus'))
      .waitFor();
    // Three fields back is the amount: a part of it first.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('0.01');
    await page.keyboard.press('Enter');
    await page.locator('main button:focus').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('20');
    await page.keyboard.press('Enter');
    await page.getByText(words.change).waitFor();
    await isFine('change');
    if (language === 'en') await picture(page, 'cash-desk-change');
    expect(await dataOf(cashier.GET('/api/payment/invoices/{id}', { params: { path: { id } } }))).toMatchObject({
      ...{ status: 'paid', paid: 1251 },
    });
  });
});
