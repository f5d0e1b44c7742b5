/**
 * Characters that can't be seen, or that change how others are seen: with one of them two names look alike and are not
 * the same, or a line reads backwards. A name has none of them, except where its script needs one to be written.
 */

/**
 * The first character of a text that does not belong there.
 * @returns like "the control character U+0000"; undefined where there is none.
 */
export function unwelcomeIn(text: string): string | undefined {
  const [character] = UNWELCOME.exec(text.replaceAll(NEEDED, '')) ?? [];
  if (character === undefined) return undefined;
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (/\p{Cc}|\p{Zl}|\p{Zp}/u.test(character)) return `the control character ${code}`;
  return character === DAMAGED ? `${code}, which stands for a character that was lost` : `the hidden character ${code}`;
}

/** What decoders put in place of what they can't read. */
const DAMAGED = '\uFFFD';

/**
 * Controls and line breaks; what Unicode says not to show (zero width, fillers, tags, and all that turns the direction);
 * what are no characters; the empty braille pattern, which is blank but no space.
 */
const UNWELCOME =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u2800\uFFF9-\uFFFB\uFFFD]/u;

/** Scripts whose letters join or melt together, where a joiner or a non-joiner makes another word. */
const JOINING = [
  ...['Arab', 'Syrc', 'Mand', 'Nkoo', 'Mong', 'Adlm', 'Rohg'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'],
  ...['Mymr', 'Khmr', 'Tibt', 'Newa', 'Sund', 'Java', 'Bali'],
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');

/**
 * What scripts need: ZWNJ and ZWJ (Persian, Indic) and the Mongolian vowel separator between two letters, ZWNJ and ZWJ
 * also after the last sign (old Malayalam spelling, half forms); variants of a Mongolian letter or of a Han character.
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
