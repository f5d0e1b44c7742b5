/** Hosts that a hospital can never have. */
import { defaultHost } from '@hms/tenancy';

export interface HostRules {
  /** Of the platform, such as `hms.example.com`. Each hospital has its own name below it. */
  readonly domain: string;
  /** Reserved hosts. */
  readonly platformHosts: readonly string[];
}

export interface PlatformAddresses {
  readonly BASE_URL: string;
  readonly PLATFORM_DOMAIN: string;
  readonly PORTAL_ORIGIN: string;
  readonly CONSOLE_ORIGIN: string;
}

/** The platform's domain, its console and its public addresses are reserved. */
export function hostRules({ PLATFORM_DOMAIN: domain, ...addresses }: PlatformAddresses): HostRules {
  const { BASE_URL, PORTAL_ORIGIN, CONSOLE_ORIGIN } = addresses;
  const published = [BASE_URL, PORTAL_ORIGIN, CONSOLE_ORIGIN].map((address) => new URL(address).hostname);
  return { domain, platformHosts: [domain, `console.${domain}`, ...published] };
}

/**
 * Returns a sentence on why a hospital can never have a host, or undefined if it can.
 * Below the platform's domain a hospital can have only its own name: the others are reserved for other hospitals.
 */
export function reservedHost(host: string, prefix: string, { domain, platformHosts }: HostRules): string | undefined {
  if (platformHosts.includes(host)) return `host ${host} is the platform's own: remove it from spec.gateway.hosts`;
  const own = defaultHost(prefix, domain);
  if (!host.endsWith(`.${domain}`) || host === own || host.endsWith(`.${own}`)) return undefined;
  return `host ${host} is reserved: below ${domain}, hospital ${prefix} can only have ${own}; remove it from spec.gateway.hosts`;
}
