/**
 * Characters that are invisible, or that change the display of others: with one of them, two names look alike but are
 * not equal, or a line reads backwards. A name must contain none of them, unless its script requires one.
 */

/**
 * The first refused character of a text.
 * @returns text such as "the control character U+0000", or undefined if there is none.
 */
export function unwelcomeIn(text: string): string | undefined {
  const [character] = UNWELCOME.exec(text.replaceAll(NEEDED, '')) ?? [];
  if (character === undefined) return undefined;
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (/\p{Cc}|\p{Zl}|\p{Zp}/u.test(character)) return `the control character ${code}`;
  return character === DAMAGED ? `${code}, which stands for a character that was lost` : `the hidden character ${code}`;
}

/** The replacement character of decoders. */
const DAMAGED = '\uFFFD';

/**
 * Controls and line breaks, default ignorable characters (zero width, fillers, tags, bidirectional controls),
 * noncharacters, and the empty braille pattern, which is blank but not a space.
 */
const UNWELCOME =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u2800\uFFF9-\uFFFB\uFFFD]/u;

/** Scripts with joining letters or ligatures, in which a joiner or a non-joiner changes the word. */
const JOINING = [
  ...['Arab', 'Syrc', 'Mand', 'Nkoo', 'Mong', 'Adlm', 'Rohg'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'],
  ...['Mymr', 'Khmr', 'Tibt', 'Newa', 'Sund', 'Java', 'Bali'],
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');

/**
 * What scripts require: ZWNJ and ZWJ (Persian, Indic) and the Mongolian vowel separator between two letters, ZWNJ and
 * ZWJ also after the last sign (old Malayalam spelling, half forms), and variants of a Mongolian letter or of a Han
 * character.
 */
const NEEDED = new RegExp(
  [
    `(?<=[${JOINING}])[\\u200C\\u200D\\u180E](?=[${JOINING}])`,
    `(?<=(?=[${JOINING}])\\p{M})[\\u200C\\u200D]`,
    '(?<=\\p{scx=Mong})[\\u180B-\\u180D\\u180F]',
    '(?<=\\p{scx=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]',
  ].join('|'),
  'gu',
);
