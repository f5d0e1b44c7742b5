import { describe, expect, it } from '@jest/globals';
import { readCamt } from './camt.ts';
import { StatementError } from './statement.ts';
import { identitiesOf, sumDifference } from './sums.ts';

const amount = (text: string, direction = 'CRDT', currency = 'EUR') =>
  `<Amt Ccy="${currency}">${text}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`;
const balance = (code: string, text: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><CdtLine><Incl>true</Incl><Amt Ccy="EUR">9</Amt></CdtLine>${amount(text)}<Dt><Dt>2026-11-02</Dt></Dt></Bal>`;
const entry = (what: string, more = '') =>
  `<Ntry>${what}<BookgDt><DtTm>2026-11-02T23:30:00+02:00</DtTm></BookgDt><AcctSvcrRef>B1</AcctSvcrRef>${more}</Ntry>`;
const file = (...content: readonly string[]) =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S1</Id><Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy></Acct>${content.join('')}</Stmt></BkToCstmrStmt></Document>`;
const only = (...content: readonly string[]) => {
  const [statement] = readCamt(file(...content));
  if (!statement) throw new Error('no statement');
  return statement;
};

describe('a statement of camt.053', () => {
  it('has balances and entries whose sums hold', () => {
    const statement = only(
      ...[balance('OPBD', '100.00'), balance('CLBD', '119.99')],
      ...[entry(amount('20.00000')), entry(amount('0.01', 'DBIT')), entry(amount('5.00'), '<Sts><Cd>PDNG</Cd></Sts>')],
    );
    expect(statement).toMatchObject({ account: 'DE1', statementId: 'S1', currency: 'EUR', fromDay: '2026-11-02' });
    expect([statement.opening, statement.closing, sumDifference(statement)]).toEqual([10_000, 11_999, 0]);
    expect(statement.entries.map((one) => [one.amount, one.status, one.bookedOn])).toEqual([
      [2000, 'booked', '2026-11-02'],
      [-1, 'booked', '2026-11-02'],
      [500, 'pending', '2026-11-02'],
    ]);
  });

  it('shows what is missing from the closing balance', () => {
    expect(sumDifference(only(balance('PRCD', '1'), balance('CLBD', '3'), entry(amount('1.50'))))).toBe(50);
    expect(sumDifference(only(entry(amount('1'))))).toBeNull();
  });

  it.each(['<Sts>INFO</Sts>', '<Sts><Cd>INFO</Cd></Sts>', '<Sts><Prtry>INFO</Prtry></Sts>'])(
    'knows the status in %s',
    (status) => {
      expect(only(entry(amount('1'), status)).entries[0]?.status).toBe('info');
    },
  );

  it('turns a reversal only for banks that need it', () => {
    const reversal = file(entry(amount('1', 'DBIT'), '<RvslInd>true</RvslInd>'));
    const read = (flipsReversals: boolean) => readCamt(reversal, { flipsReversals })[0]?.entries[0];
    expect(read(false)).toMatchObject({ amount: -100, isReversal: true });
    expect(read(true)).toMatchObject({ amount: 100, parts: [{ amount: 100 }] });
  });

  it('keeps the keys of equal entries apart', () => {
    const twice = identitiesOf(only(entry(amount('1')), entry(amount('1'))));
    expect(new Set(twice).size).toBe(2);
    expect(identitiesOf(only(entry(amount('1'))))).toEqual(twice.slice(0, 1));
  });

  it.each(['NONREF', 'NOTPROVIDED', '0000', 'n/a'])('does not take the word %s for a reference', (word) => {
    const said = (text: string) => `<NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`;
    const keys = ['one', 'two'].map(
      (text) => identitiesOf(only(entry(amount('1'), said(text)).replace('B1', word)))[0],
    );
    expect(new Set(keys).size).toBe(2);
    const named = ['one', 'two'].map((text) => identitiesOf(only(entry(amount('1'), said(text))))[0]);
    expect(new Set(named).size).toBe(1);
  });
});

describe('the parts of an entry', () => {
  const part = (text: string, currency = 'EUR') =>
    `<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="${currency}">${text}</Amt></TxAmt></AmtDtls><RltdPties><Dbtr><Pty><Nm>Ada</Nm></Pty></Dbtr><Cdtr><Nm>Hospital</Nm></Cdtr></RltdPties><RmtInf><Ustrd>one</Ustrd><Ustrd>two</Ustrd><Strd><CdtrRefInf><Ref>RF1</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>`;
  const partsOf = (...parts: readonly string[]) =>
    only(entry(amount('3'), `<NtryDtls>${parts.join('')}</NtryDtls>`)).entries[0]?.parts;

  it('are its details if they add up', () => {
    const details = { text: 'one two', reference: 'RF1', endToEndId: null, partyName: 'Ada' };
    expect(partsOf(part('1'), part('2'))).toMatchObject([
      { amount: 100, ...details },
      { amount: 200, ...details },
    ]);
  });

  it.each([
    [part('1'), part('1')],
    [part('1'), part('2', 'USD')],
  ])('are itself otherwise, with all that they say', (...parts) => {
    expect(partsOf(...parts)).toMatchObject([{ amount: 300, partyName: null, text: 'RF1 one two RF1 one two' }]);
  });

  it('have the whole amount of an entry with one detail', () => {
    expect(partsOf(part('2'))).toMatchObject([{ amount: 300, partyName: 'Ada' }]);
  });
});

describe('a file that can not be read', () => {
  it.each([
    ['no XML', '<Document>'],
    ['DOCTYPE', `<!DOCTYPE a [<!ENTITY b "c">]>${file().slice(21)}`],
    ['no bank statement', '<Document/>'],
    ['more decimals', file(entry(amount('1.005')))],
    ['amount is expected', file(entry(amount('1e3')))],
    ['in the currency of the account', file(entry(amount('1', 'CRDT', 'USD')))],
    ['without a date', file(`<Ntry>${amount('1')}</Ntry>`)],
    ['where a date is expected', file(entry(amount('1')).replace('2026-11-02T', '2026-02-30T'))],
    ['too many elements', '<a>'.repeat(101)],
  ])('says why: %s', (why, text) => {
    const read = () => readCamt(text);
    expect(read).toThrow(StatementError);
    if (why !== 'no XML') expect(read).toThrow(why);
  });
});
