/** What streams say about objects of the cluster, and about the cluster itself. */
import { type Broadcast, type Notice, RESET, type RequestContext } from '@hms/service';
import type { Cluster } from './cluster.ts';
import { NOTICES } from './notices.ts';

/** @returns the response of a stream. Those with the same name share a broadcast. */
export async function followCluster(
  context: RequestContext,
  cluster: Cluster,
  { name, broadcast }: { readonly name: string; readonly broadcast: () => Broadcast },
) {
  return {
    contentType: 'text/event-stream; charset=utf-8',
    // For proxies that would collect the response.
    headers: { 'X-Accel-Buffering': 'no' },
    body: await context.follow({ name, broadcast, source: cluster.notices }),
  };
}

/** What the platform's people see of the cluster itself. */
export async function stateOf(cluster: Cluster) {
  // Whether it answers is a part of the contact.
  const operatorSilentSince = await cluster.operatorSilentSince();
  const { isReachable, asOf } = cluster.contact();
  return { isReachable, asOf: asOf.toISOString(), operatorSilentSince: operatorSilentSince ?? null };
}

/** Which objects of a record have changed. */
type IdsOf = (record: string) => ReadonlySet<string>;

interface Subject {
  readonly records: readonly string[];
  /** Everything, after the contact. */
  present(): string;
  /** Events about changes. */
  changed(idsOf: IdsOf): readonly string[];
}

/** Says what the subject says, and when the contact has changed. */
export class ClusterBroadcast implements Broadcast {
  readonly records: readonly string[];
  readonly #cluster: Cluster;
  readonly #subject: Subject;
  #contact = { state: '', event: '' };
  #taken = 0;

  constructor(cluster: Cluster, subject: Subject) {
    this.#cluster = cluster;
    this.#subject = subject;
    this.records = [...subject.records, NOTICES.contact];
  }

  get position(): string {
    return String(this.#taken);
  }

  /** @throws Problem while nothing is known of the subject. */
  async take(notices: readonly Notice[]): Promise<string> {
    const isReset = notices.includes(RESET);
    const idsOf: IdsOf = (record) =>
      new Set(notices.flatMap((notice) => (notice !== RESET && notice.record === record ? [notice.id] : [])));
    const before = this.#contact.state;
    if (isReset || idsOf(NOTICES.contact).size > 0) await this.#look();
    const said = isReset
      ? this.#contact.event + this.#subject.present()
      : [this.#contact.state === before ? '' : this.#contact.event, ...this.#subject.changed(idsOf)].join('');
    if (said !== '') this.#taken += 1;
    return said;
  }

  since(position: string | undefined): string {
    return position === this.position ? '' : this.#contact.event + this.#subject.present();
  }

  async #look(): Promise<void> {
    const state = await stateOf(this.#cluster);
    const { isReachable, operatorSilentSince } = state;
    this.#contact = { state: `${isReachable} ${operatorSilentSince}`, event: event('contact', state) };
  }
}

export function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
