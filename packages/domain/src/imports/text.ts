/**
 * Reads the bytes of a file as text. What is certain is decided by rules: a byte order mark, valid UTF-8, the zeros of
 * UTF-16. Older encodings have no mark, so statistics propose one, and a person confirms it.
 */
import { analyse } from 'chardet';

/** Labels of the Encoding Standard, which Node's decoder knows. */
export const ENCODINGS = [
  ...(['utf-8', 'utf-16le', 'utf-16be'] as const),
  ...(['windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254', 'windows-1255'] as const),
  ...(['windows-1256', 'windows-1257', 'windows-1258', 'windows-874', 'koi8-r', 'macintosh'] as const),
  ...(['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'] as const),
] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface DecodedText {
  readonly text: string;
  readonly encoding: Encoding;
  /** False for a proposal that a person has to confirm. */
  readonly isCertain: boolean;
}

/** Why bytes are no text. */
export type NoText = 'workbook' | 'encoding';

/** @param chosen the encoding that a person has confirmed. */
export function decodeText(bytes: Uint8Array, chosen?: Encoding): DecodedText | { readonly problem: NoText } {
  if (WORKBOOKS.some((magic) => magic.every((byte, at) => bytes[at] === byte))) return { problem: 'workbook' };
  const encoding = chosen ?? certainEncoding(bytes);
  if (encoding !== undefined) {
    const text = decode(bytes, encoding);
    return text === undefined ? { problem: 'encoding' } : { text, encoding, isCertain: true };
  }
  const proposals = proposed(bytes);
  const [best] = proposals.sort((one, other) => one.strange - other.strange);
  return best ? { text: best.text, encoding: best.encoding, isCertain: false } : { problem: 'encoding' };
}

/** The first bytes of .xlsx (a ZIP archive) and .xls. */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

function certainEncoding(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const begin = bytes.subarray(0, BEGIN);
  const zeros = [0, 1].map((odd) => begin.reduce((sum, byte, at) => sum + Number(byte === 0 && at % 2 === odd), 0));
  // Separators and digits have a zero byte in UTF-16, whatever the script.
  const [even = 0, odd = 0] = zeros;
  if (odd > 10 * even && odd > begin.length / 20) return 'utf-16le';
  if (even > 10 * odd && even > begin.length / 20) return 'utf-16be';
  return decode(bytes, 'utf-8') === undefined ? undefined : 'utf-8';
}

const BEGIN = 2_000;

/** Undefined if the bytes are not of this encoding, or have characters that no text has. */
function decode(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Encodings in which the file can be read, the likeliest first. */
function proposed(bytes: Uint8Array) {
  const likely = analyse(bytes).flatMap(({ name }) => OF_NAMES[name.toLowerCase()] ?? name.toLowerCase());
  const order = [...new Set([...likely, ...ENCODINGS])];
  return order.flatMap((name) => {
    const encoding = ENCODINGS.find((one) => one === name && !one.startsWith('utf'));
    const text = encoding && decode(bytes, encoding);
    return encoding && text !== undefined ? [{ encoding, text, strange: strangeWords(text) }] : [];
  });
}

/** The encodings of Windows have all letters of those that chardet names. */
const OF_NAMES: Readonly<Record<string, Encoding>> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-2': 'windows-1250',
  'iso-8859-5': 'windows-1251',
  'iso-8859-6': 'windows-1256',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-9': 'windows-1254',
};

/** How many words with characters beyond ASCII are none: they mix scripts, have signs, or too many accents. */
function strangeWords(text: string): number {
  return foreignWords(text).filter(
    (word) =>
      !WORDS.some((script) => script.test(word)) || /\p{Ll}\p{Lu}|^(?:(?![A-Za-z])\p{Script=Latin}){3,}$/u.test(word),
  ).length;
}

const WORDS = ['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Thai', 'Hangul', ['Han', 'Hira', 'Kana']].map(
  (scripts) => {
    const letters = [scripts].flat().map((script) => `\\p{Script=${script}}`);
    return new RegExp(`^(?:${letters.join('|')}|[\\p{Mn}\\p{Lm}.'’ʼ-])+$`, 'u');
  },
);

/** Words with characters beyond ASCII: by them, a person sees whether the encoding is right. */
export function foreignWords(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [word] of text.matchAll(/[^\s,;|"/\\()\d:]*[^\0-\x7f\s][^\s,;|"/\\()\d:]*/gu)) {
    found.add(word);
    if (found.size === MOST_WORDS) break;
  }
  return [...found];
}

const MOST_WORDS = 500;

/**
 * A text in UTF-8 that somebody read as Windows-1252 and saved again, once or several times: `JosÃ©` and `JosÃƒÂ©` are
 * José. Undefined for another text.
 */
export function undamaged(text: string): string | undefined {
  const once = undamagedOnce(text);
  return once === undefined ? undefined : (undamaged(once) ?? once);
}

/** Whether a text has traces of that damage. Of a text that `undamaged` can't repair, only a part is damaged. */
export function isDamaged(text: string): boolean {
  return /[\u00c2-\u00c5\u00d0-\u00da][\u0080-\u00bf]|[ÃÂÐÑØÙ][\u0152-\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|\p{Ll}Ã/u.test(
    text,
  );
}

function undamagedOnce(text: string): string | undefined {
  if (!/[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u2122]/u.test(text)) return undefined;
  const bytes = Array.from(text, (character) => WINDOWS_1252.indexOf(character));
  return bytes.includes(-1) ? undefined : decode(Uint8Array.from(bytes), 'utf-8');
}

/** Each character at the place of its byte. */
const WINDOWS_1252 = Array.from(
  new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, at) => at)),
);
