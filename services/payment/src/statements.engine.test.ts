/** Statements of banks: imported once, matched when certain, and listed otherwise. */
import type { ShownInvoice } from '@hms/domain/invoices';
import type { Invariants, ShownPayment } from '@hms/domain/payments';
import type { BankAccount, BankStatement, ShownPart } from '@hms/domain/statements';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { accountant, call, INVOICES, issued, line, mary, outcome, patientId, success, useHospital } from './testing.ts';

useHospital();

const ACCOUNTS = '/api/payment/bank-accounts';
const PARTS = '/api/payment/bank-parts';
const TODAY = new Date().toISOString().slice(0, 10);
let account: BankAccount;

interface Entry {
  readonly amount: number;
  readonly text?: string;
  readonly name?: string;
  readonly reference?: string;
}

/** A file of a bank, in the currency of the hospital, which has two decimals. @param closing default: as it sums up. */
function camt(entries: readonly Entry[], { opening = 0, closing = NaN, id = 'S1' } = {}): string {
  const { currency } = mary.hospital;
  const money = (amount: number) =>
    `<Amt Ccy="${currency}">${(Math.abs(amount) / 100).toFixed(2)}</Amt><CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (code: string, amount: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${money(amount)}<Dt><Dt>${TODAY}</Dt></Dt></Bal>`;
  const sum = entries.reduce((all, { amount }) => all + amount, opening);
  const written = entries.map(
    ({ amount, text = '', name = '', reference = '' }) =>
      `<Ntry>${money(amount)}<Sts>BOOK</Sts><BookgDt><Dt>${TODAY}</Dt></BookgDt><NtryDtls><TxDtls>
        <RltdPties><Dbtr><Nm>${name}</Nm></Dbtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd>
        <Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  );
  return `<Document><BkToCstmrStmt><Stmt><Id>${id}</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>${currency}</Ccy></Acct>
    ${balance('OPBD', opening)}${balance('CLBD', Number.isNaN(closing) ? sum : closing)}${written.join('')}</Stmt></BkToCstmrStmt></Document>`;
}

const body = (file: string) => ({ fileName: 'statement.xml', content: Buffer.from(file).toString('base64') });
const importing = (file: string, of = account) =>
  call('POST', `${ACCOUNTS}/${of.id}/statements`, body(file), accountant);
async function imported(file: string, of = account): Promise<BankStatement> {
  const answer = await importing(file, of);
  expect(answer.error).toBeUndefined();
  return answer.data<BankStatement[]>()[0] as BankStatement;
}
const match = ({ id }: BankStatement) =>
  success<{ matched: number; left: number; open: number }>(
    'POST',
    `/api/payment/bank-statements/${id}/match`,
    undefined,
    accountant,
  );
const partsOf = ({ id }: BankStatement) =>
  success<ShownPart[]>('GET', `${PARTS}?statementId=${id}`, undefined, accountant);
const read = (id: string) => success<ShownInvoice>('GET', `${INVOICES}/${id}`);
const create = (more: object = {}) =>
  success<BankAccount>(
    'POST',
    ACCOUNTS,
    {
      name: 'Main account',
      accountNo: 'DE02 1203 0000 0000 2020 51',
      currency: mary.hospital.currency,
      format: 'camt053',
      ...more,
    },
    accountant,
  );

beforeEach(async () => {
  account = await create();
});
afterEach(async () => {
  const path = '/api/payment/reconciliation/invariants';
  const rules = await success<Invariants>('GET', path, undefined, accountant);
  expect(rules.filter(({ broken }) => broken.length > 0)).toEqual([]);
});

describe('a statement', () => {
  it('brings payments of invoices that it names, and lists the rest with what it may be', async () => {
    const [one, two, three] = [await issued(line(1000)), await issued(line(2000)), await issued(line(3500))];
    const statement = await imported(
      camt([
        { amount: 1000, text: `Thanks, ${one.invoiceNo}` },
        { amount: 1999, text: `${two.invoiceNo}` },
        { amount: 3500, name: 'DOE, ANN' },
        { amount: -300, text: 'Fee' },
      ]),
    );
    expect(statement).toMatchObject({ opening: 0, closing: 6199, entryCount: 4, newEntries: 4, hasGap: false });
    expect(await match(statement)).toEqual({ matched: 1, left: 0, open: 3 });
    expect(await match(statement)).toEqual({ matched: 0, left: 0, open: 3 });
    expect(await read(one.id)).toMatchObject({ status: 'paid', balance: 0 });
    const [paid] = await success<ShownPayment[]>('GET', `${INVOICES}/${one.id}/payments`);
    expect(paid).toMatchObject({ shiftId: null, parts: [{ method: 'TRANSFER', amount: 1000 }] });
    const [first, second, third, fee] = await partsOf(statement);
    expect(first).toMatchObject({ status: 'matched', matches: [{ invoiceNo: one.invoiceNo, reason: 'number' }] });
    expect(second?.suggestions).toMatchObject([{ invoiceNo: two.invoiceNo, isCertain: false, reason: 'number' }]);
    expect(third?.suggestions).toMatchObject([
      { invoiceNo: three.invoiceNo, isCertain: false, reason: 'amount_and_name' },
    ]);
    expect(fee).toMatchObject({ status: 'open', suggestions: [] });
    // A person decides.
    await success('POST', `${PARTS}/${second?.id}/match`, { invoiceId: two.id }, accountant);
    expect(await read(two.id)).toMatchObject({ status: 'partially_paid', balance: 1 });
    await success('POST', `${PARTS}/${fee?.id}/ignore`, { reason: 'Fee' }, accountant);
    expect(await outcome('POST', `${PARTS}/${fee?.id}/match`, { invoiceId: three.id }, accountant)).toBe(
      'PART_NOT_OPEN',
    );
    await success('POST', `${PARTS}/${fee?.id}/reopen`, undefined, accountant);
  });

  it('that does not add up is reported, and nothing of it is imported', async () => {
    const { error } = await importing(camt([{ amount: 1000 }], { closing: 1301 }));
    expect(error).toMatchObject({
      code: 'STATEMENT_DOES_NOT_ADD_UP',
      details: { opening: 0, closing: 1301, sum: 1000, difference: 301 },
    });
    expect(await success('GET', '/api/payment/bank-statements', undefined, accountant)).toEqual([]);
  });

  it('makes nothing twice, also if two people import it at once', async () => {
    const file = camt([{ amount: 1000 }, { amount: 1000 }]);
    const answers = await Promise.all([importing(file), importing(file)]);
    expect(answers.filter((answer) => answer.success)).toHaveLength(1);
    expect(answers.find((answer) => !answer.success)?.error).toMatchObject({ code: 'STATEMENT_ALREADY_IMPORTED' });
    // The same two, and a third one that equals them.
    const more = await imported(camt([{ amount: 1000 }, { amount: 1000 }, { amount: 1000 }], { id: 'S2' }));
    expect(more).toMatchObject({ entryCount: 3, newEntries: 1 });
    expect(await success<ShownPart[]>('GET', PARTS, undefined, accountant)).toHaveLength(3);
  });

  it('says if one before it is missing', async () => {
    await imported(camt([{ amount: 1000 }]));
    expect(await imported(camt([{ amount: 5 }], { opening: 1000, id: 'S2' }))).toMatchObject({ hasGap: false });
    expect(await imported(camt([{ amount: 7 }], { opening: 2000, id: 'S3' }))).toMatchObject({ hasGap: true });
  });

  it.each([
    ['no XML at all', 'STATEMENT_INVALID'],
    ['<Document/>', 'STATEMENT_INVALID'],
  ])('%s is refused with %s', async (file, code) => {
    expect((await importing(file)).error?.code).toBe(code);
  });

  it('of several accounts in one file is imported for this one', async () => {
    const other = camt([{ amount: 7 }], { id: 'S9' }).replace('DE02120300000000202051', 'DE75512108001245126199');
    const [one, two] = [camt([{ amount: 5 }]), other].map((file) => /<Stmt>.*<\/Stmt>/s.exec(file)?.[0]);
    const both = `<Document><BkToCstmrStmt>${one}${two}</BkToCstmrStmt></Document>`;
    const answer = await importing(both);
    expect(answer.data<BankStatement[]>()).toMatchObject([{ externalId: 'S1', closing: 5 }]);
    const any = await create({ name: 'Any', accountNo: null });
    expect((await importing(`${both}\n`, any)).error?.code).toBe('STATEMENT_OF_ANOTHER_ACCOUNT');
  });

  it('of another account is refused', async () => {
    const other = await create({ name: 'Other', accountNo: 'DE99' });
    expect((await importing(camt([]), other)).error?.code).toBe('STATEMENT_OF_ANOTHER_ACCOUNT');
  });

  it('is for accounting', async () => {
    expect(await outcome('POST', `${ACCOUNTS}/${account.id}/statements`, body(camt([])))).toBe('FORBIDDEN');
  });

  it('pays the part of an insurer', async () => {
    const written = await success<ShownInvoice>('POST', INVOICES, {
      ...{ patientId, insurer: 'Acme', coverageBps: 8000, lines: [line(1000)] },
    });
    const { id, invoiceNo } = await success<ShownInvoice>('POST', `${INVOICES}/${written.id}/issue`);
    const statement = await imported(camt([{ amount: 800, text: `Claim ${invoiceNo}` }]));
    // The number names two open items, the patient's and the insurer's.
    const [part] = await partsOf(statement);
    expect(part?.suggestions.map(({ debtor, amount }) => [debtor, amount])).toEqual([
      ['patient', 200],
      ['insurer', 800],
    ]);
    await success('POST', `${PARTS}/${part?.id}/match`, { invoiceId: id, debtor: 'insurer' }, accountant);
    expect(await read(id)).toMatchObject({ insurerBalance: 0, balance: 200 });
  });
});

describe('a payment that was written down', () => {
  it('is confirmed by its reference, and not made twice', async () => {
    const { id } = await issued(line(1000));
    await success('POST', `${INVOICES}/${id}/pay`, { method: 'TRANSFER', reference: 'TX-4711' });
    const statement = await imported(camt([{ amount: 1000, text: 'ref TX-4711' }]));
    expect(await match(statement)).toEqual({ matched: 1, left: 0, open: 0 });
    expect(await success('GET', `${INVOICES}/${id}/payments`)).toHaveLength(1);
    const next = await imported(camt([{ amount: 1000, text: 'again TX-4711' }], { opening: 1000, id: 'S2' }));
    expect((await partsOf(next))[0]?.suggestions).toEqual([]);
  });

  it('by card is confirmed by the statement of the acquirer, in CSV', async () => {
    const { id } = await issued(line(1250));
    const paid = await success<ShownPayment>('POST', `${INVOICES}/${id}/pay`, { method: 'CARD', reference: '90210' });
    const cards = await create({
      ...{ name: 'Cards', kind: 'card', accountNo: null, format: 'csv' },
      mapping: {
        ...{ separator: ';', decimal: ',', dateFormat: 'DD.MM.YYYY', currency: mary.hospital.currency },
        ...{ date: 'Date', amount: 'Amount', texts: ['Slip'] },
      },
    });
    const day = TODAY.split('-').reverse().join('.');
    const statement = await imported(`Date;Slip;Amount\n${day};90210;12,50\n${day};90211;3,00\n`, cards);
    expect(await match(statement)).toEqual({ matched: 1, left: 0, open: 1 });
    expect((await partsOf(statement))[0]?.matches).toMatchObject([{ receiptNo: paid.receiptNo, reason: 'payment' }]);
  });
});

describe('money', () => {
  it('of another currency pays no invoice, whoever chooses it', async () => {
    const { currency } = mary.hospital;
    const foreign = currency === 'USD' ? 'CHF' : 'USD';
    const other = await create({ name: 'Abroad', accountNo: 'XX99', currency: foreign });
    const invoice = await issued(line(4000));
    const file = camt([{ amount: 4000, text: `${invoice.invoiceNo}` }])
      .replaceAll(`"${currency}"`, `"${foreign}"`)
      .replace(`<Ccy>${currency}`, `<Ccy>${foreign}`)
      .replace('DE02120300000000202051', 'XX99');
    const statement = await imported(file, other);
    expect(await match(statement)).toEqual({ matched: 0, left: 0, open: 1 });
    const [part] = await partsOf(statement);
    expect(part).toMatchObject({ currency: foreign, suggestions: [] });
    const path = `${PARTS}/${part?.id}/match`;
    expect(await outcome('POST', path, { invoiceId: invoice.id }, accountant)).toBe('CURRENCY_MISMATCH');
    expect(await read(invoice.id)).toMatchObject({ paid: 0 });
  });

  it('arrives in one account: its number is there once, and its file is not taken by one without a number', async () => {
    const again = { name: 'Again', accountNo: 'de02120300000000202051', currency: mary.hospital.currency };
    const refused = await call('POST', ACCOUNTS, { ...again, format: 'camt053' }, accountant);
    expect(refused).toMatchObject({ status: 409, error: { code: 'BANK_ACCOUNT_NO_TAKEN' } });
    const any = await create({ name: 'Any', accountNo: null });
    await imported(camt([{ amount: 100 }]));
    expect((await importing(camt([{ amount: 100 }]), any)).error?.code).toBe('STATEMENT_ALREADY_IMPORTED');
  });

  it('that looks like earlier money is new if the balance goes on, and known if it does not', async () => {
    const equal = { amount: 100 };
    await imported(camt([equal, equal, equal]));
    const next = camt([equal, equal], { opening: 300, id: 'S2' });
    expect(await imported(next)).toMatchObject({ newEntries: 2, hasGap: false });
    // The same statement, downloaded again.
    expect(await imported(`${next}\n`)).toMatchObject({ newEntries: 0, hasGap: false });
    expect(await imported(camt([equal, { amount: 700 }], { opening: 500, id: 'S3' }))).toMatchObject({ newEntries: 2 });
  });
});

it('an account with CSV needs a mapping, and another format has none', async () => {
  const post = (more: object) =>
    call('POST', ACCOUNTS, { name: 'B', currency: 'EUR', format: 'csv', ...more }, accountant);
  expect((await post({})).error?.code).toBe('MAPPING_REQUIRED');
  expect((await post({ mapping: { separator: 'x' } })).error?.code).toBe('VALIDATION_FAILED');
  expect((await post({ name: 'main ACCOUNT', format: 'camt053' })).error?.code).toBe('BANK_ACCOUNT_NAME_TAKEN');
});
