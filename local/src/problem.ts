/** Something a person can put right: the message is one or two sentences that say what is wrong and what to do. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** The sentence to show for anything that was thrown. */
export function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error && !(error instanceof Problem)) return `${error.message}: ${error.cause.message}`;
  return error.message || error.name;
}
