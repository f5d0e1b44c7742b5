/** The policy of the bucket. Pure. */

import { isDeepStrictEqual } from 'node:util';
import { fileRights } from '@hms/tenancy';

interface Statement {
  readonly Effect?: string;
  readonly Principal?: unknown;
  /** Everybody but these. */
  readonly NotPrincipal?: unknown;
  readonly Condition?: unknown;
}

export interface PolicyChange {
  /** What was wrong. */
  readonly detail: string;
  /** The policy to set, or undefined to delete it. */
  readonly policy: string | undefined;
}

/**
 * Compares the policy with what it should be: nobody is admitted who is not named, and the modules have exactly their
 * rights. Statements about other named accounts are the administrator's, and so are conditions for everybody.
 * @param modules principal of the modules' key, or undefined if it gets its rights elsewhere.
 */
export function policyChange(
  current: string | undefined,
  bucket: string,
  modules: string | undefined,
): PolicyChange | undefined {
  const { Statement = [], ...rest } = (current ? JSON.parse(current) : {}) as {
    readonly Statement?: Statement | readonly Statement[];
  };
  const statements = [Statement].flat();
  const named = statements.filter((statement) => !admitsEverybody(statement));
  const own = modules === undefined ? [] : fileRights(bucket, modules);
  const others = modules === undefined ? named : named.filter((statement) => !concerns(statement, modules));
  const wanted = [...own, ...others];
  if (isDeepStrictEqual(normal(statements), normal(wanted))) return undefined;
  return {
    detail: named.length < statements.length ? 'public policy' : 'rights of the modules',
    policy: wanted.length > 0 ? JSON.stringify({ Version: '2012-10-17', ...rest, Statement: wanted }) : undefined,
  };
}

function admitsEverybody({ Effect, Principal, NotPrincipal }: Statement): boolean {
  return Effect === 'Allow' && (NotPrincipal !== undefined || namesIn(Principal).includes('*'));
}

/** Whether a statement gives or takes rights of this principal. */
function concerns({ Effect, Principal, NotPrincipal, Condition }: Statement, principal: string): boolean {
  if (namesIn(Principal).includes(principal)) return true;
  const isForEverybody = NotPrincipal !== undefined || namesIn(Principal).includes('*');
  return Effect === 'Deny' && isForEverybody && Condition === undefined;
}

function namesIn(principal: unknown): readonly unknown[] {
  return typeof principal === 'object' && principal !== null ? Object.values(principal).flat() : [principal];
}

/** Servers return a list of one as a text, and lists in any order. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) {
    const parts = value.map(normal);
    return parts.length === 1
      ? parts[0]
      : parts.sort((one, other) => compare(JSON.stringify(one), JSON.stringify(other)));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, normal(part)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => compare(one, other)));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
