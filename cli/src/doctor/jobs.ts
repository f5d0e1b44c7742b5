/**
 * The jobs around an install or upgrade, which Helm deletes when they have succeeded: remaining ones failed or are
 * still running.
 */
import { KubernetesClient, KubernetesError } from '@hms/kubernetes';
import { type Finding, failed, PATIENCE_MS, reason, warning } from '@hms/operator/doctor';
import { CoreV1Api, type KubeConfig } from '@kubernetes/client-node';
import { type Condition, type Pod, whyNotReady } from './workloads.ts';

const COMPONENTS = ['migrate', 'gateway-migrations'];
const LINES = 5;
const LONGEST = 600;

/** The fields that are used. */
export interface Job {
  readonly metadata: { readonly name: string };
  readonly status: { readonly succeeded?: number; readonly conditions?: readonly Condition[] };
}

export interface Event {
  readonly type?: string;
  readonly message?: string;
  readonly involvedObject: { readonly kind?: string; readonly name?: string };
}

interface Observed {
  /** Newest first. */
  readonly pods: readonly Pod[];
  readonly events: readonly Event[];
  /** The log of the newest pod that has ended. */
  readonly log: string;
}

/** @returns a finding for each job that has not succeeded. Empty if all have, or if nothing is installed. */
export async function checkJobs(
  config: KubeConfig,
  { namespace, release }: { readonly namespace: string; readonly release: string },
): Promise<Finding[]> {
  const client = new KubernetesClient(config);
  const labels = [
    `app.kubernetes.io/instance=${release}`,
    'app.kubernetes.io/name=hms',
    `app.kubernetes.io/component in (${COMPONENTS.join(',')})`,
  ];
  const list = async <T>(path: string, query: Record<string, string>): Promise<T[]> => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return (await client.request<{ items: T[] }>('GET', path, { query, signal })).items;
  };
  try {
    const jobs = await list<Job>(`/apis/batch/v1/namespaces/${namespace}/jobs`, { labelSelector: labels.join(',') });
    const open = jobs.filter(({ status }) => !status.succeeded);
    return await Promise.all(
      open.map(async (job) => {
        const own = { labelSelector: `batch.kubernetes.io/job-name=${job.metadata.name}` };
        const [pods, events] = await Promise.all([
          list<Pod>(`/api/v1/namespaces/${namespace}/pods`, own),
          list<Event>(`/api/v1/namespaces/${namespace}/events`, { fieldSelector: 'type=Warning' }),
        ]);
        pods.sort((a, b) => madeAt(b) - madeAt(a));
        return judgeJob(job, namespace, { pods, events, log: await endOfLog(config, namespace, pods.find(hasEnded)) });
      }),
    );
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return [];
    return [
      warning('jobs', reason(error), `request permission to read Jobs, pods and events in namespace ${namespace}`),
    ];
  }
}

/**
 * Why a job has not succeeded: the end of its log, otherwise why its pod is not ready, otherwise events of deleted
 * pods.
 */
export function judgeJob({ metadata, status }: Job, namespace: string, { pods, events, log }: Observed): Finding {
  const name = `job ${metadata.name}`;
  const again = 'then run the same command again';
  const gaveUp = status.conditions?.find(({ type, status: is }) => type === 'Failed' && is === 'True');
  const remedy = `fix what it says, ${again}; all of it: kubectl -n ${namespace} logs job/${metadata.name}`;
  if (log) return failed(name, `failed, and its log ends with: ${log}`, remedy);
  const [pod] = pods;
  const why = pod && !hasEnded(pod) ? whyNotReady(pod) : undefined;
  if (pod && why) return failed(name, `pod ${pod.metadata.name} ${why.observed}`, `${why.remedy}, ${again}`);
  if (!gaveUp && !pods.some(hasEnded))
    return warning(name, 'is still running', `kubectl -n ${namespace} logs -f job/${metadata.name}`);
  const last = warningOf(metadata.name, events);
  const observed = [gaveUp?.message ?? 'failed', ...(last ? [`last event of its pod: ${last}`] : [])];
  return failed(
    name,
    observed.join('; '),
    `kubectl -n ${namespace} describe job ${metadata.name} says more; fix that, ${again}`,
  );
}

/** @returns the last event of a job or of its pods, which may be deleted. */
export async function lastWarning(
  client: KubernetesClient,
  namespace: string,
  job: string,
): Promise<string | undefined> {
  const query = { fieldSelector: 'type=Warning' };
  const path = `/api/v1/namespaces/${namespace}/events`;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const { items } = await client.request<{ items: Event[] }>('GET', path, { query, signal });
  return warningOf(job, items);
}

function warningOf(job: string, events: readonly Event[]): string | undefined {
  return events.findLast(
    ({ type, involvedObject: { kind, name } }) =>
      type === 'Warning' && ((kind === 'Pod' && name?.startsWith(`${job}-`)) || (kind === 'Job' && name === job)),
  )?.message;
}

/** The last non-empty lines, joined. Exported for tests. */
export function lastLines(log: string): string {
  const lines = log.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).slice(-LINES).join(' / ').slice(-LONGEST);
}

async function endOfLog(config: KubeConfig, namespace: string, pod: Pod | undefined): Promise<string> {
  if (!pod) return '';
  const query = { namespace, name: pod.metadata.name, tailLines: LINES * 4 };
  try {
    return lastLines(await config.makeApiClient(CoreV1Api).readNamespacedPodLog(query));
  } catch (error) {
    return `(can not be read: ${reason(error)})`;
  }
}

function hasEnded({ status }: Pod): boolean {
  return status.phase === 'Failed';
}

function madeAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? '') || 0;
}
