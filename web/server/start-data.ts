/** What a page knows before it asks anything: where it is. The HTML contains it, which saves a round trip. */
import type { AuthClient, Behalf } from './auth-client.ts';
import type { Place } from './places.ts';

export interface StartData {
  readonly entry: Place['entry'];
  /** The hospital's prefix, or console. */
  readonly realm: string;
  /** Name of the hospital. */
  readonly name: string | null;
  readonly primaryColor: string | null;
  readonly logoUrl: string | null;
  /** The code of why nobody can log in here, such as HOSPITAL_SUSPENDED. */
  readonly problem: string | null;
  /** Version of the pages. */
  readonly build: string;
}

/** A changed name or theme is shown this late, in milliseconds. */
const TTL = 10_000;
const MOST_ENTRIES = 2_000;

export type ReadStart = (place: Place, behalf: Behalf) => Promise<StartData>;

export function startData(auth: AuthClient, build: string, now: () => number = Date.now): ReadStart {
  const cache = new Map<string, { readonly value: Promise<StartData>; readonly expires: number }>();
  return async (place, behalf) => {
    const realm = 'realm' in place ? place.realm : '';
    const nothing = { entry: place.entry, realm, name: null, primaryColor: null, logoUrl: null, problem: null, build };
    if (place.entry !== 'portal') return nothing;
    const known = cache.get(realm);
    if (known && known.expires > now()) return known.value;
    const value = auth
      .send('GET', `hospitals/${realm}`, behalf)
      .then(
        ({ body }): StartData =>
          body.success
            ? { ...nothing, ...(body.data as Pick<StartData, 'name' | 'primaryColor' | 'logoUrl'>) }
            : { ...nothing, problem: body.error?.code ?? null },
      );
    cache.delete(realm);
    cache.set(realm, { value, expires: now() + TTL });
    if (cache.size > MOST_ENTRIES) cache.delete([...cache.keys()][0] ?? '');
    try {
      return await value;
    } catch {
      // The page itself says what does not work.
      cache.delete(realm);
      return nothing;
    }
  };
}
