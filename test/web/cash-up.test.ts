/**
 * A cashier's day, from the float to the approval, with a refund and a difference that somebody finds, and the month end of
 * an accountant with a bank statement.
 */
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import bankAr from '../../web/portal/pages/bank/words/ar.ts';
import bankEn from '../../web/portal/pages/bank/words/en.ts';
import invoicesAr from '../../web/portal/pages/invoices/words/ar.ts';
import invoicesEn from '../../web/portal/pages/invoices/words/en.ts';
import refundsAr from '../../web/portal/pages/refunds/words/ar.ts';
import refundsEn from '../../web/portal/pages/refunds/words/en.ts';
import shiftsAr from '../../web/portal/pages/shifts/words/ar.ts';
import shiftsEn from '../../web/portal/pages/shifts/words/en.ts';
import portalAr from '../../web/portal/words/ar.ts';
import portalEn from '../../web/portal/words/en.ts';
import { cut, overflow, picture, Scene, violations, visit } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';

const WORDS = {
  en: { ...bankEn, ...invoicesEn, ...refundsEn, ...shiftsEn, ...portalEn },
  ar: { ...bankAr, ...invoicesAr, ...refundsAr, ...shiftsAr, ...portalAr },
};

let scene: Scene;
beforeAll(async () => {
  const settings = { country: 'IE', requireOpenShift: true, cashRounding: 5 };
  scene = await Scene.start("St. Mary's Hospital", { currency: 'EUR', settings });
}, 180_000);
afterAll(() => scene?.stop());

const cases = [
  { language: 'en', width: 1280 },
  { language: 'ar', width: 360 },
] as const;

