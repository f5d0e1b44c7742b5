/** Jobs on a real API server. */
import { randomBytes } from 'node:crypto';
import { KubernetesClient } from '@hms/kubernetes';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import { platform } from '../../../test/platform.ts';
import { until } from '../../../test/support/until.ts';
import { checkRelease } from './cluster.ts';
import { lookFromInside } from './inside.ts';
import { checkJobs } from './jobs.ts';

const release = `r${randomBytes(4).toString('hex')}`;
const namespace = 'default';
const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
const name = `${release}-migrate`;
const config = new KubeConfig();
let client: KubernetesClient;

beforeAll(async () => {
  config.loadFromFile(platform().kubeconfig);
  client = new KubernetesClient(config);
});
afterAll(async () => {
  await client.request('DELETE', `${jobs}/${name}`, { query: { propagationPolicy: 'Background' } });
});

it('reports a job that ended without a pod, with the last event of the pod, and everything else waits for it', async () => {
  expect(await checkJobs(config, { namespace, release })).toEqual([]);
  const labels = {
    'app.kubernetes.io/instance': release,
    'app.kubernetes.io/name': 'hms',
    'app.kubernetes.io/component': 'migrate',
  };
  const spec = { restartPolicy: 'Never', containers: [{ name: 'migrate', image: 'hms:1' }] };
  await client.request('POST', jobs, {
    body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, labels }, spec: { template: { spec } } },
  });
  const at = new Date().toISOString();
  await client.request('POST', `/api/v1/namespaces/${namespace}/events`, {
    body: {
      ...{ apiVersion: 'v1', kind: 'Event', type: 'Warning', reason: 'Failed', message: 'secret "x" not found' },
      ...{ metadata: { generateName: release }, firstTimestamp: at, lastTimestamp: at },
      involvedObject: { kind: 'Pod', name: `${name}-abcde`, namespace },
    },
  });
  const running = await checkJobs(config, { namespace, release });
  expect(running).toMatchObject([{ name: `job ${name}`, status: 'warning', observed: 'is still running' }]);

  const condition = { status: 'True', reason: 'DeadlineExceeded', message: 'was active too long' };
  const job = await client.request<{ status: object }>('GET', `${jobs}/${name}`);
  const conditions = ['FailureTarget', 'Failed'].map((type) => ({ ...condition, type }));
  await client.request('PUT', `${jobs}/${name}/status`, {
    body: { ...job, status: { startTime: at, conditions } },
  });
  const [first] = await checkRelease(config, { namespace, release });
  expect(first).toMatchObject({
    ...{ name: `job ${name}`, status: 'failed' },
    observed: 'was active too long; last event of its pod: secret "x" not found',
  });
});

it("keeps a doctor's job whose pod is never created, and reports its last event", async () => {
  const labels = { 'app.kubernetes.io/instance': release };
  const operator = {
    metadata: { name: release, namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'operator', image: 'hms:1' }] } },
    },
    status: {},
  };
  const query = { labelSelector: 'app.kubernetes.io/component=doctor' };
  const findings = lookFromInside(config, namespace, operator, 3_000);
  const [job] = await until(
    'the job',
    async () => (await client.request<{ items: { metadata: { name: string } }[] }>('GET', jobs, { query })).items,
    ({ length }) => length > 0,
  );
  const silent = job?.metadata.name ?? '';
  await client.request('POST', `/api/v1/namespaces/${namespace}/events`, {
    body: {
      ...{ apiVersion: 'v1', kind: 'Event', type: 'Warning', reason: 'FailedCreate', message: 'exceeded quota' },
      ...{ metadata: { generateName: release }, involvedObject: { kind: 'Job', name: silent, namespace } },
    },
  });
  expect(await findings).toMatchObject([
    {
      ...{ name: 'inside', status: 'failed', observed: 'no answer in 3 s; last event: exceeded quota' },
      remedy: `kubectl -n ${namespace} describe job ${silent}`,
    },
  ]);
  await client.request('DELETE', `${jobs}/${silent}`, { query: { propagationPolicy: 'Background' } });
});
