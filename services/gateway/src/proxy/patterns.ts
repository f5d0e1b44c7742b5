import { RE2JS } from 're2js';

/** An expression that looks at no character of a text more often than the expression is long (RE2). */
export type Pattern = Pick<RE2JS, 'test'> & {
  /** What was matched, then its groups; undefined for a group that took no part. */
  readonly exec: (text: string) => Match | null;
};

type Match = readonly (string | undefined)[] & {
  readonly 0: string;
  readonly groups?: Readonly<Record<string, string | undefined>> | undefined;
};

/**
 * A regular expression as Kong's router takes it: neither look-around nor back-references, which would let a text of a
 * client stop the process. Answers with the reason where it is none, or is so large that each match would be slow.
 * @param anchored at the start
 */
export function compile(
  source: string,
  anchored = false,
):
  | { readonly pattern: Pattern; readonly error?: undefined }
  | { readonly pattern?: undefined; readonly error: string } {
  try {
    // Alone first: what closes a group that it has not opened would be whole with the group around it.
    const alone = RE2JS.compile(source);
    if (alone.programSize() > MAX_STEPS) return { error: TOO_LARGE };
    return { pattern: (anchored ? RE2JS.compile(`^(?:${source})`) : alone) as Pattern };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

export const TOO_LARGE = 'too large';

/** What a match costs at most for each character. */
const MAX_STEPS = 500;
