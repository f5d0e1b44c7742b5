/** Where people find their hospital before they know its address. */
import { listHospitals } from '@hms/database';
import { cached, fields, type Platform, Problem, type Route, route, withTraits } from '@hms/service';
import { z } from 'zod';
import { loginPage, loginPageOf } from '../hospital.ts';
import type { SearchLimits } from '../sessions/login-limits.ts';
import { HOSPITALS_NOT_LISTED, TOO_MANY_SEARCHES } from './directory.errors.ts';
import { directoryOf, isSearchable, SEARCHABLE } from './search.ts';

/** What everybody may know of the hospitals: those whose name they write, or all. */
export type DirectoryKind = 'search' | 'list';

const PAGE = 50;
const LONGEST_SEARCH = 100;
/** A new, changed or suspended hospital is noticed this late, in milliseconds. */
const TTL = 10_000;

const query = z.object({
  q: withTraits(
    fields
      .line(LONGEST_SEARCH)
      .refine(
        isSearchable,
        'must have a word of at least three letters, or two in Arabic, Chinese, Japanese or Korean',
      ),
    { accepts: { type: 'string', maxLength: LONGEST_SEARCH, pattern: SEARCHABLE, examples: ['mary'] } },
  )
    .optional()
    .describe('Starts of words of the name, such as "mary"'),
  page: z.coerce.number().int().min(1).max(10_000).default(1).describe('Of the list, without q'),
});

const answer = z
  .object({
    hospitals: z.array(
      loginPage.extend({
        portal: z.string().describe('Address of its pages, without a trailing slash'),
        suspended: z.boolean().describe('Nobody can log in there at the moment'),
      }),
    ),
    more: z.boolean().describe('Whether others match too, or the list has another page'),
  })
  .meta({ id: 'HospitalDirectory' });

interface DirectoryDependencies {
  readonly platform: Pick<Platform, 'db' | 'storage'>;
  readonly kind: DirectoryKind;
  readonly limits: SearchLimits;
}

export function directoryRoute({ platform: { db, storage }, kind, limits }: DirectoryDependencies): Route {
  const directory = cached(async () => directoryOf(await listHospitals(db)), Boolean, { ttl: TTL });
  return route({
    method: 'GET',
    path: '/api/auth/hospitals',
    operationId: 'findHospitals',
    summary: 'Find hospitals by a part of their names',
    description:
      'At most five, the best matches first. Without q, a page of the list of all hospitals, if the platform has one.',
    access: 'public',
    query,
    response: answer,
    errors: [HOSPITALS_NOT_LISTED, TOO_MANY_SEARCHES],
    handler: async ({ query: { q, page }, clientAddress }) => {
      if (kind === 'search') {
        if (q === undefined) throw new Problem(HOSPITALS_NOT_LISTED);
        await limits.searched(clientAddress);
      }
      const { all, find } = await directory.get('');
      const first = (page - 1) * PAGE;
      const { hospitals, more } =
        q === undefined ? { hospitals: all.slice(first, first + PAGE), more: all.length > first + PAGE } : find(q);
      const shown = hospitals.map(async (hospital) => ({
        ...(await loginPageOf(hospital, storage)),
        portal: hospital.portal,
        suspended: hospital.state === 'Suspended',
      }));
      return { data: { hospitals: await Promise.all(shown), more } };
    },
  });
}
