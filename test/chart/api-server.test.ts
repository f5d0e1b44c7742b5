/** Validates everything that the chart can render with a real API server. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { combinations, merge, REQUIRED } from './combinations.ts';
import { type Chart, KUBERNETES, type PodTemplate, packChart, podOf, type Rendered, sideBySide } from './helm.ts';
import { complaints, prepareServer, RESTRICTED, withoutAccount } from './server.ts';

let chart: Chart;
/** Each object once, even if several combinations of values render it. */
const objects = new Map<string, Rendered>();

beforeAll(async () => {
  chart = await packChart();
  await prepareServer();
  const rendered = await sideBySide(combinations(), (values) => chart.render(values, { namespace: RESTRICTED }));
  for (const object of rendered.flat()) objects.set(JSON.stringify(object), object);
}, 300_000);

afterAll(() => chart.remove());

describe('the rendered chart', () => {
  it('contains every expected kind', () => {
    const kinds = new Set([...objects.values()].map(({ kind }) => kind));
    const expected = [
      'ClusterRole',
      'ClusterRoleBinding',
      'ConfigMap',
      'CustomResourceDefinition',
      'Deployment',
      'HTTPRoute',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PrometheusRule',
      'Role',
      'RoleBinding',
      'Service',
      'ServiceAccount',
      'ServiceMonitor',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
    ];
    expect(expected.filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  it('is accepted by the API server without a warning', async () => {
    const complaintsOfPods = await sideBySide([...objects.values()].map(withoutAccount), async (object) =>
      (await complaints(object)).map((complaint) => `${object.kind} ${object.metadata.name}: ${complaint}`),
    );
    expect([...new Set(complaintsOfPods.flat())]).toEqual([]);
  }, 300_000);

  it('has pods at the restricted level of Pod Security', async () => {
    const pods = [...objects.values()].flatMap((object) => {
      const template = podOf(object);
      return template ? [podFrom(object, template)] : [];
    });
    expect(pods.length).toBeGreaterThan(10);
    const complaintsOfPods = await sideBySide(pods, complaints);
    expect([...new Set(complaintsOfPods.flat())]).toEqual([]);
  }, 300_000);

  it('passes helm lint', async () => {
    const complaintsOfPods = await sideBySide(combinations(), (values) => chart.lint(values));
    expect([...new Set(complaintsOfPods)]).toEqual(['']);
  }, 300_000);

  it('is the same for the oldest supported Kubernetes', async () => {
    const [values = {}] = combinations();
    const oldest = await chart.render(values, { namespace: RESTRICTED, kubernetes: KUBERNETES[0] });
    expect(oldest).toEqual(await chart.render(values, { namespace: RESTRICTED }));
  });
});

describe('the notes of Helm', () => {
  it.each(['embedded', 'kong'])(
    'with the gateway %s contain commands that can be copied, with existing names',
    async (kind) => {
      const kong = { database: { host: 'db', secret: { name: 'kong' } } };
      const values = merge(REQUIRED, { gateway: { kind, kong } });
      const notes = await chart.notes(values);
      const commands = notes.split('\n').filter((line) => line.startsWith('     '));
      // Print what they apply, without doing anything.
      const programs = 'kubectl() { case "$1" in apply) cat ;; esac; }; helm() { :; }';
      const applied = execFileSync('sh', ['-euc', [programs, ...commands].join('\n')], { encoding: 'utf8' });
      const hospital = readAsKubectl(applied);
      expect(hospital).toMatchObject({ kind: 'Hospital', metadata: { name: 'st-mary' } });
      expect(await complaints(hospital)).toEqual([]);
      const names = (await chart.render(values)).map((object) => `${object.kind} ${object.metadata.name}`);
      const [, service] = /port-forward service\/(\S+)/.exec(notes) ?? [];
      const [, pod] = /logs (\S+)/.exec(notes) ?? [];
      expect(names).toEqual(expect.arrayContaining([`Service ${service}`, `Pod ${pod}`]));
    },
  );
});

describe('the API server', () => {
  it('refuses a pod that is not at the restricted level, and an unknown field', async () => {
    const deployment = [...objects.values()].find(({ kind }) => kind === 'Deployment') as Rendered;
    const pod = podFrom(deployment, podOf(deployment) as PodTemplate);
    const root = { ...pod, spec: { ...pod.spec, securityContext: { runAsUser: 0 } } };
    expect(await complaints(root)).toEqual([expect.stringMatching(/violates PodSecurity "restricted/)]);
    const unknown = { ...deployment, spec: { ...deployment.spec, replicaCount: 2 } };
    expect(await complaints(unknown)).toEqual([expect.stringMatching(/replicaCount/)]);
  });
});

/** kubectl parses text that starts with a brace only as JSON. */
function readAsKubectl(manifest: string): Rendered {
  return manifest.trimStart().startsWith('{') ? JSON.parse(manifest) : parse(manifest);
}

/** The pod that a workload's controller would create. */
function podFrom(workload: Rendered, { metadata, spec }: PodTemplate): Rendered {
  const name = `${workload.metadata.name}-pod`;
  return withoutAccount({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name }, spec: { ...spec } });
}
