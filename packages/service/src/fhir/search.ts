/** One page of a search: from the parameters of a request to a Bundle. */
import type { Bundle, FhirResource } from 'fhir/r4.js';
import { z } from 'zod';
import { invalidFields } from '../errors.ts';
import { countFeed, type Feed, type FeedRow, readFeed } from '../feeds.ts';
import { withTraits } from '../records/traits.ts';
import type { Work } from '../work.ts';
import { bundleOf } from './bundle.ts';
import { dateIn, idIn, type Parameter, type Restrict, type Value, valuesOf } from './parameters.ts';
import type { ResourceType } from './resource-type.ts';

const DEFAULT_COUNT = 20;
const MOST_COUNT = 100;
const DEFAULT_SORT = '_lastUpdated';

/** The search parameters of every type. */
const COMMON: Readonly<Record<string, Parameter>> = { _id: idIn(), _lastUpdated: dateIn('changedAt') };

/** All search parameters of a type, by name. */
export function parametersOf({ parameters }: Pick<ResourceType, 'parameters'>): Readonly<Record<string, Parameter>> {
  return { ...COMMON, ...parameters };
}

const count = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)
  .transform((value) => Math.min(value, MOST_COUNT));

/** The query of a search. A modifier or a chain of a known parameter is refused: ignoring it would find too much. */
export function queryOf(type: ResourceType) {
  const parameters = parametersOf(type);
  return z
    .looseObject({
      ...Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, valuesOf(parameter)])),
      _count: withTraits(count, { accepts: { type: 'integer', minimum: 0, maximum: 999_999_999 } })
        .default(DEFAULT_COUNT)
        .describe(`Resources on a page; more than ${MOST_COUNT} means ${MOST_COUNT}, and 0 their number alone`),
      _sort: z
        .enum(['_lastUpdated', '-_lastUpdated'])
        .default(DEFAULT_SORT)
        .describe('By the time of the last change. With `-`, the latest first'),
      _after: z.string().max(200).optional().describe('Of a link to the next page'),
    })
    .superRefine((query, context) => {
      for (const name of Object.keys(query)) {
        const [known, more] = name.split(/[:.]/, 2);
        if (more !== undefined && known !== undefined && known in parameters) {
          const message = 'has a modifier or a chain, which this server does not support: leave it out';
          context.addIssue({ code: 'custom', path: [name], message });
        }
      }
    });
}

type Query = z.output<ReturnType<typeof queryOf>>;

interface Position {
  /** Number of the source. */
  readonly source: number;
  readonly changedAt: string;
  readonly id: string;
}

interface Found {
  readonly source: number;
  readonly row: FeedRow;
}

/** Reads a page, or counts if that is all the client wants. @param base URL of the FHIR server. @throws Problem VALIDATION_FAILED */
export async function search(
  work: Work,
  base: string,
  type: ResourceType,
  query: Query,
): Promise<Bundle<FhirResource>> {
  const restrictions = await restrictionsOf(work, type, query);
  const address = `${base}/${type.type}`;
  if (query._count === 0) {
    const totals = await Promise.all(
      type.sources.map(({ feed }) => countFeed(work.trx, rowsOf(work, feed, restrictions))),
    );
    const total = totals.reduce((sum, one) => sum + one, 0);
    return { ...bundleOf(address, [], linksOf(address, type, query, undefined)), total };
  }
  const found = await foundIn(work, type, query, restrictions);
  const limit = query._count;
  const resources = await show(work, type, found.slice(0, limit));
  const last = found.length > limit ? found[limit - 1] : undefined;
  return bundleOf(address, resources, linksOf(address, type, query, last));
}

type Restrictions = readonly (readonly Restrict[])[];

/** The rows of a page, and one more if there are more. */
async function foundIn(work: Work, type: ResourceType, query: Query, restrictions: Restrictions): Promise<Found[]> {
  const { _count: limit, _sort, _after } = query;
  const after = _after === undefined ? undefined : positionIn(_after, type.sources.length);
  const found: Found[] = [];
  for (const [source, { feed }] of type.sources.entries()) {
    if (source < (after?.source ?? 0) || found.length > limit) continue;
    const page = await readFeed(work.trx, feed, rowsOf(work, feed, restrictions), {
      limit: limit + 1 - found.length,
      descending: _sort.startsWith('-'),
      after: after?.source === source ? after : undefined,
    });
    found.push(...page.map((row) => ({ source, row })));
  }
  return found;
}

