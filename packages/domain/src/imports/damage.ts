/** Damage that spreadsheets and wrong encodings do to cells. What is certain is repaired, and the rest refused. Pure. */
import type { FindingCode } from './findings.ts';
import { isDamaged, undamaged } from './text.ts';

export interface Repair {
  readonly code: FindingCode;
  readonly readAs: string;
}

export type Mended = { readonly text: string; readonly repair?: Repair } | { readonly refused: FindingCode };

/** What any cell may have suffered. Several spaces and lines become one space. */
export function mend(cell: string): Mended {
  // Some white space is a part of the damage.
  const right = undamaged(cell);
  const text = (right ?? cell).replaceAll(/\s+/g, ' ').trim();
  // In any language: #N/A, #NV, #¡REF!
  if (/^#[\p{L}¡¿]/u.test(text)) return { refused: 'errorValue' };
  if (/^#{2,}$/.test(text)) return { refused: 'tooNarrow' };
  if (text.includes('\ufffd')) return { refused: 'lostCharacter' };
  if (/&(?:#\d+|#x[\da-f]+|[a-z]+\d?);/i.test(text)) return { refused: 'html' };
  const marked = text.match(/^="(.*)"$/)?.[1] ?? text.match(/^'([+\d=].*)$/)?.[1];
  if (marked !== undefined) return repaired('textMark', marked.trim());
  if (isDamaged(text)) return { refused: 'wrongCharacters' };
  return right === undefined ? { text } : repaired('wrongEncoding', text);
}

/** Why a text is no part of a name, or undefined. */
export function nameProblem(text: string): FindingCode | undefined {
  if (/^[+-]?[\d.,\s]+(?:E[+-]?\d+)?$/i.test(text) || /^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?$/.test(text)) {
    return 'numberAsName';
  }
  if (/^\d{1,2}-\p{L}{3}$|^\p{L}{3}-\d\d$/u.test(text)) return 'numberAsName';
  // FAUX, VERO and FALSO are names.
  if (/^(?:TRUE|FALSE|WAHR|FALSCH|VRAI|VERDADERO|VERDADEIRO)$/.test(text)) return 'truthValue';
  if (isFiller(text)) return 'filler';
  if (/[?¿]/.test(text)) return 'lostCharacter';
  return text !== '' && (/[\\<>]/.test(text) || !/\p{L}/u.test(text)) ? 'notAName' : undefined;
}

/** Whether another system or a person wrote a text in place of an empty cell. `Null` and `Nan` are names. */
export function isFiller(text: string): boolean {
  return /^(?:NULL|null|\(null\)|undefined|nan|NaN|None|N\/A|n\/a|-)$/.test(text);
}

/** A number that a spreadsheet took for one with decimals: `2000.0`. */
export function withoutDecimals(text: string): string | undefined {
  return text.match(/^(\+?\d+)[.,]0+$/)?.[1];
}

/** Lengths of postal codes that have only digits, where a spreadsheet loses their zeros. */
const POSTAL_DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['DE', 'DZ', 'EG', 'ES', 'FI', 'FR', 'HR', 'ID', 'IT', 'JO', 'KE', 'KR', 'KW', 'LK'].map((country) => [country, 5]),
  ),
  ...Object.fromEntries(['MA', 'MX', 'MY', 'PK', 'SA', 'TH', 'TR', 'UA', 'US'].map((country) => [country, 5])),
  ...Object.fromEntries(['CN', 'IN', 'KZ', 'RO', 'RU', 'SG', 'VN'].map((country) => [country, 6])),
};

/** The postal code with the zeros that it lost, or undefined if it has lost none. */
export function withZeros(text: string, country: string | undefined): string | undefined {
  const digits = POSTAL_DIGITS[country ?? ''];
  if (digits === undefined || !/^\d+$/.test(text) || text.length >= digits || text.length < digits - 2)
    return undefined;
  return text.padStart(digits, '0');
}

function repaired(code: FindingCode, readAs: string): Mended {
  return { text: readAs, repair: { code, readAs } };
}
