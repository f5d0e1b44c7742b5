import { hospitalNames } from '@hms/tenancy';
import type { KongEntity } from './client.ts';

const TENANT_TAG = 'hms-tenant-';

/**
 * Finds hosts among the routes that another hospital has in the gateway, also one whose object is gone: with two routes
 * for one host the gateway gives the requests to either. Pure.
 * @param routes all that the gateway has.
 * @returns a sentence for each host that is taken.
 */
export function takenHosts(
  prefix: string,
  hosts: readonly string[],
  routes: readonly KongEntity[],
): ReadonlyMap<string, string> {
  const own = hospitalNames(prefix).tag;
  const taken = new Map<string, string>();
  for (const route of routes) {
    const tag = textsOf(route.tags).find((one) => one.startsWith(TENANT_TAG));
    if (tag === undefined || tag === own) continue;
    const other = tag.slice(TENANT_TAG.length);
    for (const host of textsOf(route.hosts).filter((one) => hosts.includes(one))) {
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