describe.each(cases)('in $language, on $width pixels', ({ language, width }) => {
  const t = WORDS[language];
  let [cashier, accountant] = [] as unknown as [Page, Page];
  let invoiceNo: string;
  let invoiceId: string;

  beforeAll(async () => {
    const reception = api(await tokenOf(scene.prefix, 'RECEPTION'));
    const body = { firstName: 'Aoife', lastName: `Byrne ${width}`, dateOfBirth: '1990-05-17', phone: '+353861234567' };
    const { id: patientId } = await dataOf(reception.POST('/api/hms/patients', { body }));
    const desk = api(await tokenOf(scene.prefix, 'CASHIER'));
    const lines = [
      { description: 'Consultation', unitPrice: 6_000 },
      { description: 'Dressing', unitPrice: 1_500 },
    ];
    const draft = await dataOf(desk.POST('/api/payment/invoices', { body: { patientId, lines } }));
    const params = { path: { id: draft.id } };
    const invoice = await dataOf(desk.POST('/api/payment/invoices/{id}/issue', { params }));
    [invoiceId, invoiceNo] = [invoice.id, invoice.invoiceNo ?? ''];
    const login = async (role: 'CASHIER' | 'ACCOUNTANT') => {
      const page = await scene.loggedIn(role, { viewport: { width, height: 800 } });
      await page.evaluate(`localStorage.setItem('hms-language', '${language}')`);
      return page;
    };
    [cashier, accountant] = [await login('CASHIER'), await login('ACCOUNTANT')];
  }, 120_000);

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const isFine = async (page: Page, name: string) => {
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    if (language === 'en') await picture(page, name);
    expect([name, await overflow(page), await cut(page), await violations(page)]).toEqual([name, 0, [], []]);
  };

  it('the cashier opens a shift with a float', async () => {
    await visit(cashier, `${scene.origin}/cash-desk`);
    await cashier.getByText(t.shifts.none).waitFor();
    await cashier.getByRole('link', { name: t.shifts.open }).click();
    await cashier.getByLabel(t.shifts.counter).fill(`Counter ${width}`);
    await cashier.getByLabel(t.shifts.float).fill('100');
    await isFine(cashier, 'shift-open');
    await cashier.keyboard.press('Enter');
    await button(cashier, t.shifts.close).waitFor();
  });

  it('takes an invoice in cash, and is told whose shift it is', async () => {
    await visit(cashier, `${scene.origin}/cash-desk?q=${invoiceNo}`);
    await cashier.getByText(/SHF-\d{6}/).waitFor();
    await cashier.locator('main button:focus').waitFor();
    await cashier.keyboard.press('Enter');
    await cashier.getByText(/RCT-/).waitFor();
  });

  it('requests a refund of one line, which cannot be approved by the same person', async () => {
    await visit(cashier, `${scene.origin}/invoices/${invoiceId}`);
    await button(cashier, t.invoices.refund.request).click();
    await cashier.getByLabel(t.invoices.refund.cancel.replace('{{line}}', 'Dressing')).check();
    await cashier.getByLabel(t.invoices.refund.reason).fill('Not needed');
    await isFine(cashier, 'refund-request');
    await button(cashier, t.invoices.refund.submit).click();
    await cashier.waitForURL(/\/refunds/);
    await cashier
      .getByText(/RFD-\d{6}/)
      .first()
      .waitFor();
    expect(await button(cashier, t.refunds.approve).count()).toBe(0);
  });

  it('the accountant approves it, and the cashier pays it out', async () => {
    await visit(accountant, `${scene.origin}/refunds`);
    await accountant
      .getByRole('button', { name: new RegExp(t.refunds.approveOf.replace('{{number}}', 'RFD')) })
      .click();
    await accountant.getByText(t.refunds.statuses.approved).waitFor();
    await isFine(accountant, 'refunds');
    await visit(cashier, `${scene.origin}/refunds`);
    await cashier.getByRole('button', { name: new RegExp(`^${t.refunds.payOut.split('{{')[0]}`) }).click();
    await cashier
      .getByText(/RCT-\d{4}-\d{6}/)
      .first()
      .waitFor();
  });

  it('counts notes and coins, and sees only then that 5 euros are missing', async () => {
    await visit(cashier, `${scene.origin}/shifts`);
    await button(cashier, t.shifts.close).click();
    const pieces = (face: RegExp) => cashier.getByRole('textbox', { name: face });
    // 100 of the float, and 60 that are left of the invoice, without 5.
    await pieces(/(^|\D)50[.,]00/)
      .first()
      .fill('3');
    await pieces(/(^|[^\d.,])5[.,]00/)
      .first()
      .fill('1');
    await cashier.getByLabel(t.shifts.note, { exact: true }).fill('Somebody got too much change');
    expect(await cashier.getByText(t.shifts.expected, { exact: true }).count()).toBe(0);
    await isFine(cashier, 'shift-close');
    await button(cashier, t.shifts.close).click();
    await cashier.waitForURL(/\/shifts\/[0-9a-f]/);
    await cashier.getByText(t.shifts.expected).first().waitFor();
    await cashier
      .getByText(/−.*5[.,]00/)
      .first()
      .waitFor();
    await isFine(cashier, 'shift-counted');
  });

  it('the accountant finds the difference, asks for another count, and approves', async () => {
    await visit(accountant, `${scene.origin}/shifts?tab=all&closed=true`);
    await accountant.getByRole('link', { name: /SHF-/ }).click();
    await button(accountant, t.shifts.dispute).click();
    await accountant.getByRole('textbox', { name: t.shifts.disputeWhy }).fill('Look for a note of 5');
    await button(accountant, t.shifts.dispute).last().click();
    await accountant.getByText(t.shifts.statuses.disputed).waitFor();
    await cashier.getByText(t.shifts.statuses.disputed).waitFor();
    await button(cashier, t.shifts.recount).click();
    await button(cashier, t.shifts.onlySum).click();
    await cashier.getByLabel(t.shifts.cash).fill('160');
    await button(cashier, t.shifts.recount).click();
    await cashier.getByText(t.shifts.statuses.closed).waitFor();
    await button(accountant, t.shifts.approve).click();
    await accountant.getByText(t.shifts.statuses.approved).waitFor();
    await isFine(accountant, 'shift-approved');
  });

  it('the accountant imports a statement, which pays what it names, and decides on the rest', async () => {
    const desk = api(await tokenOf(scene.prefix, 'CASHIER'));
    const { patientId } = await dataOf(desk.GET('/api/payment/invoices/{id}', { params: { path: { id: invoiceId } } }));
    const issued = async (unitPrice: number) => {
      const body = { patientId, lines: [{ description: 'Consultation', unitPrice }] };
      const { id } = await dataOf(desk.POST('/api/payment/invoices', { body }));
      return dataOf(desk.POST('/api/payment/invoices/{id}/issue', { params: { path: { id } } }));
    };
    const [one, other] = [await issued(2_345), await issued(9_900)];
    await visit(accountant, `${scene.origin}/bank`);
    await button(accountant, t.bank.newAccount).click();
    await accountant.getByLabel(t.bank.name, { exact: false }).first().fill(`Bank ${width}`);
    await accountant.getByLabel(t.bank.format).selectOption('csv');
    for (const [column, name] of Object.entries({ date: 'Date', amount: 'Amount', texts: 'Text', partyName: 'Name' }))
      await accountant.getByLabel(t.bank.columns[column as 'date']).fill(name);
    await isFine(accountant, 'bank-account');
    await accountant.keyboard.press('Enter');
    const rows = [
      'Date;Name;Text;Amount',
      `02.11.2026;Byrne;Thanks ${one.invoiceNo};23,45`,
      `03.11.2026;Byrne;${other.invoiceNo} first part;40,00`,
      '30.11.2026;;Fee of the month;-3,10',
    ];
    const file = { name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
    await accountant.locator('input[type=file]').setInputFiles(file);
    await accountant.getByLabel(t.bank.account, { exact: true }).selectOption({ label: `Bank ${width}` });
    await button(accountant, t.bank.import).click();
    await accountant.getByText(t.bank.matched.replace('{{count}}', '1').replace('{{open}}', '2')).waitFor();
    await isFine(accountant, 'bank-statement');
    await button(accountant, t.bank.take.replace('{{what}}', other.invoiceNo ?? '')).click();
    await button(accountant, t.bank.take.replace('{{what}}', other.invoiceNo ?? '')).waitFor({ state: 'detached' });
    await button(accountant, t.bank.ignore).click();
    await accountant.locator('form input:focus').fill('Fee');
    await accountant.keyboard.press('Control+Enter');
    await accountant.getByText(t.bank.nothing).waitFor();
    const paid = await dataOf(desk.GET('/api/payment/invoices/{id}', { params: { path: { id: one.id } } }));
    expect(paid).toMatchObject({ status: 'paid', balance: 0 });
  });

  it('and sees at the month end what is left to settle', async () => {
    await visit(accountant, `${scene.origin}/month-end`);
    await accountant.getByText(t.monthEnd.rules).waitFor();
    const row = (name: string) => accountant.getByRole('row').filter({ hasText: name });
    for (const name of [t.monthEnd.shiftsClosed, t.monthEnd.refunds, t.monthEnd.parts, t.monthEnd.rules])
      await row(name).getByText(t.monthEnd.done).waitFor();
    await isFine(accountant, 'month-end');
  });
});
