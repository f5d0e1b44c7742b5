import type { HospitalObject } from './resource.ts';
import { type TenantSettings, tenantOf } from './tenant.ts';

export interface HostSettings extends TenantSettings {
  /** Hosts that no hospital may have. */
  readonly platformHosts: readonly string[];
}

/** The hosts of the platform itself. @param addresses of the gateway, the portal, the console. Pure. */
export function platformHosts(domain: string, addresses: readonly string[]): readonly string[] {
  return [domain, `console.${domain}`, ...addresses.map((address) => new URL(address).hostname)];
}

/**
 * Finds a host that is the platform's, or another hospital's: first come, first served. A host is whose it is in the
 * gateway already; where it is nobody's, it is the older hospital's. Pure.
 * @returns a sentence, or undefined when all of the hospital's hosts are its own.
 */
export function hostConflict(
  hospital: HospitalObject,
  all: readonly HospitalObject[],
  settings: HostSettings,
): string | undefined {
  const ours = new Set(hostsOf(hospital, settings));
  const shared = settings.platformHosts.find((host) => ours.has(host));
  if (shared) return `host ${shared} is the platform's own: take it out of spec.gateway.hosts`;
  for (const host of heldBy(hospital)) ours.delete(host);
  if (ours.size === 0) return undefined;
  for (const other of all) {
    if (other.metadata.uid === hospital.metadata.uid) continue;
    const theirs = isOlder(other, hospital) ? [...heldBy(other), ...hostsOf(other, settings)] : heldBy(other);
    const shared = theirs.find((host) => ours.has(host));
    if (shared) return `host ${shared} is hospital ${other.metadata.name}'s: take it out of spec.gateway.hosts`;
  }
  return undefined;
}

function heldBy({ status }: HospitalObject): readonly string[] {
  return status?.hosts ?? [];
}

function hostsOf(hospital: HospitalObject, settings: TenantSettings): readonly string[] {
  return tenantOf(hospital, '', settings).hosts;
}

/** By time of creation, and by name within one second. */
function isOlder({ metadata: a }: HospitalObject, { metadata: b }: HospitalObject): boolean {
  return a.creationTimestamp === b.creationTimestamp ? a.name < b.name : a.creationTimestamp < b.creationTimestamp;
}
