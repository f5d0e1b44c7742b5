/** What a list shows is in its address: it survives a reload, the back button, and can be sent to somebody. */
import { z } from 'zod';

/** The search parameters of a list. What is not valid is left out. */
export const listSearch = z.object({
  q: z.coerce.string().trim().min(2).max(100).optional().catch(undefined),
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  sort: z
    .string()
    .regex(/^-?\w+$/)
    .optional()
    .catch(undefined),
});
export type ListSearch = z.output<typeof listSearch>;

/** Records on a page. */
export const LIMIT = 25;

/** The query of the request. */
export function listQuery({ page = 1, sort, q }: ListSearch) {
  return { page, limit: LIMIT, ...(sort ? { sort } : {}), ...(q ? { q } : {}) };
}
