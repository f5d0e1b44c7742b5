/** What streams say: about all hospitals, about one of them with its events, and about the platform. */
import type { HospitalObject } from '@hms/hospitals';
import type { PlatformObject } from '@hms/hospitals/platform';
import type { Cluster, Listener } from '../cluster/cluster.ts';
import { stateOfPlatform } from '../platform/view.ts';
import type { Sent, Subject } from './follow.ts';
import { detailOf, eventOf, summaryOf, usualSeconds } from './view.ts';

/** How often it is looked whether an operator works, in ms. */
const LOOK = 10_000;

/** `hospital` and `removed` for a hospital that has changed, and `contact` when the API server is lost or answers. */
export function allHospitals(cluster: Cluster): Subject {
  const shown = (hospital: HospitalObject): Sent => ({
    event: 'hospital',
    data: summaryOf(hospital, cluster.contact().asOf),
  });
  return {
    present: async () => [await contactOf(cluster), { event: 'reset', data: {} }],
    subscribe: (tell) =>
      subscribed(cluster, tell, {
        onHospital: ({ type, object }) =>
          tell(type === 'deleted' ? { event: 'removed', data: { prefix: object.metadata.name } } : shown(object)),
      }),
  };
}

/** `hospital` with all about it, `note` for each event of the operator, `removed` at its end, and `contact`. */
export function oneHospital(cluster: Cluster, prefix: string): Subject {
  const shown = (hospital: HospitalObject): Sent => ({
    event: 'hospital',
    data: detailOf(hospital, cluster.contact().asOf, usualSeconds(cluster.hospitals())),
  });
  return {
    present: async () => {
      const contact = await contactOf(cluster);
      const hospital = cluster.find(prefix);
      if (!hospital) return [contact, { event: 'removed', data: { prefix } }];
      const notes = cluster.eventsOf(hospital).toReversed();
      return [contact, shown(hospital), ...notes.map((event) => ({ event: 'note', data: eventOf(event) }))];
    },
    subscribe: (tell) =>
      subscribed(cluster, tell, {
        onHospital: ({ type, object }) => {
          if (object.metadata.name !== prefix) return;
          tell(type === 'deleted' ? { event: 'removed', data: { prefix } } : shown(object));
        },
        onEvent: (event) => {
          if (event.involvedObject.uid === cluster.find(prefix)?.metadata.uid)
            tell({ event: 'note', data: eventOf(event) });
        },
      }),
  };
}

/** `platform` with the state of engines and migrations, and `contact`. */
export function thePlatform(cluster: Cluster): Subject {
  const shown = (platform: PlatformObject): Sent => ({
    event: 'platform',
    data: stateOfPlatform(platform, cluster.contact().asOf),
  });
  return {
    present: async () => [await contactOf(cluster), shown(cluster.platform())],
    subscribe: (tell) => subscribed(cluster, tell, { onPlatform: (platform) => tell(shown(platform)) }),
  };
}

/** What the platform's people see of the cluster itself. */
export async function stateOf(cluster: Cluster) {
  // Whether it answers is a part of the contact.
  const operatorSilentSince = await cluster.operatorSilentSince();
  const { isReachable, asOf } = cluster.contact();
  return { isReachable, asOf: asOf.toISOString(), operatorSilentSince: operatorSilentSince ?? null };
}

async function contactOf(cluster: Cluster): Promise<Sent> {
  return { event: 'contact', data: await stateOf(cluster) };
}

/** Tells about the contact too, when it has changed. */
function subscribed(cluster: Cluster, tell: (sent: Sent) => void, listener: Listener): () => void {
  let last = '';
  const look = async () => {
    const { event, data } = await contactOf(cluster);
    const { isReachable, operatorSilentSince } = data as Awaited<ReturnType<typeof stateOf>>;
    const now = `${isReachable} ${operatorSilentSince}`;
    if (last !== '' && last !== now) tell({ event, data });
    last = now;
  };
  const onContact = () => void look().catch(() => undefined);
  onContact();
  const timer = setInterval(onContact, LOOK);
  const unlisten = cluster.listen({ ...listener, onContact });
  return () => {
    clearInterval(timer);
    unlisten();
  };
}
