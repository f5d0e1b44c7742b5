/** That one release is in a cluster: whose the definitions are, which stay when it goes, and who runs an operator. */
import { KubernetesClient, KubernetesError } from '@hms/kubernetes';
import type { KubeConfig } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';
import type { Deployment } from '../doctor/workloads.ts';

const DEFINITION = 'hospitals.hms.dev';
const INSTANCE = 'app.kubernetes.io/instance';

interface Release {
  readonly namespace: string;
  readonly release: string;
}

interface Named {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> };
}

/**
 * @param manifests what Helm renders
 * @returns in words whose they are and what to do; undefined where this release has them, or brings none.
 */
export async function ownedByAnother(
  config: KubeConfig,
  release: Release,
  manifests: string,
): Promise<string | undefined> {
  const rendered = parseAllDocuments(manifests).map((document) => document.toJS() as Named | null);
  if (!rendered.some((object) => object?.metadata?.name === DEFINITION)) return undefined;
  try {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${DEFINITION}`;
    return judgeOwner(release, await new KubernetesClient(config).request<Named>('GET', path));
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return undefined;
    throw error;
  }
}

/** @returns in words which other release runs an operator; undefined where none does, or it may not be asked. */
export async function otherOperator(config: KubeConfig, release: Release): Promise<string | undefined> {
  const query = { labelSelector: 'app.kubernetes.io/name=hms,app.kubernetes.io/component=operator' };
  try {
    const path = '/apis/apps/v1/deployments';
    const { items } = await new KubernetesClient(config).request<{ items: Deployment[] }>('GET', path, { query });
    return judgeOperators(release, items);
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 403) return undefined;
    throw error;
  }
}

/** Exported for tests. */
export function judgeOperators(
  { namespace, release }: Release,
  operators: readonly Pick<Deployment, 'metadata' | 'spec'>[],
): string | undefined {
  const other = operators.find(
    ({ metadata, spec }) =>
      spec.replicas !== 0 && (metadata.namespace !== namespace || metadata.labels?.[INSTANCE] !== release),
  );
  if (!other) return undefined;
  const { namespace: place, labels } = other.metadata;
  const name = labels?.[INSTANCE];
  return `release ${name} in namespace ${place} runs an operator, and two would work against each other on the same hospitals: upgrade that one (-n ${place} --release ${name}), or uninstall it first (helm uninstall ${name} -n ${place}).`;
}

/** Exported for tests. */
export function judgeOwner({ namespace, release }: Release, { metadata }: Named): string | undefined {
  const { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': place } = metadata?.annotations ?? {};
  if (name === release && place === namespace) return undefined;
  const remedy = 'run the same with --take-ownership';
  if (!name) return `the definitions (${DEFINITION} and others) were made without Helm: to hand them to it, ${remedy}.`;
  return `the definitions (${DEFINITION} and others) are those of release ${name} in namespace ${place}, and one release is in a cluster. If it still is (helm status ${name} -n ${place}), upgrade that one: -n ${place} --release ${name}. If it was uninstalled, ${remedy}.`;
}
