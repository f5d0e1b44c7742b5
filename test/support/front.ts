/** A server in front of the gateway. Requests for a display's pages can go to another server, as during a release. */
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The page of displays, its files, and which version there is. */
const PAGES = /^\/(tv|tv-worker\.js|version\.json|assets\/.*)(\?|$)/;

export class Front {
  readonly #gateway: number;
  readonly #server = http.createServer((request, response) => this.#relay(request, response));
  /** Port of the server of the pages, instead of the gateway. */
  pages: number | undefined;

  private constructor(gateway: number) {
    this.#gateway = gateway;
  }

  static async before(gateway: number): Promise<Front> {
    const front = new Front(gateway);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #relay(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = '/', headers } = request;
    const port = PAGES.test(url) ? (this.pages ?? this.#gateway) : this.#gateway;
    const onward = http.request({ host: '127.0.0.1', port, method, path: url, headers });
    const cut = () => {
      onward.destroy();
      response.destroy();
    };
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      answer.on('error', cut).pipe(response);
    });
    onward.on('error', cut);
    response.on('close', cut);
    request.pipe(onward);
  }
}
