import { types } from 'node:util';

/** An error that people can fix: the message says what is wrong and what to do. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** The message of any thrown value. */
export function sentence(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  if (types.isNativeError(error.cause) && !(error instanceof Problem))
    return `${error.message}: ${error.cause.message}`;
  return error.message || error.name;
}

/** The code of a system error or an error of Node, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return types.isNativeError(error) && 'code' in error ? String(error.code) : undefined;
}
