import type { Tenant } from '../backend.ts';
import { BackendError } from '../errors.ts';
import type { KongEntity } from './client.ts';
import type { EntityChange } from './sync.ts';

const TENANT_TAG = 'hms-tenant-';

/** Hosts that the object names, where the changes bring hosts to a route; none where routes keep theirs. Pure. */
export function newHosts({ namedHosts }: Tenant, changes: readonly EntityChange[]): readonly string[] {
  const bringsHosts = changes.some(
    ({ action, detail, entity }) =>
      entity.collection === 'routes' &&
      (action === 'create' || (action === 'update' && detail?.split(', ').includes('hosts'))),
  );
  return bringsHosts ? namedHosts : [];
}

/**
 * Looks for a host among the routes that another hospital has in the gateway, also one whose object is gone: with two
 * routes for one host the gateway gives the requests to either. Pure.
 *
 * @param routes all that the gateway has.
 * @throws BackendError Conflict
 */
export function refuseTaken({ names }: Tenant, hosts: readonly string[], routes: readonly KongEntity[]): void {
  for (const route of routes) {
    const host = hosts.find((one) => textsOf(route.hosts).includes(one));
    const tag = textsOf(route.tags).find((one) => one.startsWith(TENANT_TAG));
    if (host === undefined || tag === undefined || tag === names.tag) continue;
    const other = tag.slice(TENANT_TAG.length);
    throw new BackendError(
      'Conflict',
      `host ${host} is held by routes of hospital ${other} in the gateway: take it out of spec.gateway.hosts, or, where that hospital is gone, delete the routes with the tag ${tag} in the gateway`,
    );
  }
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}
