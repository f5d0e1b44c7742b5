import type { HospitalObject } from '@hms/hospitals';
import { addressOf, originsOf, type TenantSettings } from './tenant.ts';

/**
 * The origins whose pages may use files of the bucket, sorted: the portal, every host below the platform's domain with
 * one wildcard (S3 servers limit the size of the rules), and the hospitals' other origins. Pure.
 *
 * A presigned URL opens its file to whoever has it. An origin opens nothing, so one whose host the hospital does not
 * have yet does no harm.
 */
export function fileOrigins(
  hospitals: readonly HospitalObject[],
  settings: TenantSettings,
  portalOrigin: string,
): readonly string[] {
  const everyHost = addressOf(`*.${settings.domain}`, settings);
  const [scheme = '', end = ''] = everyHost.split('*');
  const own = hospitals
    .flatMap((hospital) => originsOf(hospital, settings))
    .filter((origin) => !(origin.startsWith(scheme) && origin.endsWith(end)));
  return [...new Set([new URL(portalOrigin).origin, everyHost, ...own])].sort();
}
