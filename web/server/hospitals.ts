/** What the auth module says about a hospital before anybody has logged in. */
import { z } from 'zod';
import type { AuthClient, Behalf } from './auth-client.ts';
import { type Place, type PlaceSettings, placeOf } from './places.ts';

export interface LoginPage {
  readonly prefix: string | null;
  readonly name: string | null;
  readonly primaryColor: string | null;
  readonly logoUrl: string | null;
  /** The code of why nobody can log in here, such as HOSPITAL_SUSPENDED. */
  readonly problem: string | null;
}

export interface Hospitals {
  /** @param name prefix of the hospital, or one of its hosts. @throws Error if auth can't be reached. */
  read(name: string, behalf: Behalf): Promise<LoginPage>;
  /**
   * @param host as in the header Host.
   * @returns undefined for a host that is no hospital's and not the platform's.
   * @throws Error if auth can't be reached.
   */
  placeOf(host: string, behalf: Behalf): Promise<Place | undefined>;
}

/** The code for a name that no hospital has. */
export const UNKNOWN = 'HOSPITAL_UNKNOWN';

/** A changed name, theme or host is noticed this late, in milliseconds. */
const TTL = 10_000;
const MOST_ENTRIES = 2_000;

const open = z.object({
  prefix: z.string(),
  name: z.string(),
  primaryColor: z.string().nullable(),
  logoUrl: z.string().nullable(),
});

export function hospitals(auth: AuthClient, settings: PlaceSettings, now: () => number = Date.now): Hospitals {
  const cache = new Map<string, { readonly value: Promise<LoginPage>; readonly expires: number }>();

  async function ask(name: string, behalf: Behalf): Promise<LoginPage> {
    const { status, body } = await auth.send('GET', `hospitals/${encodeURIComponent(name)}`, behalf);
    if (body.success) return { ...open.parse(body.data), problem: null };
    if (status >= 500) throw new Error(`auth answered ${status} ${body.error?.code}`);
    return { prefix: null, name: null, primaryColor: null, logoUrl: null, problem: body.error?.code ?? null };
  }

  function read(name: string, behalf: Behalf): Promise<LoginPage> {
    const known = cache.get(name);
    if (known && known.expires > now()) return known.value;
    const value = ask(name, behalf).catch((error: unknown) => {
      if (cache.get(name)?.value === value) cache.delete(name);
      throw error;
    });
    cache.delete(name);
    cache.set(name, { value, expires: now() + TTL });
    if (cache.size > MOST_ENTRIES) cache.delete([...cache.keys()][0] ?? '');
    return value;
  }

  return {
    read,
    placeOf: async (host, behalf) => {
      const place = placeOf(host, settings);
      if (place?.entry !== 'own') return place;
      const { prefix, problem } = await read(place.host, behalf);
      // A suspended hospital has pages that say so.
      return problem === UNKNOWN ? undefined : { entry: 'portal', realm: prefix ?? place.host };
    },
  };
}
