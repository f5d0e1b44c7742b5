/** What is said of a call. Pure. */
import type { Call } from './calls.ts';

/** The number or letter at the end of the name of a room, such as `Room 12` or `غرفة ٣`. */
const PLACE = /(?:^|[^\p{L}\p{N}])([a-z]?\d{1,3}[a-z]?|[a-z])$/iu;

/**
 * The words of a call, in their order: names of words of a voice. Digits and letters are said one by one, as they are
 * written. A room is only said if its name ends with a number or a letter.
 */
export function wordsOf({ label, room }: Pick<Call, 'label' | 'room'>): readonly string[] {
  const [, place = ''] = PLACE.exec(latin(room ?? '').trim()) ?? [];
  return ['number', ...signs(label), ...(place === '' ? [] : ['room', ...signs(place)])];
}

function signs(text: string): readonly string[] {
  return [...latin(text).toUpperCase()].filter((sign) => /[A-Z0-9]/.test(sign));
}

/** With the digits of ASCII. */
function latin(text: string): string {
  return text.replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));
}
