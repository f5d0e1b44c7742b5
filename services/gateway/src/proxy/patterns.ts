/**
 * A regular expression as Kong's router takes it (Rust syntax): anchored at the start when `anchored` is set,
 * `(?<name>…)` and `(?P<name>…)` groups, `(?i)` in front. Answers with the reason where it is none.
 */
export function toRegExp(source: string, anchored = false): RegExp | { error: string } {
  const insensitive = source.startsWith('(?i)');
  const body = (insensitive ? source.slice(4) : source).replaceAll('(?P<', '(?<');
  try {
    return new RegExp(anchored ? `^(?:${body})` : body, insensitive ? 'i' : '');
  } catch (error) {
    return { error: (error as Error).message };
  }
}
