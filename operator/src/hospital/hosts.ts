import { deleteHosts, insertHosts, readHosts } from '@hms/database';
import type { HospitalObject } from '@hms/hospitals';
import { type HostRules, hostRules, type PlatformAddresses, reservedHost } from '@hms/hospitals/hosts';
import { defaultHost } from '@hms/tenancy';
import type { Postgres } from '../backends/database/client.ts';
import { BackendError, toBackendError } from '../backends/errors.ts';
import { type TenantSettings, wantedHosts } from './tenant.ts';

export type HostSettings = TenantSettings & HostRules;

export function hostSettings(addresses: PlatformAddresses): HostSettings {
  return { baseUrl: addresses.BASE_URL, ...hostRules(addresses) };
}

/** Which hosts of a Hospital object it has. */
export interface HostClaim {
  /** Hosts that the hospital has, in the order of its object. */
  readonly held: readonly string[];
  /** Hosts that the hospital has but no longer names. They are released once the gateway has no route for them. */
  readonly surplus: readonly string[];
  /** Why other hosts of the object are refused or pending. */
  readonly objection: BackendError | undefined;
}

export interface HostsOptions {
  readonly postgres: Postgres;
  readonly settings: HostSettings;
  /**
   * Reads which of the hosts are held by another hospital's routes in the gateway, even if that hospital is deleted.
   * @returns a sentence per host. @throws BackendError
   */
  readonly takenInGateway: (prefix: string, hosts: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** Assigns hosts to hospitals: each to one hospital, first come, first served. */
export class Hosts {
  readonly #o: HostsOptions;

  constructor(options: HostsOptions) {
    this.#o = options;
  }

  /**
   * Claims the hosts that the object names. A host of another hospital stays pending, without affecting anything else.
   * @param write false only reads: a free host counts as held.
   * @throws BackendError if the registry is unavailable.
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
      await postgres.call('claim-hosts', async (db) => {
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
    await this.#o.postgres.call('release-hosts', async (db) => {
      await deleteHosts(db, hospitalId, hosts);
    });
  }

  /** A hospital's default host is reserved for it, so the gateway is checked only for other new hosts. */
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
      // Unknown does not mean free.
      return {
        taken: new Map(hosts.map((host) => [host, `host ${host} waits for the gateway: ${error.message}`])),
        error,
      };
    }
  }
}
