/** Hospital objects on the test platform, used like a platform administrator does. */
import { randomBytes } from 'node:crypto';
import type { HospitalObject, HospitalSpec } from '@hms/hospitals';
import { applyManifest, KubernetesClient, KubernetesError, type KubernetesObject, PATCH } from '@hms/kubernetes';
import { KubeConfig } from '@kubernetes/client-node';
import { platform } from '../platform.ts';
import { until } from './until.ts';

export const HOSPITALS = '/apis/hms.dev/v1/hospitals';

export function kubernetes(): KubernetesClient {
  const config = new KubeConfig();
  config.loadFromFile(platform().kubeconfig);
  return new KubernetesClient(config);
}

/** A prefix that no other test uses. */
export function freshPrefix(): string {
  return `t${randomBytes(5).toString('hex')}`;
}

type DeepPartial<T> = { readonly [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };

/** Applies a hospital as `kubectl apply --server-side` would. */
export function applyHospital(name: string, spec: DeepPartial<HospitalSpec> = {}): Promise<HospitalObject> {
  const manifest = {
    apiVersion: 'hms.dev/v1',
    kind: 'Hospital',
    metadata: { name },
    spec: { displayName: `Hospital ${name}`, ...spec },
  };
  return applyManifest(kubernetes(), manifest, 'test');
}

export function readHospital(name: string): Promise<HospitalObject> {
  return kubernetes().request('GET', `${HOSPITALS}/${name}`);
}

/** Waits until the hospital is Ready in its current generation. */
export function whenReady(name: string): Promise<HospitalObject> {
  return whenCondition(name, 'Ready', ({ status }) => status === 'True');
}

/** The same for the first hospital of a started Keycloak, which is slow until its code is compiled. */
export function whenFirstReady(name: string): Promise<HospitalObject> {
  return whenCondition(name, 'Ready', ({ status }) => status === 'True', 300_000);
}

export function whenCondition(
  name: string,
  type: string,
  holds: (condition: { status: string; reason: string; message: string }) => boolean,
  timeoutMs = 60_000,
): Promise<HospitalObject> {
  return until(
    `condition ${type} of ${name}`,
    () => readHospital(name),
    ({ metadata, status }) => {
      const condition = status?.conditions?.find((other) => other.type === type);
      return condition !== undefined && condition.observedGeneration === metadata.generation && holds(condition);
    },
    timeoutMs,
  );
}

/** A new hospital that is served. */
export async function freshHospital(spec: DeepPartial<HospitalSpec> = {}): Promise<HospitalObject> {
  const name = freshPrefix();
  await applyHospital(name, spec);
  return whenReady(name);
}

export async function annotate(name: string, annotations: Readonly<Record<string, string>>): Promise<void> {
  await kubernetes().request('PATCH', `${HOSPITALS}/${name}`, {
    contentType: PATCH.merge,
    body: { metadata: { annotations } },
  });
}

/** Requests a reconcile of the hospital, and waits for its end. */
export async function resync(name: string): Promise<HospitalObject> {
  const stamp = randomBytes(8).toString('hex');
  await annotate(name, { 'hms.dev/reconcile-requested-at': stamp });
  return until(
    `resync of ${name}`,
    () => readHospital(name),
    ({ status }) =>
      status?.reconcileRequestedAt === stamp &&
      status.conditions?.find(({ type }) => type === 'Synced')?.status === 'True' &&
      status.conditions.find(({ type }) => type === 'Ready')?.reason !== 'NotServedYet',
    60_000,
  );
}

/** Requests the deletion of the object and returns. */
export async function startDeletion(name: string): Promise<void> {
  await kubernetes().request('DELETE', `${HOSPITALS}/${name}`);
}

export async function whenDeleted(name: string, timeoutMs = 60_000): Promise<void> {
  await until(
    `${name} to be deleted`,
    () =>
      readHospital(name).then(
        ({ status }) => status?.conditions ?? 'there',
        (error: unknown) => {
          if (error instanceof KubernetesError && error.status === 404) return undefined;
          throw error;
        },
      ),
    (left) => left === undefined,
    timeoutMs,
  );
}

/** Deletes the object and waits until it is deleted. */
export async function deleteHospital(name: string): Promise<void> {
  await startDeletion(name);
  await whenDeleted(name);
}

/** Deletes a hospital with the policy Delete, and its data. */
export async function deleteConfirmed(name: string): Promise<void> {
  await annotate(name, { 'hms.dev/confirm-delete': name });
  await deleteHospital(name);
}

interface Event extends KubernetesObject {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly involvedObject: { readonly name: string; readonly uid?: string };
}

/** The hospital's events of one reason, once there is one, because an event is written after the status. */
export function whenTold(name: string, wanted: string): Promise<readonly Event[]> {
  return until(
    `event ${wanted} of ${name}`,
    async () => (await eventsOf(name)).filter(({ reason }) => reason === wanted),
    ({ length }) => length > 0,
  );
}

/** Events about a hospital: what `kubectl describe` shows. */
export async function eventsOf(name: string): Promise<readonly Event[]> {
  const { items } = await kubernetes().request<{ items: Event[] }>('GET', '/api/v1/namespaces/default/events', {
    query: { fieldSelector: `involvedObject.name=${name}` },
  });
  return items;
}
