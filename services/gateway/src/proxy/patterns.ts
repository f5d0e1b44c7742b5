/**
 * A regular expression as Kong's router takes it (Rust syntax), as far as JavaScript's is the same. Answers with the
 * reason where it is none, or has what Kong's router refuses.
 */
export function toRegExp(source: string): RegExp | { error: string } {
  const error = unknownToRust(source);
  return error === undefined ? compile(source) : { error };
}

/**
 * `(?<name>…)` and `(?P<name>…)` groups, `(?i)` in front.
 * @param anchored at the start
 */
export function compile(source: string, anchored = false): RegExp | { error: string } {
  const insensitive = source.startsWith('(?i)');
  const body = (insensitive ? source.slice(4) : source).replaceAll('(?P<', '(?<');
  try {
    return new RegExp(anchored ? `^(?:${body})` : body, insensitive ? 'i' : '');
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** What the engine of Kong's router leaves out so that each match takes linear time, in its words. */
function unknownToRust(source: string): string | undefined {
  let isInClass = false;
  for (const [token] of source.matchAll(/\\[\s\S]|\(\?<?[=!]|[\s\S]/g)) {
    if (/^\\[0-9k]/.test(token)) return 'backreferences are not supported';
    if (token.startsWith('(?') && !isInClass)
      return 'look-around, including look-ahead and look-behind, is not supported';
    if (token === '[') isInClass = true;
    else if (token === ']') isInClass = false;
  }
  return undefined;
}
