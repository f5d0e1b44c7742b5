import { hospitalNames } from '@hms/tenancy';
import type { KongEntity } from './client.ts';

const TENANT_TAG = 'hms-tenant-';

/**
 * Finds hosts in the routes of another hospital in the gateway, even if its object is deleted: with two routes
 * for a host, the gateway would choose either. Pure.
 * @param routes all routes of the gateway.
 * @returns a sentence for each taken host.
 */
export function takenHosts(
  prefix: string,
  hosts: readonly string[],
  routes: readonly KongEntity[],
): ReadonlyMap<string, string> {
  const own = hospitalNames(prefix).tag;
  const taken = new Map<string, string>();
  for (const route of routes) {
    const tag = textsOf(route.tags).find((text) => text.startsWith(TENANT_TAG));
    if (tag === undefined || tag === own) continue;
    const other = tag.slice(TENANT_TAG.length);
    for (const host of textsOf(route.hosts).filter((text) => hosts.includes(text))) {
      taken.set(
        host,
        `host ${host} is held by routes of hospital ${other} in the gateway: remove it from spec.gateway.hosts, or, where that hospital is gone, delete the routes with the tag ${tag} in the gateway`,
      );
    }
  }
  return taken;
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}
