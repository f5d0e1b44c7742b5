/** The inner loop on a cluster uses existing files, values and Services. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { CHART, type Chart, packChart } from './helm.ts';

interface Skaffold {
  readonly build: {
    readonly artifacts: readonly { readonly image: string; readonly docker: { readonly dockerfile: string } }[];
  };
  readonly deploy: { readonly helm: { readonly releases: readonly Release[] } };
  readonly portForward: readonly { readonly resourceName: string; readonly namespace: string; readonly port: number }[];
}

interface Release {
  readonly name: string;
  readonly namespace: string;
  readonly chartPath: string;
  readonly valuesFiles: readonly string[];
  readonly setValueTemplates: Readonly<Record<string, string>>;
}

const project = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => parse(fs.readFileSync(path.join(project, file), 'utf8'), { merge: true });

let chart: Chart;
beforeAll(async () => {
  chart = await packChart();
}, 300_000);
afterAll(() => chart.remove());

it('builds the image that the chart runs, and forwards a Service of the chart', async () => {
  const { build, deploy, portForward } = read('skaffold.yaml') as Skaffold;
  const [artifact] = build.artifacts;
  expect(fs.existsSync(path.join(project, artifact?.docker.dockerfile ?? ''))).toBe(true);
  for (const { name, namespace, chartPath, valuesFiles, setValueTemplates } of deploy.helm.releases) {
    expect(path.join(project, chartPath)).toBe(CHART);
    expect(setValueTemplates).toEqual({
      'image.repository': `{{.IMAGE_REPO_${artifact?.image}}}`,
      'image.tag': `{{.IMAGE_TAG_${artifact?.image}}}`,
    });
    for (const file of valuesFiles) {
      const objects = await chart.render(
        { ...read(file), image: { repository: 'built', tag: 'now' } },
        { release: name, namespace },
      );
      expect(JSON.stringify(objects)).toContain('"image":"built:now"');
      for (const forwarded of portForward) {
        const service = objects.find(
          ({ kind, metadata }) => kind === 'Service' && metadata.name === forwarded.resourceName,
        );
        expect((service?.spec?.ports as { port: number }[] | undefined)?.map(({ port }) => port)).toContain(
          forwarded.port,
        );
        expect(forwarded.namespace).toBe(namespace);
      }
    }
  }
});
