/** What streams say: about all hospitals, and about one of them with its events. */
import { type Broadcast, type Notice, RESET } from '@hms/service';
import type { Cluster } from '../cluster/cluster.ts';
import { NOTICES } from '../cluster/notices.ts';
import { detailOf, eventOf, summaryOf, usualSeconds } from './view.ts';

/** `hospital` and `removed` for a hospital that has changed, and `contact` when the API server is lost or answers. */
export function allHospitals(cluster: Cluster): Broadcast {
  return new ClusterBroadcast(cluster, {
    records: [NOTICES.hospitals],
    present: () => event('reset', {}),
    changed: (ids) => {
      const { asOf } = cluster.contact();
      return [...ids].map((prefix) => {
        const hospital = cluster.find(prefix);
        return hospital ? event('hospital', summaryOf(hospital, asOf)) : event('removed', { prefix });
      });
    },
  });
}

/** `hospital` with all about it, `note` for each event of the operator, `removed` at its end, and `contact`. */
export function oneHospital(cluster: Cluster, prefix: string): Broadcast {
  const shown = () => {
    const hospital = cluster.find(prefix);
    if (!hospital) return event('removed', { prefix });
    return event('hospital', detailOf(hospital, cluster.contact().asOf, usualSeconds(cluster.hospitals())));
  };
  /** The earliest first. @param ids only these. */
  const notes = (ids?: ReadonlySet<string>) => {
    const hospital = cluster.find(prefix);
    const all = hospital ? cluster.eventsOf(hospital).toReversed() : [];
    return all.filter(({ metadata }) => ids?.has(metadata.name) ?? true).map((note) => event('note', eventOf(note)));
  };
  return new ClusterBroadcast(cluster, {
    records: [NOTICES.hospitals, NOTICES.events],
    present: () => shown() + notes().join(''),
    changed: (hospitals, events) => [
      ...(hospitals.has(prefix) ? [shown()] : []),
      ...(events.size > 0 ? notes(events) : []),
    ],
  });
}

/** What the platform's people see of the cluster itself. */
export async function stateOf(cluster: Cluster) {
  // Whether it answers is a part of the contact.
  const operatorSilentSince = await cluster.operatorSilentSince();
  const { isReachable, asOf } = cluster.contact();
  return { isReachable, asOf: asOf.toISOString(), operatorSilentSince: operatorSilentSince ?? null };
}

type Ids = ReadonlySet<string>;

interface Subject {
  readonly records: readonly string[];
  /** Everything, after the contact. */
  present(): string;
  /** Events about changes. @param hospitals by prefix. @param events by name. */
  changed(hospitals: Ids, events: Ids): readonly string[];
}

/** Says what the subject says, and when the contact has changed. */
class ClusterBroadcast implements Broadcast {
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

  /** @throws Problem CLUSTER_UNAVAILABLE while nothing is known of hospitals. */
  async take(notices: readonly Notice[]): Promise<string> {
    const isReset = notices.includes(RESET);
    const idsOf = (record: string): Ids =>
      new Set(notices.flatMap((notice) => (notice !== RESET && notice.record === record ? [notice.id] : [])));
    const before = this.#contact.state;
    if (isReset || idsOf(NOTICES.contact).size > 0) await this.#look();
    const said = isReset
      ? this.#contact.event + this.#subject.present()
      : [
          this.#contact.state === before ? '' : this.#contact.event,
          ...this.#subject.changed(idsOf(NOTICES.hospitals), idsOf(NOTICES.events)),
        ].join('');
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

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
