/** What a page knows before it asks anything: where it is. The HTML contains it, which saves a round trip. */
import type { Behalf } from './auth-client.ts';
import type { Hospitals, LoginPage } from './hospitals.ts';
import { type Entry, type PlaceSettings, portalOf } from './places.ts';

export interface StartData extends Omit<LoginPage, 'prefix'> {
  readonly entry: Entry['entry'];
  /** The hospital's prefix, or console. */
  readonly realm: string;
  /** Address of a hospital's portal, with `{prefix}` for the prefix. Only for the console. */
  readonly portals: string | null;
  /** Address of the platform, where people find their hospital. Only if there is no hospital here. */
  readonly platform: string | null;
  /** Version of the pages. */
  readonly build: string;
}

export type ReadStart = (place: Entry, behalf: Behalf) => Promise<StartData>;

export function startData(hospitals: Pick<Hospitals, 'read'>, settings: PlaceSettings, build: string): ReadStart {
  return async (place, behalf) => {
    const realm = 'realm' in place ? place.realm : '';
    const portals = place.entry === 'console' ? portalOf('{prefix}', settings) : null;
    const unknown = { name: null, primaryColor: null, logoUrl: null, problem: null };
    const nothing = { entry: place.entry, realm, ...unknown, portals, platform: null, build };
    if (place.entry === 'landing' || place.entry === 'console') return nothing;
    try {
      const { prefix: _, ...page } = await hospitals.read(realm, behalf);
      const platform = page.problem === 'HOSPITAL_UNKNOWN' ? new URL(settings.BASE_URL).origin : null;
      return { ...nothing, ...page, platform };
    } catch {
      // The page itself says what does not work.
      return nothing;
    }
  };
}
