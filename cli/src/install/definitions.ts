/** Whose the definitions are, which stay when a release goes. Helm lets no other release touch them by itself. */
import { KubernetesClient, KubernetesError } from '@hms/kubernetes';
import type { KubeConfig } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';

const DEFINITION = 'hospitals.hms.dev';

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

/** Exported for tests. */
export function judgeOwner({ namespace, release }: Release, { metadata }: Named): string | undefined {
  const { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': place } = metadata?.annotations ?? {};
  if (name === release && place === namespace) return undefined;
  const mend = 'run the same with --take-ownership';
  if (!name) return `the definitions (${DEFINITION} and others) were made without Helm: to hand them to it, ${mend}.`;
  return `the definitions (${DEFINITION} and others) are those of release ${name} in namespace ${place}, and one release is in a cluster. If it still is (helm status ${name} -n ${place}), upgrade that one: -n ${place} --release ${name}. If it was uninstalled, ${mend}.`;
}
