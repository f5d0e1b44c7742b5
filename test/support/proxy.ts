import { once } from 'node:events';
import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';

/**
 * What a proxy does with connections.
 * pass: forwards everything. refuse: refuses connections. hang: accepts everything but does not answer, like a
 * half-open connection.
 * slow: passes everything on, and each piece of a response late.
 */
export type Mode = 'pass' | 'refuse' | 'hang' | 'slow';

/** How long a slow engine takes for each response. */
const SLOW_MS = 150;

/** A TCP proxy before a real engine, for faults that the engine itself can't produce. */
export class FaultProxy {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #port = 0;
  #mode: Mode = 'pass';
  #chunks = 0;
  #recorded: string[] | undefined;
  #watch:
    | { readonly texts: readonly string[]; readonly found: WeakMap<Socket, number>; readonly then: () => void }
    | undefined;
  #trigger: { readonly chunks: number; readonly mode: Mode | undefined; readonly then: () => void } | undefined;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  /** @param target `host:port` of the engine. */
  static async before(target: string): Promise<FaultProxy> {
    const [host = '', port = ''] = target.split(':');
    const proxy = new FaultProxy({ host, port: Number(port) });
    await proxy.#listen();
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** How many packets clients have sent since the start. */
  get chunks(): number {
    return this.#chunks;
  }

  /** Open connections end in any case. */
  async set(mode: Mode): Promise<void> {
    this.#trigger = undefined;
    await this.#set(mode);
  }

  /** Fails after clients have sent this many more packets, in the middle of an operation. */
  failAfter(chunks: number, mode: Mode): Promise<void> {
    return new Promise((then) => {
      this.#trigger = { chunks: this.#chunks + chunks, mode, then };
    });
  }

  /** Resolves as soon as clients have sent so many more pieces of data. Nothing fails. */
  after(chunks: number): Promise<void> {
    return new Promise((then) => {
      this.#trigger = { chunks: this.#chunks + chunks, mode: undefined, then };
    });
  }

  /** Resolves as soon as one connection has sent pieces of data with these texts, in this order. Nothing fails. */
  afterTexts(...texts: readonly string[]): Promise<void> {
    return new Promise((then) => {
      this.#watch = { texts, found: new WeakMap(), then };
    });
  }

  /** Starts recording what clients send. */
  record(): void {
    this.#recorded = [];
  }

  /** The packets of clients since `record`. */
  get recorded(): readonly string[] {
    return this.#recorded ?? [];
  }

  async close(): Promise<void> {
    await this.set('refuse');
  }

  async #set(mode: Mode): Promise<void> {
    const before = this.#mode;
    this.#mode = mode;
    for (const socket of this.#sockets) socket.destroy();
    if (mode === 'refuse' && before !== 'refuse') await new Promise((resolve) => this.#server.close(resolve));
    if (mode !== 'refuse' && before === 'refuse') await this.#listen();
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address && typeof address === 'object') this.#port = address.port;
  }

  #look(client: Socket, chunk: Buffer): void {
    const watch = this.#watch;
    if (!watch) return;
    let found = watch.found.get(client) ?? 0;
    while (found < watch.texts.length && chunk.includes(watch.texts[found] ?? '')) found += 1;
    watch.found.set(client, found);
    if (found < watch.texts.length) return;
    this.#watch = undefined;
    watch.then();
  }

  #accept(client: Socket): void {
    this.#sockets.add(client);
    client.on('close', () => this.#sockets.delete(client));
    client.on('error', () => undefined);
    if (this.#mode === 'hang') return;
    const engine = tcpConnect(this.#target);
    this.#sockets.add(engine);
    const late = (act: () => void) => {
      if (this.#mode === 'slow') setTimeout(act, SLOW_MS);
      else act();
    };
    engine.on('close', () => {
      this.#sockets.delete(engine);
      late(() => client.destroy());
    });
    engine.on('error', () => client.destroy());
    client.on('close', () => engine.destroy());
    client.on('data', (chunk) => {
      this.#chunks += 1;
      this.#recorded?.push(chunk.toString('latin1'));
      this.#look(client, chunk);
      if (this.#trigger && this.#chunks >= this.#trigger.chunks) {
        const { mode, then } = this.#trigger;
        this.#trigger = undefined;
        if (mode !== undefined) {
          void this.#set(mode).then(then);
          return;
        }
        then();
      }
      if (!engine.write(chunk)) {
        client.pause();
        engine.once('drain', () => client.resume());
      }
    });
    engine.on('data', (chunk) => {
      late(() => {
        if (client.write(chunk)) return;
        engine.pause();
        client.once('drain', () => engine.resume());
      });
    });
  }
}
