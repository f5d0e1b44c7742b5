/** Every name that derives from a hospital's prefix. Pure functions. No other code spells these names. */
import { v5 as uuidv5 } from 'uuid';
import { prefixProblem } from './prefix.ts';

/** Realm of the platform's own users. */
export const CONSOLE_REALM = 'console';
/** Bucket folder of platform administration. */
export const CONSOLE_FOLDER = 'console';
/** Value that `aud` must have in every access token. */
export const AUDIENCE = 'hms-api';
/** Client of a hospital's realm that gets tokens for the platform's people who act as somebody of the hospital. */
export const IMPERSONATION_CLIENT = 'hms-impersonation';
/**
 * Identity providers of a hospital's realm that trust the auth module to say for whom it wants a token (RFC 7523), each for
 * one client. The issuer is `iss` of its assertions. It has the form of an address, and nothing is fetched from it.
 */
export const ASSERTION_PROVIDERS = {
  impersonations: { alias: 'hms-auth', issuer: 'https://hms-auth.invalid' },
  displays: { alias: 'hms-displays', issuer: 'https://hms-displays.invalid' },
} as const;
/** Tag of the platform's shared gateway entities. */
export const PLATFORM_TAG = 'hms-platform';
/** Folders inside a hospital's folder of the bucket. */
export const HOSPITAL_FOLDERS = ['branding', 'patients', 'lab-reports', 'prescriptions', 'invoices'] as const;
/** Where modules keep files: these, and one for reports, whose files are deleted after a day. */
export const FILE_FOLDERS = [...HOSPITAL_FOLDERS, 'reports'] as const;

/** Names of one hospital in each engine. */
export interface HospitalNames {
  readonly prefix: string;
  /** Keycloak realm. */
  readonly realm: string;
  /** PostgreSQL schema. */
  readonly schema: string;
  /** PostgreSQL role that may use only that schema. */
  readonly role: string;
  /** Object key prefix in the bucket, with the slash. */
  readonly folder: string;
  /** Kong consumer. */
  readonly consumer: string;
  /** Kong acl group. */
  readonly group: string;
  /** Kong tag of everything that belongs to the hospital. */
  readonly tag: string;
}

/** @param prefix a valid prefix, see `prefixProblem`. */
export function hospitalNames(prefix: string): HospitalNames {
  const identifier = `h_${prefix.replaceAll('-', '_')}`;
  return {
    prefix,
    realm: prefix,
    schema: identifier,
    role: identifier,
    folder: `${prefix}/`,
    consumer: prefix,
    group: prefix,
    tag: `hms-tenant-${prefix}`,
  };
}

/** The prefix of the hospital whose PostgreSQL role this is. */
export function prefixOfRole(role: string): string {
  return role.replace(/^h_/, '').replaceAll('_', '-');
}

/** Issuer of a realm's tokens. @param baseUrl public address of the gateway, without a trailing slash. */
export function issuerOf(baseUrl: string, realm: string): string {
  return `${baseUrl}/auth/realms/${realm}`;
}

/**
 * The realm that an issuer names. Issuers of unverified tokens can be any text, and only those of this
 * form are looked up in the registry.
 * @returns undefined if it is not an issuer of this platform.
 */
export function realmOfIssuer(baseUrl: string, issuer: string): string | undefined {
  const start = issuerOf(baseUrl, '');
  const realm = issuer.slice(start.length);
  if (!issuer.startsWith(start)) return undefined;
  return realm === CONSOLE_REALM || prefixProblem(realm) === undefined ? realm : undefined;
}

/** Default host of a hospital. */
export function defaultHost(prefix: string, domain: string): string {
  return `${prefix}.${domain}`;
}

const NAMESPACE = '5c1b3a53-7e0a-5d54-9c77-3d1f4a6c9f10';

/**
 * Id of a gateway entity: the UUIDv5 of its kind and name, so a PUT by id is idempotent
 * for every sender.
 */
export function gatewayId(kind: string, name: string): string {
  return uuidv5(`${kind}/${name}`, NAMESPACE);
}
