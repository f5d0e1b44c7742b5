/** Reads camt.053, all versions from .02 to .12. */
import { sum } from '@hms/money';
import { minus, xmlAmount } from './amounts.ts';
import { type Entry, type Part, type Statement, StatementError } from './statement.ts';
import { all, type Element, readXml, textAt } from './xml.ts';

export interface CamtOptions {
  /** Some banks give a reversal the direction of what it reverses. Then the balance holds only if it is turned. */
  readonly flipsReversals?: boolean;
}

/** @throws StatementError */
export function readCamt(file: string | Uint8Array, options: CamtOptions = {}): readonly Statement[] {
  const text = typeof file === 'string' ? file.replace(/^\ufeff/, '') : decoded(file);
  const found = all(readXml(text), 'Document/BkToCstmrStmt/Stmt');
  if (found.length === 0) {
    throw new StatementError('The file has no bank statement (element Stmt): ask the bank for camt.053.');
  }
  return found.map((statement) => readStatement(statement, options));
}

/** UTF-8 first, because banks declare encodings which their files do not have. */
function decoded(bytes: Uint8Array): string {
  const begin = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const declared = begin.match(/encoding=["']([^"']+)["']/)?.[1] ?? 'utf-8';
  const marked = begin.startsWith('ÿþ') ? ['utf-16le'] : begin.startsWith('þÿ') ? ['utf-16be'] : [];
  for (const encoding of [...marked, 'utf-8', declared, 'windows-1252']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // The next one.
    }
  }
  throw new StatementError('The file is in an unknown encoding: save it in UTF-8.');
}

