/** Requests of a television. Each answer is a sign that the server can be reached, and says what time it is. */
import type { Schemas } from '@hms/api-client';
import { dataIn } from '../kit/plain/refusal.ts';

export type ShownDisplay = Schemas['ShownDisplay'];
type Report = Schemas['DisplayReport'];

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

  /** Says how the display is. @returns what it has to show. */
  report(token: string, report: Report): Promise<ShownDisplay> {
    return this.#data('/api/auth/displays/me/report', {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(report),
      credentials: 'omit',
    });
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
    return dataIn(await this.#send(path, init));
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
