/** Runs the checks where the operator runs: as a Job in its cluster, or as a process on its machine. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { KubernetesClient } from '@hms/kubernetes';
import { DOCTOR_MAIN, operatorEnv, type PlatformState, poll } from '@hms/local';
import { type Finding, failed, reason } from '@hms/operator/doctor';
import { CoreV1Api, type KubeConfig } from '@kubernetes/client-node';
import { lastWarning } from './jobs.ts';
import { type Deployment, type Pod, whyNotReady } from './workloads.ts';

const JOB_MS = 120_000;

/**
 * Runs the checks with the operator's account, environment and network. The Job is deleted afterwards. One that gave no
 * result is kept for a while, because of its events.
 */
export async function lookFromInside(
  config: KubeConfig,
  namespace: string,
  operator: Deployment,
  timeout = JOB_MS,
): Promise<Finding[]> {
  const client = new KubernetesClient(config);
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  const job = doctorJob(operator, randomBytes(4).toString('hex'));
  const { name } = job.metadata;
  let isSilent = false;
  try {
    await client.request('POST', jobs, { body: job });
    const query = { labelSelector: `batch.kubernetes.io/job-name=${name}` };
    let latest: Pod | undefined;
    const ended = await poll(
      async () => {
        const path = `/api/v1/namespaces/${namespace}/pods`;
        [latest] = (await client.request<{ items: Pod[] }>('GET', path, { query })).items;
        return latest && ['Succeeded', 'Failed'].includes(latest.status.phase ?? '') ? latest : undefined;
      },
      { timeout, interval: 300 },
    );
    if (!ended) {
      isSilent = true;
      const why = latest ? whyNotReady(latest) : undefined;
      const last = await lastWarning(client, namespace, name);
      const observed = [
        `no answer in ${timeout / 1000} s`,
        ...(why ? [`its pod ${why.observed}`] : []),
        ...(last ? [`last event: ${last}`] : []),
      ];
      return [failed('inside', observed.join('; '), why?.remedy ?? `kubectl -n ${namespace} describe job ${name}`)];
    }
    const api = config.makeApiClient(CoreV1Api);
    return findingsIn(await api.readNamespacedPodLog({ namespace, name: ended.metadata.name }));
  } catch (error) {
    return [failed('inside', reason(error), `check that you may create Jobs and read logs in namespace ${namespace}`)];
  } finally {
    const query = { propagationPolicy: 'Background' };
    if (!isSilent) await client.request('DELETE', `${jobs}/${name}`, { query }).catch(() => undefined);
  }
}

/** The same for the platform of this machine. */
export function checkFromHere(state: PlatformState): Promise<Finding[]> {
  const env = { ...process.env, ...operatorEnv(state, state.ports) };
  return new Promise((resolve) => {
    execFile(process.execPath, [DOCTOR_MAIN, '-o', 'json'], { env, timeout: JOB_MS }, (_error, stdout, stderr) =>
      resolve(findingsIn(stdout || stderr)),
    );
  });
}

/** @param log the output of the doctor in JSON. */
export function findingsIn(log: string): Finding[] {
  try {
    return JSON.parse(log.trim().split('\n').at(-1) ?? '') as Finding[];
  } catch {
    const remedy = 'its image has no doctor, or it could not start: upgrade to this release';
    return [failed('inside', log.trim().slice(0, 500) || 'it printed nothing', remedy)];
  }
}

/**
 * A Job whose pod is like the operator's: image, account, environment, security. It has another label, so that no
 * Service and no disruption budget selects it.
 */
export function doctorJob({ metadata, spec }: Deployment, suffix: string) {
  const labels = { ...spec.template.metadata.labels, 'app.kubernetes.io/component': 'doctor' };
  const containers = spec.template.spec.containers.map((container) => {
    const { startupProbe, livenessProbe, readinessProbe, lifecycle, ports, ...podSpec } = container;
    return { ...podSpec, args: ['doctor', '-o', 'json'] };
  });
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${metadata.name.slice(0, 40)}-doctor-${suffix}`, labels },
    spec: {
      backoffLimit: 0,
      // A Job that is not deleted can be inspected for ten minutes.
      activeDeadlineSeconds: 300,
      ttlSecondsAfterFinished: 300,
      template: {
        metadata: { labels },
        spec: { ...spec.template.spec, containers, restartPolicy: 'Never', topologySpreadConstraints: [] },
      },
    },
  };
}
