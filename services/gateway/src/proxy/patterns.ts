import { RE2JS } from 're2js';

/** A regular expression whose matches take linear time (RE2). */
export type Pattern = Pick<RE2JS, 'test'> & {
  /** The match, then its groups. Undefined for a group that did not participate. */
  readonly exec: (text: string) => Match | null;
};

type Match = readonly (string | undefined)[] & {
  readonly 0: string;
  readonly groups?: Readonly<Record<string, string | undefined>> | undefined;
};

/**
 * A regular expression as Kong's router accepts it: without look-around and back-references, which would let a client's
 * text block the process. Returns the reason if it is invalid or so large that each match would be slow.
 * @param anchored at the start
 */
export function compile(
  source: string,
  anchored = false,
):
  | { readonly pattern: Pattern; readonly error?: undefined }
  | { readonly pattern?: undefined; readonly error: string } {
  try {
    // Compile it alone first: an unmatched closing parenthesis would be valid inside the anchoring group.
    const alone = RE2JS.compile(source);
    if (alone.programSize() > MAX_STEPS) return { error: TOO_LARGE };
    return { pattern: (anchored ? RE2JS.compile(`^(?:${source})`) : alone) as Pattern };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

export const TOO_LARGE = 'too large';

/** The maximum cost of a match per character. */
const MAX_STEPS = 500;
