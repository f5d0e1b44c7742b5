import fs from 'node:fs';
import path from 'node:path';
import { KubernetesClient, KubernetesError } from '@hms/kubernetes';
import type { KubeConfig } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';
import { atLeast, type Finding, failed, ok, PATIENCE_MS, reason } from './finding.ts';

const OLDEST = '1.30';
/** What the operator may do, as RBAC rules, which the chart also uses. */
const RULES = path.join(import.meta.dirname, '../../deploy/rbac.yaml');

/** Checks the API server as this process's account. @param namespace that of the Lease. */
export async function checkKubernetes(config: KubeConfig, namespace: string): Promise<Finding[]> {
  const client = new KubernetesClient(config);
  return Promise.all([checkVersion(client), checkRights(client, namespace), checkHospitals(client)]);
}

async function checkVersion(client: KubernetesClient): Promise<Finding> {
  const { gitVersion } = await client.request<{ gitVersion: string }>('GET', '/version', { signal: patience() });
  const name = 'kubernetes version';
  if (atLeast(gitVersion, OLDEST)) return ok(name, gitVersion);
  return failed(name, gitVersion, `upgrade the cluster to Kubernetes ${OLDEST} or newer`);
}

async function checkRights(client: KubernetesClient, namespace: string): Promise<Finding> {
  const rights = rightsIn(fs.readFileSync(RULES, 'utf8'), namespace);
  const refused = await Promise.all(rights.map(async (right) => ((await may(client, right)) ? [] : [inWords(right)])));
  const missing = refused.flat();
  if (missing.length === 0) return ok('kubernetes rights', `all ${rights.length} that the operator needs`);
  const remedy = 'give its account the rules of operator/deploy/rbac.yaml; the complete chart does so';
  return failed('kubernetes rights', `it may not ${missing.join(', ')}`, remedy);
}

async function checkHospitals(client: KubernetesClient): Promise<Finding> {
  const name = 'kubernetes hospitals';
  try {
    const query = { limit: 1 };
    await client.request('GET', '/apis/hms.dev/v1/hospitals', { query, signal: patience() });
    return ok(name, 'hms.dev/v1 is served');
  } catch (error) {
    const remedy = 'install the definitions: helm upgrade, or kubectl apply -f crds/';
    if (error instanceof KubernetesError && error.status === 404) return failed(name, 'hms.dev/v1 is unknown', remedy);
    return failed(name, reason(error), 'check the rights above');
  }
}

/** One permission. */
export interface Right {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly verb: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
}

/**
 * @param text YAML with the objects of RBAC.
 * @param namespace of the Lease. Events about hospitals are in `default`.
 */
export function rightsIn(text: string, namespace: string): Right[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as RuleObject)
    .flatMap(({ kind, rules = [] }) =>
      rules.flatMap(({ apiGroups, resources, resourceNames = [''], verbs }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((full) => {
            const [resource = '', subresource = ''] = full.split('/');
            const place = resource === 'leases' ? namespace : 'default';
            const where = kind === 'Role' ? place : '';
            return resourceNames.flatMap((name) =>
              verbs.map((verb) => ({ group, resource, subresource, verb, namespace: where, name })),
            );
          }),
        ),
      ),
    );
}

interface RuleObject {
  readonly kind: string;
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

/** Checks a permission. The review is not stored. */
async function may(client: KubernetesClient, right: Right): Promise<boolean> {
  const { status } = await client.request<{ status: { allowed: boolean } }>(
    'POST',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    {
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: right },
      },
      signal: patience(),
    },
  );
  return status.allowed;
}

function inWords({ verb, group, resource, subresource, namespace }: Right): string {
  const what = [[resource, group].filter(Boolean).join('.'), subresource].filter(Boolean).join('/');
  return `${verb} ${what}${namespace ? ` in ${namespace}` : ''}`;
}

function patience(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}
