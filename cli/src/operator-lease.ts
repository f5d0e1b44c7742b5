/** Whether somebody reconciles hospitals: the operator renews a Lease. */
import type { Cluster } from './cluster.ts';
import { Exit } from './exit.ts';

/** The object that stands for the operator. Its events are about the whole platform. */
export const LEASE = 'hms-operator';

interface Lease {
  readonly metadata: { readonly namespace: string };
  readonly spec: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
  };
}

/**
 * Why nobody reconciles at the moment: the operator ended, hangs, or never ran.
 * @returns undefined if an operator answers, or if the kubeconfig's account may not know.
 */
export async function operatorSilence(cluster: Cluster, now = Date.now()): Promise<string | undefined> {
  let leases: readonly Lease[];
  try {
    leases = (
      await cluster.ask((client) =>
        client.request<{ items: Lease[] }>('GET', '/apis/coordination.k8s.io/v1/leases', {
          query: { fieldSelector: `metadata.name=${LEASE}` },
        }),
      )
    ).items;
  } catch (error) {
    if (error instanceof Exit) return undefined;
    throw error;
  }
  return silenceOf(leases, now);
}

/** Exported for tests. @param now milliseconds since 1970. */
export function silenceOf(leases: readonly Lease[], now: number): string | undefined {
  const [latest] = [...leases].sort((a, b) => renewed(b) - renewed(a));
  if (!latest) return `no operator has run on this cluster yet (there is no Lease ${LEASE})`;
  const { metadata, spec } = latest;
  const { namespace } = metadata;
  if (!spec.holderIdentity)
    return `no operator runs: the last one ended at ${spec.renewTime} (Lease ${LEASE} in ${namespace})`;
  if (now - renewed(latest) <= (spec.leaseDurationSeconds ?? 0) * 1000) return undefined;
  return `the operator has not answered since ${spec.renewTime} (Lease ${LEASE} in ${namespace})`;
}

function renewed({ spec }: Lease): number {
  return Date.parse(spec.renewTime ?? '') || 0;
}
