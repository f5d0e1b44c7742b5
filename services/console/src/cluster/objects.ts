/** Objects of the cluster that the console reads, besides hospitals. */
import type { KubernetesObject } from '@hms/kubernetes';

/** What the operator reports about an object. `kubectl describe` shows it too. */
export interface EventObject extends KubernetesObject {
  readonly involvedObject: { readonly name: string; readonly uid?: string };
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly count?: number;
  /** ISO 8601, seconds. */
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
}

/** Events about cluster-scoped objects are in the namespace `default`. */
export const HOSPITAL_EVENTS_PATH =
  '/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind%3DHospital%2Csource%3Dhms-operator';

/** The operator that leads renews it. */
export interface LeaseObject extends KubernetesObject {
  readonly spec?: {
    readonly renewTime?: string;
    readonly leaseDurationSeconds?: number;
    readonly holderIdentity?: string;
  };
}

export function leasePath(namespace: string, name: string): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`;
}
