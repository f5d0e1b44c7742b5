/** Which parts of the platform work now, by asking each of them. */
import type { ModuleName } from '@hms/tenancy';
import { request } from 'undici';
import type { AuthClient, Behalf } from '../auth-client.ts';
import type { PartName } from '../landing/words/words.ts';

export interface Status {
  readonly checkedAt: string;
  readonly works: boolean;
  readonly parts: readonly { readonly name: PartName; readonly works: boolean }[];
}

/** Where each module listens, as host:port. */
export type ModuleTargets = Readonly<Partial<Record<ModuleName, readonly string[]>>>;

/** As people look for them. */
const MODULES = ['hms', 'queue', 'payment', 'crm'] as const;
/** The modules' own checks end after 2 s. */
const TIMEOUT = 3_000;
/** Any number of viewers cause one check in this time, in milliseconds. */
const TTL = 5_000;

/** @param now for tests. */
export function statusOf(auth: AuthClient, targets: ModuleTargets, now: () => number = Date.now) {
  let last: { readonly status: Promise<Status>; readonly until: number } | undefined;

  async function check(behalf: Behalf): Promise<Status> {
    const checkedAt = new Date(now()).toISOString();
    const parts = await Promise.all([
      loginWorks(auth, behalf).then((works) => ({ name: 'login' as const, works })),
      ...MODULES.filter((name) => targets[name]).map(async (name) => ({
        name,
        works: await anyIsReady(targets[name] ?? []),
      })),
    ]);
    return { checkedAt, works: parts.every(({ works }) => works), parts };
  }

  return (behalf: Behalf): Promise<Status> => {
    if (!last || last.until <= now()) last = { status: check(behalf), until: now() + TTL };
    return last.status;
  };
}

async function loginWorks(auth: AuthClient, behalf: Behalf): Promise<boolean> {
  return auth.send('GET', 'status', behalf, undefined, TIMEOUT).then(
    ({ body }) => body.success,
    () => false,
  );
}

/** One process is enough: the gateway takes no others. */
async function anyIsReady(targets: readonly string[]): Promise<boolean> {
  const answers = targets.map(async (target) => {
    const { statusCode, body } = await request(`http://${target}/ready`, { signal: AbortSignal.timeout(TIMEOUT) });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${target} answered ${statusCode}`);
  });
  return Promise.any(answers).then(
    () => true,
    () => false,
  );
}
