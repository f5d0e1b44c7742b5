/** Requests of a television. Each answer is a sign that the server can be reached, and says what time it is. */
import type { Schemas } from '@hms/api-client';

export type ShownDisplay = Schemas['ShownDisplay'];

export interface Pairing {
  readonly userCode: string;
  readonly verificationUri: string;
  /** SVG. */
  readonly qr: string;
  readonly expiresIn: number;
  readonly interval: number;
}

export interface Token {
  /** Null if this browser has never been a display. */
  readonly accessToken: string | null;
  readonly expiresIn: number;
}

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

/** Is told about each answer. @param serverTime ms since 1970, or NaN. */
type OnAnswer = (serverTime: number) => void;

const TIMEOUT = 20_000;

export class Server {
  readonly #onAnswer: OnAnswer;

  constructor(onAnswer: OnAnswer) {
    this.#onAnswer = onAnswer;
  }

  start(): Promise<Pairing> {
    return this.#post('start');
  }

  token(): Promise<Token> {
    return this.#post('token');
  }

  display(token: string): Promise<ShownDisplay> {
    return this.#data('/api/auth/displays/me', { headers: { Authorization: `Bearer ${token}` }, credentials: 'omit' });
  }

  /** Version of the pages that the server has now. */
  async build(): Promise<string> {
    const response = await this.#send('/version.json', { cache: 'no-store' });
    return String((await response.json()).build);
  }

  #post<Data>(path: string): Promise<Data> {
    const headers = { 'Content-Type': 'application/json' };
    return this.#data(`/session/display/${path}`, { method: 'POST', headers, body: '{}' });
  }

  async #data<Data>(path: string, init: RequestInit): Promise<Data> {
    const response = await this.#send(path, init);
    const envelope = await response.json().catch(() => undefined);
    if (!response.ok || envelope?.data === undefined) throw new Refusal(response, envelope?.error?.code ?? 'other');
    return envelope.data;
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), TIMEOUT);
    try {
      const response = await fetch(path, { ...init, signal: abort.signal });
      // The gateway answers in place of a server that is down.
      if (response.status < 500) this.#onAnswer(Date.parse(response.headers.get('Date') ?? ''));
      return response;
    } finally {
      clearTimeout(timer);
    }
  }
}