function readStatement(statement: Element, options: CamtOptions): Statement {
  const entries = all(statement, 'Ntry');
  const balances = all(statement, 'Bal');
  const amounts = [...balances, ...entries].flatMap((one) => all(one, 'Amt'));
  const currency = textAt(statement, 'Acct/Ccy') ?? amounts[0]?.attributes.Ccy;
  if (!currency) throw new StatementError(`Line ${statement.line} has a statement without a currency: ask the bank.`);
  const balance = (code: string) => balances.find((one) => textAt(one, 'Tp/CdOrPrtry/Cd', 'Tp/Cd') === code);
  const opening = balance('OPBD') ?? balance('PRCD');
  const closing = balance('CLBD');
  const toDay = dayAt(statement, 'FrToDt/ToDtTm') ?? dayAt(closing, 'Dt/Dt', 'Dt/DtTm');
  return {
    account: textAt(statement, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id', 'Acct/Id/PrtryAcct/Id') ?? '',
    statementId: textAt(statement, 'Id'),
    currency,
    fromDay: dayAt(statement, 'FrToDt/FrDtTm') ?? dayAt(opening, 'Dt/Dt', 'Dt/DtTm'),
    toDay,
    opening: opening ? balanceOf(opening, currency) : null,
    closing: closing ? balanceOf(closing, currency) : null,
    entries: entries.map((entry) => readEntry(entry, { currency, toDay, isBalanced: !!opening && !!closing }, options)),
  };
}

interface Of extends Pick<Statement, 'currency' | 'toDay'> {
  /** Whether the statement has both balances. */
  readonly isBalanced: boolean;
}

/** @param of some banks leave out the dates of entries: then it is the statement's day. */
function readEntry(entry: Element, of: Of, options: CamtOptions): Entry {
  const { currency } = of;
  const valueOn = dayAt(entry, 'ValDt/Dt', 'ValDt/DtTm');
  const bookedOn = dayAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm') ?? valueOn ?? of.toDay;
  if (bookedOn === null) throw new StatementError(`Line ${entry.line} has an entry without a date: ask the bank.`);
  const isReversal = /^(true|1)$/.test(textAt(entry, 'RvslInd') ?? '');
  const turned = (amount: number) => (isReversal && options.flipsReversals ? minus(amount) : amount);
  const details = all(entry, 'NtryDtls/TxDtls');
  const amount = entryAmount(entry, details, of);
  return {
    bookedOn,
    valueOn,
    amount: turned(amount),
    status: statusOf(textAt(entry, 'Sts', 'Sts/Cd', 'Sts/Prtry')),
    isReversal,
    isBatch: details.length > 1 || all(entry, 'NtryDtls/Btch').length > 0,
    bankReference: textAt(entry, 'AcctSvcrRef'),
    parts: partsOf(entry, details, amount, currency).map((part) => ({ ...part, amount: turned(part.amount) })),
  };
}

/** An entry without it is booked. An unknown one is only listed, and the sums show it. */
function statusOf(code: string | null): Entry['status'] {
  if (code === null || code === 'BOOK') return 'booked';
  return code === 'PDNG' ? 'pending' : 'info';
}

function partsOf(entry: Element, details: readonly Element[], amount: number, currency: string): readonly Part[] {
  const [first] = details;
  if (!first || details.length === 1) return [partOf(entry, first, amount, isCredit(entry))];
  const amounts = details.map((detail) => {
    const own = all(detail, 'Amt')[0] ?? all(detail, 'AmtDtls/TxAmt/Amt')[0];
    if (!own || own.attributes.Ccy !== currency) return null;
    const unsigned = xmlAmount(own.text, currency, `Line ${own.line}`);
    return isCredit(detail, isCredit(entry)) ? unsigned : minus(unsigned);
  });
  const known = amounts.filter((one) => one !== null);
  // Such as a fee that the bank has kept: it can't be divided, and people find in its text what it is for.
  if (known.length < details.length || sum(known) !== amount) {
    const whole = partOf(entry, undefined, amount, true);
    const texts = details.flatMap((detail) => [textAt(detail, ...REFERENCES) ?? '', ...textsOf(detail)]);
    return [{ ...whole, text: [...texts, whole.text].filter(Boolean).join(' ') }];
  }
  return details.map((detail, at) => partOf(entry, detail, known[at] ?? 0, isCredit(detail, isCredit(entry))));
}

const REFERENCES = ['RmtInf/Strd/CdtrRefInf/Ref', 'RmtInf/Strd/CdtrRefInf/CdtrRef'] as const;

function textsOf(detail: Element | undefined): readonly string[] {
  const found = ['RmtInf/Ustrd', 'RmtInf/Strd/AddtlRmtInf', 'AddtlTxInf'].flatMap((path) => all(detail, path));
  return found.map(({ text }) => text.trim());
}

/** @param detail undefined: the entry as a whole. */
function partOf(entry: Element, detail: Element | undefined, amount: number, credit: boolean): Part {
  const other = credit ? 'Dbtr' : 'Cdtr';
  const parties = all(detail, 'RltdPties')[0];
  const endToEndId = textAt(detail, 'Refs/EndToEndId');
  return {
    amount,
    reference: textAt(detail, ...REFERENCES),
    endToEndId: endToEndId === 'NOTPROVIDED' ? null : endToEndId,
    text: [...textsOf(detail), ...all(entry, 'AddtlNtryInf').map(({ text }) => text.trim())].filter(Boolean).join(' '),
    partyName: textAt(parties, `${other}/Nm`, `${other}/Pty/Nm`),
    partyAccount: textAt(parties, `${other}Acct/Id/IBAN`, `${other}Acct/Id/Othr/Id`, `${other}Acct/Id/PrtryAcct/Id`),
  };
}

/** Some banks leave out the direction of a balance: then it is money that the account has. */
function balanceOf(balance: Element, currency: string): number {
  const unsigned = amountIn(all(balance, 'Amt'), currency);
  if (unsigned === undefined) throw noAmount(balance, currency);
  return isCredit(balance, true) ? unsigned : minus(unsigned);
}

/**
 * Some banks write an entry in the currency of its payment, and the amount of the account only in its details. If it is
 * nowhere, the balance shows whether the amount is meant in the currency of the account.
 */
function entryAmount(entry: Element, details: readonly Element[], { currency, isBalanced }: Of): number {
  const [first] = details.length === 1 ? details : [];
  const own = ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/CntrValAmt/Amt'];
  const found = [entry, first].flatMap((one) => own.flatMap((path) => all(one, path)));
  const [written] = isBalanced ? all(entry, 'Amt') : [];
  const unsigned = amountIn(found, currency) ?? (written && xmlAmount(written.text, currency, `Line ${written.line}`));
  if (unsigned === undefined) throw noAmount(entry, currency);
  return isCredit(entry) ? unsigned : minus(unsigned);
}

/** The first one in this currency. */
function amountIn(amounts: readonly Element[], currency: string): number | undefined {
  const amount = amounts.find(({ attributes }) => (attributes.Ccy ?? currency) === currency);
  return amount && xmlAmount(amount.text, currency, `Line ${amount.line}`);
}

function noAmount({ line, name }: Element, currency: string): StatementError {
  return new StatementError(
    `Line ${line} has ${name} without an amount in the currency of the account (${currency}): ask the bank.`,
  );
}

/** @param otherwise if the element does not say it. Undefined: it must. */
function isCredit(element: Element, otherwise?: boolean): boolean {
  const direction = textAt(element, 'CdtDbtInd');
  if (direction === 'CRDT' || direction === 'DBIT') return direction === 'CRDT';
  if (otherwise !== undefined && direction === null) return otherwise;
  throw new StatementError(
    `Line ${element.line} does not say whether it is credit or debit (CdtDbtInd): ask the bank.`,
  );
}

function dayAt(element: Element | undefined, ...paths: readonly string[]): string | null {
  const text = textAt(element, ...paths);
  if (text === null) return null;
  const day = text.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)) return day;
  throw new StatementError(`Line ${element?.line} has "${text.slice(0, 40)}" where a date is expected: ask the bank.`);
}
