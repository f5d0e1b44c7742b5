/** A television in front of the gateway and the server of the pages, which sends what its page sends. */
import { platform } from '../platform.ts';
import { type Answer, call } from './gateway.ts';

/** It keeps nothing but its cookie. */
export class Television {
  readonly #host: string;
  #cookie = '';

  /** @param host of its hospital. */
  constructor(host: string) {
    this.#host = `${host}:${platform().ports.gateway}`;
  }

  /** Shows a code. */
  async start(): Promise<string> {
    const { body } = await this.#post('start');
    const started = body?.data as { readonly userCode: string } | undefined;
    return started?.userCode ?? '';
  }

  /** Asks for a token. */
  ask(): Promise<Answer> {
    return this.#post('token');
  }

  async #post(path: 'start' | 'token'): Promise<Answer> {
    const headers = { origin: `http://${this.#host}`, cookie: this.#cookie };
    const answer = await call('POST', `/session/display/${path}`, { host: this.#host, headers, body: {} });
    const [cookie] = [answer.headers['set-cookie'] ?? []].flat();
    if (cookie) this.#cookie = cookie.split(';')[0] ?? '';
    return answer;
  }
}
