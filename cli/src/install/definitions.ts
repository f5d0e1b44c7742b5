/**
 * Ensures a single release in a cluster: checks the owner of the definitions, which outlive a release, and running
 * operators.
 */
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
 * @returns a message about their owner and what to do, or undefined if they belong to this release, or it has none.
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

/**
 * @returns a message about another release that runs an operator, or undefined if there is none, or it may not be read.
 */
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
  return `release ${name} in namespace ${place} runs an operator, and two would conflict over the same hospitals: upgrade that one (-n ${place} --release ${name}), or uninstall it first (helm uninstall ${name} -n ${place}).`;
}

/** Exported for tests. */
export function judgeOwner({ namespace, release }: Release, { metadata }: Named): string | undefined {
  const { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': place } = metadata?.annotations ?? {};
  if (name === release && place === namespace) return undefined;
  const remedy = 'run the same command with --take-ownership';
  if (!name)
    return `the definitions (${DEFINITION} and others) were created without Helm: to let Helm adopt them, ${remedy}.`;
  return `the definitions (${DEFINITION} and others) belong to release ${name} in namespace ${place}, and a cluster can have only one release. If it still exists (helm status ${name} -n ${place}), upgrade that one: -n ${place} --release ${name}. If it was uninstalled, ${remedy}.`;
}
