/** Which open invoices a payment of a bank statement is for. Pure. No amount is ever nearly right. */
import { jaroWinkler } from '@skyra/jaro-winkler';
import anyAscii from 'any-ascii';
import type { Part } from './reading/statement.ts';

export interface OpenItem {
  readonly invoiceId: string;
  readonly invoiceNo: string;
  readonly balance: number;
  readonly payerName: string;
}

export interface Proposal {
  readonly invoiceId: string;
  readonly kind: 'automatic' | 'suggestion';
  readonly reason: 'reference' | 'number' | 'amount_and_name';
}

/** The strongest reason decides: a reference, a number in the text, or an amount and a name. */
export function proposalsFor(
  part: Pick<Part, 'amount' | 'reference' | 'text' | 'partyName'>,
  open: readonly OpenItem[],
): readonly Proposal[] {
  if (part.amount <= 0) return [];
  const number = numberOfReference(part.reference ?? '');
  const referenced = open.filter(({ invoiceNo }) => number !== null && bare(invoiceNo).replace(/^0+/, '') === number);
  if (referenced.length > 0) return proposals(referenced, part.amount, 'reference');
  const squashed = bare(part.text);
  const named = open.filter(({ invoiceNo }) => squashed.includes(bare(invoiceNo)) && hasNumber(part.text, invoiceNo));
  if (named.length > 0) return proposals(named, part.amount, 'number');
  const equal = open.filter(({ balance }) => balance === part.amount);
  return equal
    .filter(({ payerName }) => equal.length === 1 && areAlike(payerName, part.partyName ?? ''))
    .map(({ invoiceId }) => ({ invoiceId, kind: 'suggestion', reason: 'amount_and_name' }));
}

/** What invoices a text may name, as they are written: those that are worth looking up. */
export function numbersIn({ reference, text }: Pick<Part, 'reference' | 'text'>): readonly string[] {
  const found = `${bare(reference ?? '')} ${text}`.toUpperCase().matchAll(NUMBERS);
  return [...found].map(([, year = '', number = '']) => `INV-${year}-${number.padStart(6, '0')}`);
}

/** Reference by ISO 11649 of an invoice: RF, two check digits, its letters and digits. Null: the number is too long. */
export function referenceOf(invoiceNo: string): string | null {
  const body = bare(invoiceNo);
  if (body === '' || body.length > LONGEST_BODY) return null;
  return `RF${String(98 - remainder(`${body}RF00`)).padStart(2, '0')}${body}`;
}

/** An invoice number, with other spaces and hyphens, or within a reference. */
const NUMBERS = /INV[\s\p{Pd}]*(\d{4})[\s\p{Pd}]*(\d{1,9})/gu;
const LONGEST_BODY = 21;
const ALIKE = 0.9;

function proposals(items: readonly OpenItem[], amount: number, reason: Proposal['reason']): readonly Proposal[] {
  const isCertain = items.length === 1 && items[0]?.balance === amount;
  return items.map(({ invoiceId }) => ({ invoiceId, kind: isCertain ? 'automatic' : 'suggestion', reason }));
}

/** What a valid reference is made of. */
function numberOfReference(reference: string): string | null {
  const [, check, body] = bare(reference).match(/^RF(\d\d)([0-9A-Z]{1,21})$/) ?? [];
  if (check === undefined || body === undefined || remainder(`${body}RF${check}`) !== 1) return null;
  return body.replace(/^0+/, '');
}

/** Of 97, with A as 10 and Z as 35. */
function remainder(text: string): number {
  const digits = text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return Number(BigInt(digits) % 97n);
}

function bare(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
}

/** As a whole word. Spaces and hyphens may be others than those of the number. */
function hasNumber(text: string, invoiceNo: string): boolean {
  const groups = invoiceNo.toUpperCase().match(/[0-9A-Z]+/g) ?? [];
  if (groups.length === 0) return false;
  return new RegExp(`(?<![\\p{L}\\p{N}])${groups.join('[\\s\\p{Pd}]*')}(?![\\p{L}\\p{N}])`, 'u').test(
    text.toUpperCase(),
  );
}

/** Each word of the shorter name is alike one of the longer, in any order. One word in common is too little. */
function areAlike(one: string, other: string): boolean {
  const [few = [], many = []] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.length - b.length);
  const best = few.map((word) => Math.max(...many.map((another) => jaroWinkler(word, another))));
  return few.length > 1 && best.every((likeness) => likeness >= ALIKE);
}

function wordsOf(name: string): readonly string[] {
  return (
    anyAscii(name)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  );
}
