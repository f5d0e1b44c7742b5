/** The chart, once with its defaults and once with everything switched on. test/chart has the combinations. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { everything, REQUIRED } from '../chart/combinations.ts';
import { type Chart, packChart, podOf, type Rendered, sideBySide } from '../chart/helm.ts';
import { complaints, prepareServer, RESTRICTED, withoutAccount } from '../chart/server.ts';

let chart: Chart;
beforeAll(async () => {
  chart = await packChart();
  await prepareServer();
}, 60_000);
afterAll(() => chart.remove());

const kindsOf = (objects: readonly Rendered[]) => [...new Set(objects.map(({ kind }) => kind))];

describe.each([
  ['its defaults', REQUIRED, ['Deployment', 'Job', 'Service', 'CustomResourceDefinition']],
  ['everything', everything(), ['Ingress', 'HTTPRoute', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'PrometheusRule']],
] as const)('the chart with %s', (_, values, kinds) => {
  it('is accepted by helm lint and by the API server, without a warning', async () => {
    const objects = await chart.render(values, { namespace: RESTRICTED });
    expect(kindsOf(objects)).toEqual(expect.arrayContaining([...kinds]));
    expect(await chart.lint(values)).toBe('');
    const found = await sideBySide(objects.map(withoutAccount), async (object) =>
      (await complaints(object)).map((complaint) => `${object.kind} ${object.metadata.name}: ${complaint}`),
    );
    expect(found.flat()).toEqual([]);
  }, 60_000);

  it('gives each process probes and limits', async () => {
    const objects = await chart.render(values, { namespace: RESTRICTED });
    const deployments = objects.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.length).toBeGreaterThan(5);
    const lacking = deployments.flatMap((deployment) =>
      (podOf(deployment)?.spec.containers ?? []).flatMap((container) =>
        ['readinessProbe', 'livenessProbe', 'resources']
          .filter((field) => !(field in container))
          .map((field) => `${deployment.metadata.name} ${container.name}: ${field}`),
      ),
    );
    expect(lacking).toEqual([]);
  });
});
