import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** What a target's host stands for. */
export type Addresses = readonly string[] | 'unknown' | 'failed';

/** Follows the addresses of a host name; an IP address stands for itself. */
export class HostName {
  addresses: Addresses;
  readonly #host: string;
  readonly #changed: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param changed told when `addresses` has become another */
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
    const found = await resolve(this.#host).catch(() => undefined);
    if (this.#isStopped) return;
    // What was known holds until something else is: a name server that is away takes no target out.
    const next = found ?? (Array.isArray(this.addresses) ? this.addresses : 'failed');
    if (String(next) !== String(this.addresses)) {
      this.addresses = next;
      this.#changed();
    }
    this.#timer = setTimeout(() => void this.#follow(resolve), found ? REFRESH_MS : RETRY_MS).unref();
  }
}

/** Rejects where the name has no address. */
export type Resolve = (host: string) => Promise<readonly string[]>;

async function resolveHost(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  // Node tries IPv4 and IPv6 of one host side by side; as targets they would be two.
  const preferred = found.filter(({ family }) => family === 4);
  return (preferred.length > 0 ? preferred : found).map(({ address }) => address).sort();
}

/** The system's resolver tells no time to live. */
const REFRESH_MS = 10_000;
const RETRY_MS = 1_000;
