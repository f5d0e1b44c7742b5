/** What a list shows is in its address: it survives a reload, the back button, and can be sent to somebody. */
import * as z from 'zod/mini';

/** A parameter that is left out if it is not valid. */
export function maybe<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.optional(schema), undefined);
}

/** The search parameters of a list. What is not valid is left out. */
export const listSearch = z.object({
  q: maybe(z.coerce.string().check(z.trim(), z.minLength(2), z.maxLength(100))),
  page: maybe(z.coerce.number().check(z.int(), z.gte(1))),
  sort: maybe(z.string().check(z.regex(/^-?\w+$/))),
});
export type ListSearch = z.output<typeof listSearch>;

/** The search parameters of a list with filters that only its page knows. */
export const filteredSearch = z.catchall(listSearch, maybe(z.coerce.string().check(z.maxLength(100))));

export type FilteredSearch = ListSearch & { readonly [Filter in string]?: unknown };

/** Records on a page. */
export const LIMIT = 25;

/** The query of the request. */
export function listQuery({ page = 1, sort, q }: ListSearch) {
  return { page, limit: LIMIT, ...(sort ? { sort: wholeSort(sort) } : {}), ...(q ? { q } : {}) };
}

/** People with one last name are in the order of their first names. */
function wholeSort(sort: string): string {
  return /^-?lastName$/.test(sort) ? `${sort},${sort.replace('lastName', 'firstName')}` : sort;
}
