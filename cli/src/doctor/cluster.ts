/** Checks of a cluster and a release from outside, with the caller's permissions. */
import { KubernetesClient, KubernetesError } from '@hms/kubernetes';
import { atLeast, type Finding, failed, ok, PATIENCE_MS, reason, warning } from '@hms/operator/doctor';
import type { KubeConfig } from '@kubernetes/client-node';
import { checkJobs } from './jobs.ts';
import { type Deployment, judgeDeployment, type Pod } from './workloads.ts';

const OLDEST = '1.30';
const DEFINITIONS = ['hospitals.hms.dev', 'orphans.hms.dev', 'platforms.hms.dev'];
const POLICIES = ['hospital-deletion.hms.dev', 'requests.hms.dev', 'definitions.hms.dev'];

export interface Release {
  readonly namespace: string;
  readonly release: string;
}

/** @returns the findings of the cluster itself: API server, version, nodes. */
export async function checkCluster(config: KubeConfig): Promise<Finding[]> {
  const client = new KubernetesClient(config);
  const server = config.getCurrentCluster()?.server ?? 'the API server';
  try {
    const { gitVersion } = await get<{ gitVersion: string }>(client, '/version');
    const version = atLeast(gitVersion, OLDEST)
      ? ok('cluster version', gitVersion)
      : failed('cluster version', gitVersion, `upgrade the cluster to Kubernetes ${OLDEST} or newer`);
    return [
      ok('cluster API server', server),
      version,
      await guarded('cluster nodes', 'check that this is a Kubernetes cluster', () => checkNodes(client)),
    ];
  } catch (error) {
    const remedy =
      'check --kubeconfig or KUBECONFIG, its credentials, and the network path to this address (kubectl version)';
    return [failed('cluster API server', `${server}: ${reason(error)}`, remedy)];
  }
}

/**
 * @param absent the remedy for a missing part, if no job explains it
 * @returns the findings of the release: failed jobs, definitions, admission policies, deployments and their pods.
 */
export async function checkRelease(
  config: KubeConfig,
  { namespace, release }: Release,
  absent = 'install the chart: hmsctl install -f values.yaml',
): Promise<Finding[]> {
  const client = new KubernetesClient(config);
  const jobs = await checkJobs(config, { namespace, release });
  // Helm creates nothing before the jobs that run first have succeeded.
  const broken = jobs.find(({ status }) => status === 'failed');
  const missing = broken ? `it is created when ${broken.name} succeeds` : absent;
  const remedy = `helm upgrade --install ${release} charts/hms -n ${namespace} -f values.yaml installs them`;
  const parts = await Promise.all([
    ...DEFINITIONS.map((name) => guarded(`definition ${name}`, missing, () => checkDefinition(client, name, remedy))),
    ...POLICIES.map((policy) =>
      guarded(`admission policy ${policy}`, missing, () => checkPolicy(client, policy, remedy)),
    ),
    ...(await workloads(client, { namespace, release })),
  ]);
  return [...jobs, ...parts];
}

/** @returns the Deployments of a release. Empty if nothing is installed. */
export async function deploymentsOf(
  config: KubeConfig,
  { namespace, release }: Release,
  component?: string,
): Promise<Deployment[]> {
  const labels = [`app.kubernetes.io/instance=${release}`, 'app.kubernetes.io/name=hms'];
  if (component) labels.push(`app.kubernetes.io/component=${component}`);
  const query = { labelSelector: labels.join(',') };
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  return (await new KubernetesClient(config).request<{ items: Deployment[] }>('GET', path, { query })).items;
}

async function workloads(client: KubernetesClient, { namespace, release }: Release): Promise<Promise<Finding>[]> {
  const labels = { labelSelector: `app.kubernetes.io/instance=${release},app.kubernetes.io/name=hms` };
  try {
    const { items } = await get<{ items: Deployment[] }>(
      client,
      `/apis/apps/v1/namespaces/${namespace}/deployments`,
      labels,
    );
    const { items: pods } = await get<{ items: Pod[] }>(client, `/api/v1/namespaces/${namespace}/pods`, labels);
    return items.map(async (deployment) => judgeDeployment(deployment, pods));
  } catch (error) {
    const finding = failed('deployments', reason(error), `request permission to read them in namespace ${namespace}`);
    return [Promise.resolve(finding)];
  }
}

async function checkNodes(client: KubernetesClient): Promise<Finding> {
  const name = 'cluster nodes';
  const { items } = await get<{ items: Node[] }>(client, '/api/v1/nodes');
  const notReady = items.filter(({ status }) => !status.conditions?.some(isReady)).map(({ metadata }) => metadata.name);
  // An API server alone, as in the one-machine platform, runs no pods.
  if (items.length === 0) return ok(name, 'none: this API server runs no pods');
  if (notReady.length === 0) return ok(name, `${items.length} Ready`);
  const [judge, observed] = [notReady.length === items.length ? failed : warning, `not Ready: ${notReady.join(', ')}`];
  return judge(name, observed, `kubectl describe node ${notReady[0]} says why`);
}

interface Node {
  readonly metadata: { readonly name: string };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function isReady({ type, status }: { readonly type: string; readonly status: string }): boolean {
  return type === 'Ready' && status === 'True';
}

async function checkDefinition(client: KubernetesClient, crd: string, remedy: string): Promise<Finding> {
  const name = `definition ${crd}`;
  const { spec } = await get<{ spec: { versions: { name: string; served: boolean }[] } }>(
    client,
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd}`,
  );
  const served = spec.versions.filter((version) => version.served).map((version) => version.name);
  if (served.includes('v1')) return ok(name, `serves ${served.join(', ')}`);
  return failed(name, `serves ${served.join(', ') || 'no version'}, not v1`, remedy);
}

async function checkPolicy(client: KubernetesClient, policy: string, remedy: string): Promise<Finding> {
  const name = `admission policy ${policy}`;
  const { spec } = await get<{ spec: { policyName: string; validationActions: string[] } }>(
    client,
    `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/${policy}`,
  );
  if (spec.policyName === policy && spec.validationActions.includes('Deny')) return ok(name, 'is bound');
  return failed(name, 'denies nothing', remedy);
}

/** A missing or unreadable object is a finding too. */
async function guarded(name: string, missing: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return failed(name, 'not there', missing);
    if (error instanceof KubernetesError && error.status === 403)
      return warning(name, reason(error), 'ask somebody who may read it');
    return failed(name, reason(error), 'retry, and see the log of the API server');
  }
}

function get<T>(client: KubernetesClient, path: string, query: Record<string, string> = {}): Promise<T> {
  return client.request<T>('GET', path, { query, signal: AbortSignal.timeout(PATIENCE_MS) });
}
