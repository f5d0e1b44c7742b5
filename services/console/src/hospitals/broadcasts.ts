/** What streams say: about all hospitals, and about one of them with its events. */
import type { Broadcast } from '@hms/service';
import { ClusterBroadcast, event } from '../cluster/broadcast.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { NOTICES } from '../cluster/notices.ts';
import { detailOf, eventOf, summaryOf, usualSeconds } from './view.ts';

/** `hospital` and `removed` for a hospital that has changed, and `contact` when the API server is lost or answers. */
export function allHospitals(cluster: Cluster): Broadcast {
  return new ClusterBroadcast(cluster, {
    records: [NOTICES.hospitals],
    present: () => event('reset', {}),
    changed: (idsOf) => {
      const { asOf } = cluster.contact();
      return [...idsOf(NOTICES.hospitals)].map((prefix) => {
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
    changed: (idsOf) => [
      ...(idsOf(NOTICES.hospitals).has(prefix) ? [shown()] : []),
      ...(idsOf(NOTICES.events).size > 0 ? notes(idsOf(NOTICES.events)) : []),
    ],
  });
}
