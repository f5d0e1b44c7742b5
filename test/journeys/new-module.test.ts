/** A new module by the steps of docs/development.md, in a copy of the project. */
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Module } from '@hms/tenancy';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { REQUIRED } from '../chart/combinations.ts';
import { packChart } from '../chart/helm.ts';
import { listProblems } from '../support/module-lists.ts';
import { ProjectCopy } from '../support/project-copy.ts';

const FOLDER: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify(
    {
      name: '@hms/example',
      version: '0.1.0',
      private: true,
      license: 'Apache-2.0',
      type: 'module',
      exports: { '.': './src/main.ts' },
      dependencies: { '@hms/service': '0.1.0', zod: '4.6.7' },
    },
    null,
    2,
  )}\n`,
  'src/main.ts': `import { startModule } from '@hms/service';
import { exampleModule } from './module.ts';

await startModule({ name: 'example', define: () => exampleModule });
`,
  'src/module.test.ts': `import { expect, it } from '@jest/globals';
import { exampleModule } from './module.ts';

it('greets whoever is logged in', () => {
  expect(exampleModule.routes.map(({ access }) => access)).toEqual(['authenticated']);
});
`,
  'src/module.ts': `import { type ModuleDefinition, route } from '@hms/service';
import { z } from 'zod';

export const exampleModule: ModuleDefinition = {
  name: 'example',
  version: '0.1.0',
  title: 'Example',
  routes: [
    route({
      method: 'GET',
      path: '/api/example/greeting',
      summary: 'Read a greeting',
      access: 'authenticated',
      response: z.object({ text: z.string() }),
      handler: async () => ({ data: { text: 'hello' } }),
    }),
  ],
};
`,
};

/** The steps in other files: each adds the new module beside crm. */
const STEPS: Readonly<Record<string, (text: string) => string>> = {
  'packages/tenancy/src/modules.ts': (text) =>
    text.replace(
      /^ {2}\{ name: 'crm'.*\n/m,
      "$&  { name: 'example', rateLimit: { minute: 70, hour: 700 }, processes: { example: 18131 } },\n",
    ),
  'crds/hospitals.hms.dev.yaml': (text) =>
    text
      .replace("'crm', ", "'crm', 'example', ")
      .replace(
        /^( +)crm:\n(?:\1 .*\n)+/m,
        (crm) => crm + crm.replaceAll('crm', 'example').replace('100 a minute and 1000', '70 a minute and 700'),
      ),
  'charts/hms/values.yaml': (text) => text.replace(/^ {2}crm: .*\n/m, (crm) => crm + crm.replace('crm', 'example')),
  'charts/hms/values.schema.json': (text) =>
    text
      .replace(/^ +"crm": .*$/m, (crm) => `${crm}\n${crm.replace('crm', 'example')}`)
      .replace('"crm", "payment"', '"crm", "example", "payment"'),
};

/** What `npm run api-types` writes, beside files of the module alone. */
const GENERATED = [
  'docs/permissions.md',
  ...['console.d.ts', 'limits/NewHospital.ts', 'operations.ts', 'paths.d.ts'].map(
    (file) => `packages/api-client/src/types/${file}`,
  ),
];

/** Prints what the code of the copy makes of its manifest. */
const REPORT = `
  import { layout } from './local/src/layout.ts';
  import { addressesOf } from './local/src/platform/addresses.ts';
  import { moduleSteps, operatorEnv } from './local/src/platform/modules.ts';
  import { portsFrom } from './local/src/ports.ts';
  import { readConfig } from './operator/src/config.ts';
  import { platformEntities } from './operator/src/platform/gateway-entities.ts';
  import { MODULES } from './packages/tenancy/src/modules.ts';
  const secrets = new Proxy({}, { get: () => 'secret' });
  const platform = { ports: portsFrom({ HMS_EXAMPLE_PORT: '19131' }), dirs: layout('/tmp/data'), secrets, engines: {} };
  const { MODULE_TARGETS: targets } = readConfig(operatorEnv(addressesOf(platform), platform.ports));
  const steps = moduleSteps(platform).map(({ name, address, args }) => ({ name, address, main: args.at(-1) }));
  const entities = platformEntities({ targets, webTargets: [], keycloakUrl: 'http://keycloak', metricsAddress: 'gateway:8001' });
  console.log(JSON.stringify({ modules: MODULES, targets, steps, entities }));
