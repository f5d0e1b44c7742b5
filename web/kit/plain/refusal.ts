/** An answer that is no success. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, code: string) {
    super(code);
    this.status = response.status;
    this.code = code;
    this.retryAfter = Number(response.headers.get('Retry-After')) || undefined;
  }
}

/** What an answer of the API contains. @throws Refusal */
export async function dataIn<Data>(response: Response): Promise<Data> {
  const envelope = await response.json().catch(() => undefined);
  if (!response.ok || envelope?.data === undefined) throw new Refusal(response, envelope?.error?.code ?? 'other');
  return envelope.data;
}
