import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The addresses of a target's host. */
export type Addresses = readonly string[] | 'unknown' | 'failed';

/** Follows the addresses of a hostname. An IP address is its own address. */
export class HostName {
  addresses: Addresses;
  readonly #host: string;
  readonly #changed: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param changed called when `addresses` has changed */
  constructor(host: string, changed: () => void, resolve: Resolve = resolveHost) {
    this.#host = host.replace(/^\[|\]$/g, '');
    this.#changed = changed;
    const isAddress = isIP(this.#host) !== 0;
    this.addresses = isAddress ? [this.#host] : 'unknown';
    if (!isAddress) void this.#follow(resolve);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #follow(resolve: Resolve): Promise<void> {
    const resolved = await resolve(this.#host).catch(() => undefined);
    if (this.#isStopped) return;
    // The last addresses stay until new ones are resolved: an unavailable name server takes no target out.
    const next = resolved ?? (Array.isArray(this.addresses) ? this.addresses : 'failed');
    if (String(next) !== String(this.addresses)) {
      this.addresses = next;
      this.#changed();
    }
    this.#timer = setTimeout(() => void this.#follow(resolve), resolved ? REFRESH_MS : RETRY_MS).unref();
  }
}

/** Rejects if the name has no address. */
export type Resolve = (host: string) => Promise<readonly string[]>;

async function resolveHost(host: string): Promise<readonly string[]> {
  const resolved = await lookup(host, { all: true });
  // Node tries IPv4 and IPv6 of one host in parallel. As targets they would count twice.
  const preferred = resolved.filter(({ family }) => family === 4);
  return (preferred.length > 0 ? preferred : resolved).map(({ address }) => address).sort();
}

/** The system's resolver returns no time to live. */
const REFRESH_MS = 10_000;
const RETRY_MS = 1_000;
