/**
 * Polls until the condition is met.
 * @throws Error with the last value if it is not met in time.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T>,
  holds: (answer: T) => boolean,
  timeoutMs = 30_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}; last value: ${show(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function show(answer: unknown): string {
  const telling = (key: string, value: unknown) => (key === 'managedFields' ? undefined : value);
  return (JSON.stringify(answer, telling) ?? String(answer)).slice(0, 4000);
}