`;

interface Report {
  readonly modules: readonly Module[];
  readonly targets: Readonly<Record<string, readonly string[]>>;
  readonly steps: readonly { readonly name: string; readonly address: string; readonly main: string }[];
  readonly entities: readonly { readonly collection: string; readonly body: Readonly<Record<string, unknown>> }[];
}

let copy: ProjectCopy;
let report: Report;
const env = { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` };

function readReport(): Report {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', REPORT];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: copy.root, encoding: 'utf8' }));
}

beforeAll(() => {
  copy = new ProjectCopy('files');
  for (const [file, text] of Object.entries(FOLDER)) copy.write(`services/example/${file}`, text);
  for (const [file, change] of Object.entries(STEPS)) copy.write(file, change(copy.read(file)));
  const install = ['install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', install, { cwd: copy.root, env });
  copy.linkWorkspace('services/example/package.json');
  report = readReport();
}, 120_000);
afterAll(() => copy.remove());

it('changes at most five files beside its folder, which the documentation names', () => {
  const changed = copy.changedFiles();
  expect(changed.sort()).toEqual([...Object.keys(STEPS), 'package-lock.json'].sort());
  expect(changed.length).toBeLessThanOrEqual(5);
  const [steps = ''] = /^## A new module\n[^#]*/m.exec(copy.read('docs/development.md')) ?? [];
  for (const file of changed) expect(steps).toContain(`\`${file}\``);
});

it('passes every check once its types are generated, which writes only generated files', () => {
  const run = (script: string) => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', script], {
      cwd: copy.root,
      env,
      encoding: 'utf8',
    });
    return { status, output: status === 0 ? '' : stdout + stderr };
  };
  expect(run('check').output).toContain('npm run api-types');
  expect(run('api-types')).toEqual({ status: 0, output: '' });
  expect(copy.changedFiles().sort()).toEqual([...Object.keys(STEPS), ...GENERATED, 'package-lock.json'].sort());
  expect(run('check')).toEqual({ status: 0, output: '' });
}, 600_000);

it('is in all lists of modules', () => {
  expect(listProblems(copy.root, report.modules)).toEqual([]);
});

it.each([...Object.keys(STEPS), 'package-lock.json'])('is reported as missing in %s', (file) => {
  const problems = copy.without(file, () => listProblems(copy.root, readReport().modules));
  expect(problems.join('\n')).toMatch(/\bexample\b/);
  expect(problems[0]).toContain(`${file}: `);
});

it('runs on one machine, on the port of the manifest or of its variable', () => {
  const main = path.join(copy.root, 'services/example/src/main.ts');
  expect(report.steps).toContainEqual({ name: 'example', address: 'http://127.0.0.1:19131', main });
  expect(report.targets.example).toEqual(['127.0.0.1:19131']);
});

it('is a process of the image', () => {
  const run = (...args: string[]) => spawnSync(path.join(copy.root, 'bin/hms'), args, { env, encoding: 'utf8' });
  expect(run('help').stdout).toContain('crm, example, gateway');
  expect(run('example').output.join('')).toContain('DATABASE_URL');
  expect(run('unknown')).toMatchObject({ status: 64, stderr: expect.stringContaining('"unknown" is no process') });
});

it('is rendered by the chart', async () => {
  const chart = await packChart(path.join(copy.root, 'charts/hms'));
  try {
    const objects = await chart.render(REQUIRED);
    const kinds = objects.filter(({ metadata }) => metadata.name === 'hms-example').map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['Deployment', 'Service', 'NetworkPolicy']));
    expect(JSON.stringify(objects)).toContain('example=hms-example.hms.svc:80');
  } finally {
    chart.remove();
  }
}, 300_000);

it('can have rate limits of each hospital', () => {
  const { spec } = parse(copy.read('crds/hospitals.hms.dev.yaml'));
  const { properties } = spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.gateway;
  expect(properties.rateLimits.properties.example).toMatchObject({
    description: 'Limits for /api/example; 70 a minute and 700 an hour when omitted.',
    required: ['minute', 'hour'],
  });
});

it('is behind the gateway', () => {
  const bodies = (collection: string) =>
    report.entities.filter((entity) => entity.collection === collection).map(({ body }) => body);
  expect(bodies('upstreams')).toContainEqual(expect.objectContaining({ name: 'example-upstream' }));
  expect(bodies('targets')).toContainEqual(expect.objectContaining({ target: '127.0.0.1:19131' }));
  expect(bodies('services')).toContainEqual(expect.objectContaining({ name: 'example', host: 'example-upstream' }));
  expect(bodies('routes')).toContainEqual(expect.objectContaining({ name: 'example', paths: ['/api/example'] }));
});
