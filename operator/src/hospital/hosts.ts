import { deleteHosts, insertHosts, readHosts } from '@hms/database';
import { defaultHost } from '@hms/tenancy';
import type { Postgres } from '../backends/database/client.ts';
import { BackendError, toBackendError } from '../backends/errors.ts';
import type { HospitalObject } from './resource.ts';
import { type TenantSettings, wantedHosts } from './tenant.ts';

export interface HostSettings extends TenantSettings {
  /** Hosts that no hospital may have. */
  readonly platformHosts: readonly string[];
}

/** The hosts of the platform itself. @param addresses of the gateway, the portal, the console. Pure. */
export function platformHosts(domain: string, addresses: readonly string[]): readonly string[] {
  return [domain, `console.${domain}`, ...addresses.map((address) => new URL(address).hostname)];
}

/**
 * Says why a hospital can never have a host, a sentence; undefined where it can. Pure.
 * Below the platform's domain a hospital has its own name only: the others are other hospitals', or may become theirs.
 */
export function reservedHost(
  host: string,
  prefix: string,
  { domain, platformHosts }: HostSettings,
): string | undefined {
  if (platformHosts.includes(host)) return `host ${host} is the platform's own: remove it from spec.gateway.hosts`;
  const own = defaultHost(prefix, domain);
  if (!host.endsWith(`.${domain}`) || host === own || host.endsWith(`.${own}`)) return undefined;
  return `host ${host} is reserved: below ${domain}, hospital ${prefix} can only have ${own}; remove it from spec.gateway.hosts`;
}

/** Which of the hosts that a Hospital object names are its own. */
export interface HostClaim {
  /** Hosts that the hospital has, in the order of its object. */
  readonly held: readonly string[];
  /** Hosts that the hospital has and no longer names. They are released once the gateway has no route for them. */
  readonly surplus: readonly string[];
  /** Why other hosts of the object have to wait. */
  readonly objection: BackendError | undefined;
}

export interface HostsOptions {
  readonly postgres: Postgres;
  readonly settings: HostSettings;
  /**
   * Reads which of the hosts are held by another hospital's routes in the gateway, also where that hospital is gone.
   * @returns a sentence by host. @throws BackendError
   */
  readonly takenInGateway: (prefix: string, hosts: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** Gives hosts to hospitals: each to one, first come, first served. */
export class Hosts {
  readonly #o: HostsOptions;

  constructor(options: HostsOptions) {
    this.#o = options;
  }

  /**
   * Claims the hosts that the object names. A host that is somebody else's waits, and nothing else does.
   * @param write false only looks: a host that is nobody's counts as held.
   * @throws BackendError when the registry can't be asked.
   */
  async claim(hospital: HospitalObject, hospitalId: string, write: boolean): Promise<HostClaim> {
    const { postgres, settings } = this.#o;
    const prefix = hospital.metadata.name;
    const wanted = wantedHosts(hospital, settings);
    const refused = new Map<string, string>();
    for (const host of wanted) {
      const reason = reservedHost(host, prefix, settings);
      if (reason) refused.set(host, reason);
    }
    const eligible = wanted.filter((host) => !refused.has(host));
    const read = () => postgres.call('find-hosts', (db) => readHosts(db, hospitalId, eligible));
    let holders = await read();
    const known = new Set(holders.map(({ host }) => host));
    const free = eligible.filter((host) => !known.has(host));
    const { taken, error } = await this.#taken(prefix, free);
    for (const [host, reason] of taken) refused.set(host, reason);
    const claimable = free.filter((host) => !taken.has(host));
    if (write && claimable.length > 0) {
      await postgres.call('claim-hosts', async (db, fence) => {
        fence();
        await insertHosts(db, hospitalId, claimable);
      });
      holders = await read();
    }
    for (const { host, hospitalId: holder, prefix: name } of holders) {
      if (holder !== hospitalId)
        refused.set(host, `host ${host} is hospital ${name}'s: remove it from spec.gateway.hosts`);
    }
    const own = holders.filter((holder) => holder.hospitalId === hospitalId).map(({ host }) => host);
    const sentences = [...refused.values()];
    return {
      held: wanted
        .filter((host) => own.includes(host) || (!write && claimable.includes(host)))
        .filter((host) => !refused.has(host)),
      surplus: own.filter((host) => !wanted.includes(host) || refused.has(host)),
      objection: sentences.length > 0 ? new BackendError('Conflict', sentences.join('; ')) : error,
    };
  }

  /** Releases hosts for others. */
  async release(hospitalId: string, hosts: readonly string[]): Promise<void> {
    await this.#o.postgres.call('release-hosts', async (db, fence) => {
      fence();
      await deleteHosts(db, hospitalId, hosts);
    });
  }

  /** A hospital's default host can be nobody else's, so the gateway is asked about other new hosts only. */
  async #taken(
    prefix: string,
    free: readonly string[],
  ): Promise<{ readonly taken: ReadonlyMap<string, string>; readonly error?: BackendError }> {
    const hosts = free.filter((host) => host !== defaultHost(prefix, this.#o.settings.domain));
    if (hosts.length === 0) return { taken: new Map() };
    try {
      return { taken: await this.#o.takenInGateway(prefix, hosts) };
    } catch (cause) {
      const error = toBackendError(cause, 'gateway');
      // Not known is not free.
      return {
        taken: new Map(hosts.map((host) => [host, `host ${host} waits for the gateway: ${error.message}`])),
        error,
      };
    }
  }
}
