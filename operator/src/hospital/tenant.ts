import { ANNOTATION, type HospitalObject } from '@hms/hospitals';
import { DEFAULT_SETTINGS, defaultHost, HOSPITAL_ROLES, hospitalNames, issuerOf } from '@hms/tenancy';
import type { Tenant } from '../backends/backend.ts';
import { KEY_ROTATION_DAYS } from '../backends/key-rotation.ts';
import { seconds } from '../config.ts';

export interface TenantSettings {
  /** Public address of the gateway. */
  readonly baseUrl: string;
  readonly domain: string;
}

/** The hosts that a hospital's object requests. Pure. */
export function wantedHosts({ metadata, spec }: HospitalObject, { domain }: TenantSettings): readonly string[] {
  return spec.gateway.hosts.length > 0 ? spec.gateway.hosts : [defaultHost(metadata.name, domain)];
}

/**
 * Builds the tenant that the backends use, from the hospital's object and id. Pure.
 * @param hosts those that the hospital has. Origins at other requested hosts are omitted.
 * @param templateRoles roles that every hospital has, from the role templates.
 */
export function tenantOf(
  hospital: HospitalObject,
  hospitalId: string,
  settings: TenantSettings,
  hosts: readonly string[] = wantedHosts(hospital, settings),
  templateRoles: readonly string[] = [],
): Tenant {
  const { metadata, spec } = hospital;
  const names = hospitalNames(metadata.name);
  return {
    names,
    hospitalId,
    uid: metadata.uid,
    profile: {
      displayName: spec.displayName,
      issuer: issuerOf(settings.baseUrl, names.realm),
      timezone: spec.timezone,
      currency: spec.currency,
      theme: spec.theme ?? {},
      portal: portalOf(hosts, settings),
      settings: { ...DEFAULT_SETTINGS, ...spec.settings },
      secondFactor: spec.identity.secondFactor,
    },
    suspended: spec.state === 'Suspended',
    adoptUnowned: spec.adoption === 'IfUnowned',
    hosts,
    origins: originsOf(hospital, settings, hosts),
    rateLimits: spec.gateway.rateLimits,
    accessTokenSeconds: seconds(spec.identity.accessTokenLifespan),
    keyRotation: {
      everyDays: spec.identity.keyRotationDays ?? KEY_ROTATION_DAYS,
      request: metadata.annotations?.[ANNOTATION.rotateKeyRequestedAt],
      timezone: spec.timezone,
    },
    // Keycloak refuses a realm with a duplicate role.
    roles: [...new Set([...HOSPITAL_ROLES, ...templateRoles, ...spec.identity.roles])],
    connectionLimit: spec.database.connectionLimit,
  };
}

/** The origins of a hospital's own pages. Pure. @param hosts those that it has. */
export function originsOf(
  hospital: HospitalObject,
  settings: TenantSettings,
  hosts: readonly string[] = wantedHosts(hospital, settings),
): readonly string[] {
  const { origins } = hospital.spec.gateway;
  if (origins.length === 0) return hosts.map((host) => addressOf(host, settings));
  const waiting = wantedHosts(hospital, settings).filter((host) => !hosts.includes(host));
  const allowed = origins
    .map((origin) => new URL(origin))
    .filter(({ hostname }) => !waiting.includes(hostname))
    // A browser never sends the default port, and the gateway compares with what the browser sends.
    .map(({ origin }) => origin);
  return [...new Set(allowed)];
}

/** Address of a hospital's pages. */
function portalOf([host]: readonly string[], settings: TenantSettings): string {
  return host === undefined ? settings.baseUrl : addressOf(host, settings);
}

/** Address of one of a hospital's hosts, with the scheme and port of the platform's own address. */
export function addressOf(host: string, { baseUrl }: TenantSettings): string {
  const base = new URL(baseUrl);
  return `${base.protocol}//${host}${base.port ? `:${base.port}` : ''}`;
}
