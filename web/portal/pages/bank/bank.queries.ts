/** What the pages of bank statements read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type BankAccount = Schemas['BankAccount'];
export type Statement = Schemas['BankStatement'];
export type Part = Schemas['ShownBankPart'];
export type Suggestion = Part['suggestions'][number];

export const bankKeys = {
  all: 'bank',
  accounts: ['bank', 'accounts'] as const,
  statements: (search: Partial<ListSearch>) => ['bank', 'statements', search] as const,
  statement: (id: string) => ['bank', 'statement', id] as const,
  parts: (search: PartSearch) => ['bank', 'parts', search] as const,
};

export type PartSearch = Partial<ListSearch> & { readonly statementId: string; readonly all?: true | undefined };

export const accountsQuery = queryOptions({
  queryKey: bankKeys.accounts,
  queryFn: ({ signal }) =>
    dataOf(api.GET('/api/payment/bank-accounts', { params: { query: { status: 'active', limit: 100 } }, signal })),
});

export function readStatements(search: Partial<ListSearch>, signal: AbortSignal) {
  return envelopeOf(api.GET('/api/payment/bank-statements', { params: { query: listQuery(search) }, signal }));
}

export function statementQuery(id: string) {
  return queryOptions({
    queryKey: bankKeys.statement(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/payment/bank-statements/{id}', { params: { path: { id } }, signal })),
  });
}

/** Those that somebody has to decide on, unless all are asked for. */
export function readParts({ statementId, all, ...search }: PartSearch, signal: AbortSignal) {
  const query = { ...listQuery(search), statementId, ...(all ? {} : { status: 'open' as const }) };
  return envelopeOf(api.GET('/api/payment/bank-parts', { params: { query }, signal }));
}

/** Matches what is certain, in batches. @param told hears how many were matched until now. */
export async function matchAll(id: string, told: (matched: number, open: number) => void): Promise<void> {
  let matched = 0;
  for (;;) {
    const params = { path: { id } };
    const outcome = await dataOf(api.POST('/api/payment/bank-statements/{id}/match', { params }));
    matched += outcome.matched;
    told(matched, outcome.open);
    if (outcome.left === 0 || outcome.matched === 0) return;
  }
}
