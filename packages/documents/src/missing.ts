/** Characters that no font has. A document shows their codes. */

/**
 * PDF/A demands a glyph for each character. The compiler names the texts that have none, in Rust's notation:
 * `the text `\"\\u{e000}\"` could not be displayed`.
 * @param message of the compiler. @returns each character once, with invisible ones only if there are no others.
 */
export function undrawable(message: string): readonly string[] {
  const texts = [...message.matchAll(/the text `\\"(.+?)\\"` could not be displayed/gs)].map(([, text = '']) =>
    unescapeRust(unescapeRust(text)),
  );
  const all = texts.join('');
  return [...new Set(all.replace(INVISIBLE, '') || all)];
}

/**
 * Replaces these characters in the texts of the JSON by codes, such as `[U+1F600]`, with the joiners after them.
 * @returns also those that were there. A logo may have others.
 */
export function withCodes(
  json: string,
  characters: readonly string[],
): { readonly json: string; readonly found: ReadonlySet<string> } {
  const found = new Set<string>();
  if (characters.length === 0) return { json, found };
  const codes = characters.map((character) => `\\u{${hexOf(character)}}`).join('');
  const replaced = new RegExp(`([${codes}])${INVISIBLE.source}*`, 'gu');
  const coded = (_all: string, character: string) => {
    found.add(character);
    return `[${codeOf(character)}]`;
  };
  const withoutThem = JSON.parse(json, (_name, value: unknown) =>
    typeof value === 'string' ? value.replace(replaced, coded) : value,
  );
  return { json: JSON.stringify(withoutThem), found };
}

/** Such as `U+1F600`. */
export function codeOf(character: string): string {
  return `U+${hexOf(character).toUpperCase().padStart(4, '0')}`;
}

/** They only join other characters, or choose among their forms. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}

function unescapeRust(text: string): string {
  return text.replace(/\\(?:u\{([0-9a-f]+)\}|(.))/gs, (_all, code: string | undefined, sign: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : sign,
  );
}
