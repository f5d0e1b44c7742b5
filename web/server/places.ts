/** Which pages a host shows. */
import { CONSOLE_REALM, prefixProblem } from '@hms/tenancy';

/** What is at a host: a hospital, the platform's administration, or the page that leads to the hospitals. */
export type Place = { readonly entry: 'portal' | 'console'; readonly realm: string } | { readonly entry: 'landing' };

/** What a page is for: the place, a television display of the hospital, a patient without an account, or anybody with a document. */
export type Entry = Place | { readonly entry: 'tv' | 'visit' | 'verify'; readonly realm: string };

/** Pages of a hospital that need no account. */
const OPEN_PAGES: Readonly<Record<string, 'tv' | 'visit' | 'verify'>> = {
  '/tv': 'tv',
  '/visit': 'visit',
  '/verify': 'verify',
};

/** @param path of the page. @returns undefined if the place has no such page. */
export function entryOf(place: Place, path: string): Entry | undefined {
  if (place.entry === 'landing') return path === '/' ? place : undefined;
  const open = place.entry === 'portal' && Object.hasOwn(OPEN_PAGES, path) ? OPEN_PAGES[path] : undefined;
  return open && 'realm' in place ? { entry: open, realm: place.realm } : place;
}

/** A host that may be one of a hospital's own. */
interface OwnHost {
  readonly entry: 'own';
  readonly host: string;
}

export interface PlaceSettings {
  readonly BASE_URL: string;
  readonly PLATFORM_DOMAIN: string;
  readonly CONSOLE_ORIGIN: string;
}

/** @param host as in the header Host. @returns undefined for a host that no hospital can have. */
export function placeOf(
  host: string,
  { BASE_URL, PLATFORM_DOMAIN: domain, CONSOLE_ORIGIN }: PlaceSettings,
): Place | OwnHost | undefined {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  if (name === new URL(CONSOLE_ORIGIN).hostname) return { entry: 'console', realm: CONSOLE_REALM };
  if (name === domain || name === new URL(BASE_URL).hostname) return { entry: 'landing' };
  const prefix = name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : '';
  if (prefixProblem(prefix) === undefined) return { entry: 'portal', realm: prefix };
  return OWN_HOST.test(name) ? { entry: 'own', host: name } : undefined;
}

/** A name with a dot, and no address. */
const OWN_HOST = /^(?=.{1,253}$)([a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/;

/** Address of a hospital's portal. The port and the scheme are those of the platform. */
export function portalOf(prefix: string, { BASE_URL, PLATFORM_DOMAIN }: PlaceSettings): string {
  const { protocol, port } = new URL(BASE_URL);
  return `${protocol}//${prefix}.${PLATFORM_DOMAIN}${port ? `:${port}` : ''}/`;
}
