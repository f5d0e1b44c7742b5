import type { HospitalObject } from './resource.ts';
import { type TenantSettings, tenantOf } from './tenant.ts';

/**
 * Finds a host that an older hospital has already: first come, first served. Pure.
 * @returns a sentence, or undefined when all of the hospital's hosts are its own.
 */
export function hostConflict(
  hospital: HospitalObject,
  all: readonly HospitalObject[],
  settings: TenantSettings,
): string | undefined {
  const ours = new Set(hostsOf(hospital, settings));
  for (const other of all) {
    if (other.metadata.uid === hospital.metadata.uid || !isOlder(other, hospital)) continue;
    const shared = hostsOf(other, settings).find((host) => ours.has(host));
    if (shared) return `host ${shared} is hospital ${other.metadata.name}'s: take it out of spec.gateway.hosts`;
  }
  return undefined;
}

function hostsOf(hospital: HospitalObject, settings: TenantSettings): readonly string[] {
  return tenantOf(hospital, '', settings).hosts;
}

/** By time of creation, and by name within one second. */
function isOlder({ metadata: a }: HospitalObject, { metadata: b }: HospitalObject): boolean {
  return a.creationTimestamp === b.creationTimestamp ? a.name < b.name : a.creationTimestamp < b.creationTimestamp;
}