function rowsOf(work: Work, feed: Feed, restrictions: Restrictions) {
  const rows = feed.rows(work);
  const columns = { ...feed.fields, id: feed.id, changedAt: feed.changedAt };
  for (const alternatives of restrictions) {
    rows.where((all) => {
      for (const restrict of alternatives) all.orWhere((one) => restrict(one, columns));
    });
  }
  return rows;
}

/** One resource, or undefined. */
export async function find(work: Work, type: ResourceType, id: string): Promise<FoundResource | undefined> {
  for (const [source, { feed }] of type.sources.entries()) {
    const rows = feed.rows(work).whereRaw(`${feed.id} = ?::uuid`, [id]);
    const [row] = await readFeed(work.trx, feed, rows, { limit: 1, descending: false });
    const [resource] = row ? await show(work, type, [{ source, row }]) : [];
    if (row && resource) return { resource, recordId: row.of };
  }
  return undefined;
}

export interface FoundResource {
  readonly resource: FhirResource;
  /** Id of the record of which the resource is a part. */
  readonly recordId: string;
}

async function restrictionsOf(work: Work, type: ResourceType, query: Query): Promise<Restrictions> {
  const given = valuesIn(type, query).map(([, { alternatives }]) => alternatives);
  return Promise.all(given.map((some) => Promise.all(some.map((alternative) => alternative(work)))));
}

/** The values of the search parameters, by name. */
function valuesIn(type: ResourceType, query: Query): readonly (readonly [string, Value])[] {
  return Object.keys(parametersOf(type)).flatMap((name) => {
    const values = (query[name] as readonly Value[] | undefined) ?? [];
    return values.map((value) => [name, value] as const);
  });
}

async function show(work: Work, { sources }: ResourceType, found: readonly Found[]): Promise<FhirResource[]> {
  const bySource = Map.groupBy(found, ({ source }) => source);
  const shown = new Map<number, ReadonlyMap<string, FhirResource>>();
  for (const [source, some] of bySource) {
    const rows = some.map(({ row }) => row);
    shown.set(source, (await sources[source]?.show(work, rows)) ?? new Map());
  }
  return found.flatMap(({ source, row }) => {
    const resource = shown.get(source)?.get(row.id);
    return resource ? [{ ...resource, id: row.id, meta: metaOf(row) }] : [];
  });
}

function metaOf({ at }: FeedRow) {
  return { lastUpdated: at.toISOString() };
}

/** The link to itself names the parameters that were used, so a client sees which ones were ignored. */
function linksOf(address: string, type: ResourceType, query: Query, last: Found | undefined) {
  const { _count, _sort, _after } = query;
  const used = new URLSearchParams([
    ...valuesIn(type, query).map(([name, { sent }]) => [name, sent] as [string, string]),
  ]);
  if (_count !== DEFAULT_COUNT) used.set('_count', String(_count));
  if (_sort !== DEFAULT_SORT) used.set('_sort', _sort);
  if (_after !== undefined) used.set('_after', _after);
  const url = (parameters: URLSearchParams) => [address, parameters.toString()].filter(Boolean).join('?');
  const links = [{ relation: 'self', url: url(used) }];
  if (!last) return links;
  const next = new URLSearchParams(used);
  next.set('_after', positionOf(last));
  return [...links, { relation: 'next', url: url(next) }];
}

function positionOf({ source, row: { changedAt, id } }: Found): string {
  return Buffer.from(JSON.stringify([source, changedAt, id])).toString('base64url');
}

const TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;
const position = z.tuple([z.int().min(0), z.string().regex(TIMESTAMP), z.guid()]);

/** @throws Problem VALIDATION_FAILED */
function positionIn(text: string, sources: number): Position {
  try {
    const [source, changedAt, id] = position.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    if (source < sources) return { source, changedAt, id };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
  }
  throw invalidFields([
    { field: '_after', in: 'query', message: 'must be that of a link to the next page: start again without it' },
  ]);
}
