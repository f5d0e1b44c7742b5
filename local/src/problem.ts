import { types } from 'node:util';

/** Something a person can put right: the message is one or two sentences that say what is wrong and what to do. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** The sentence to show for anything that was thrown. */
export function sentence(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  if (types.isNativeError(error.cause) && !(error instanceof Problem))
    return `${error.message}: ${error.cause.message}`;
  return error.message || error.name;
}

/** The code that Node gives an error of the system or of itself, like ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return types.isNativeError(error) && 'code' in error ? String(error.code) : undefined;
}
