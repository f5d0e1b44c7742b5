/** Notes the statements that modules in this process run for requests, so that `replay.ts` can run them again. */
import type { Transaction } from '@hms/database';
import type { TestModule } from '@hms/service/testing';
import type { Recording } from './replay.ts';

/** One kind of request. */
export interface Operation<Name extends string = string> {
  readonly name: string;
  readonly module: Name;
  readonly title: string;
  readonly method: 'GET' | 'POST';
  /** Path and query, and the body. */
  readonly requests: readonly { readonly path: string; readonly body?: object }[];
}

interface Options {
  readonly token: string;
  readonly hospital: { readonly prefix: string };
  /** How many requests of each operation. */
  readonly variants: number;
}

/** Sends the requests to the modules, and notes the statements of each. */
export async function recordStatements<Name extends string>(
  operations: readonly Operation<Name>[],
  modules: Readonly<Record<Name, TestModule>>,
  { token, hospital, variants }: Options,
): Promise<Record<string, readonly Recording[]>> {
  const [first] = Object.values<TestModule>(modules);
  if (!first) throw new Error('there is no module to record');
  const transactions = await first.platform.tenants.inTenant(hospital, async (trx) => {
    return Object.getPrototypeOf(trx) as Transaction;
  });
  const own = transactions.query;
  let statements: { of: object; text: string; values: readonly unknown[] }[] = [];
  let known = new Set<string>();
  let newIds = new Set<string>();
  transactions.query = async function query<T extends object>(
    this: Transaction,
    text: string,
    values: readonly unknown[] = [],
  ) {
    for (const id of uuidsIn(values)) if (!known.has(id)) newIds.add(id);
    statements.push({ of: this, text, values });
    const rows: T[] = (await own.call(this, text, values)) as T[];
    for (const id of uuidsIn(rows)) known.add(id);
    return rows;
  };
  try {
    const recordings: Record<string, Recording[]> = {};
    for (const { name, module, method, requests } of operations) {
      const all: Recording[] = [];
      for (const { path: url, body } of requests.slice(0, variants)) {
        statements = [];
        known = new Set([...uuidsIn([url, body]), ...uuidsIn([claimsOf(token)])]);
        newIds = new Set();
        const answer = await modules[module].send(method, url, { token, ...(body ? { body } : {}) });
        if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.status} ${answer.error?.message}`);
        // The audit log is sealed at the same time, and background tasks run.
        const other = /audit_chain|completed_tasks/;
        const others = new Set(statements.flatMap(({ of, text }) => (other.test(text) ? [of] : [])));
        const mine = statements.filter(({ of, text }) => !others.has(of) && !/SAVEPOINT/.test(text));
        all.push({
          statements: mine.map(({ text, values }) => ({ text, values })),
          ...{
            newIds: [...newIds],
            status: answer.status,
            answer: { success: true, data: answer.data(), meta: answer.meta },
          },
        });
      }
      recordings[name] = all;
    }
    return recordings;
  } finally {
    transactions.query = own;
  }
}

function uuidsIn(values: readonly unknown[]): readonly string[] {
  return JSON.stringify(values)?.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
}

function claimsOf(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
}
