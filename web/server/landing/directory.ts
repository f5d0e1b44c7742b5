/** Which hospitals somebody finds by a name: what the module auth says. */
import { z } from 'zod';
import type { AuthClient, Behalf } from '../auth-client.ts';
import { type PlaceSettings, portalOf } from '../places.ts';
import type { FindProblem } from './words/words.ts';

const directory = z.object({
  hospitals: z.array(
    z.object({
      prefix: z.string(),
      name: z.string(),
      primaryColor: z.string().nullable(),
      logoUrl: z.string().nullable(),
      portal: z.string(),
      suspended: z.boolean(),
    }),
  ),
  more: z.boolean(),
});

export type Found = z.output<typeof directory>;
export type Listed = Found['hospitals'][number];

/** How long a page waits for auth, in milliseconds. */
const PATIENCE = 3_000;

export interface Directory {
  search(query: string, behalf: Behalf): Promise<{ readonly found?: Found; readonly problem?: FindProblem }>;
  /** @returns undefined if the platform has no list, or it can't be read now. */
  list(page: number, behalf: Behalf): Promise<Found | undefined>;
}

export function directoryOf(auth: AuthClient, settings: PlaceSettings): Directory {
  async function ask(query: string, behalf: Behalf) {
    const { status, body } = await auth.send('GET', `hospitals?${query}`, behalf, undefined, PATIENCE);
    if (!body.success) return { status };
    const { hospitals, more } = directory.parse(body.data);
    const withAddress = hospitals.map((hospital) => ({ ...hospital, portal: addressOf(hospital, settings) }));
    return { status, found: { hospitals: withAddress, more } };
  }

  return {
    search: async (query, behalf) => {
      if (query === '') return { problem: 'short' };
      const { status, found } = await ask(`q=${encodeURIComponent(query)}`, behalf).catch(() => ({
        status: 503,
        found: undefined,
      }));
      if (found) return found.hospitals.length > 0 ? { found } : { problem: 'none' };
      return { problem: status === 400 ? 'short' : status === 429 ? 'often' : 'unavailable' };
    },
    list: async (page, behalf) => (await ask(`page=${page}`, behalf).catch(() => undefined))?.found,
  };
}

/** The operator of an earlier release wrote none. */
function addressOf({ portal, prefix }: Listed, settings: PlaceSettings): string {
  return /^https?:\/\//.test(portal) && URL.canParse(portal) ? portal : portalOf(prefix, settings).replace(/\/$/, '');
}
