/** Valid values, the messages for invalid ones, and the rules of the rendered objects. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { combinations, everyModule, merge, REQUIRED, type Values } from './combinations.ts';
import { CHART, type Chart, packChart, podIn, podOf, type Rendered, sideBySide } from './helm.ts';

const inChart = (file: string) => fs.readFileSync(path.join(CHART, file), 'utf8');
const KONG = { gateway: { kind: 'kong', kong: { database: { host: 'postgres', secret: { name: 'kong' } } } } };
const MONITORING = { serviceMonitors: { enabled: true }, alerts: { enabled: true }, dashboard: { enabled: true } };

const DEFAULTS: unknown = parse(inChart('values.yaml'), { merge: true });
const keys = (values: unknown, at = ''): string[] =>
  typeof values !== 'object' || values === null || Array.isArray(values)
    ? []
    : Object.entries(values).flatMap(([key, value]) => [`${at}${key}`, ...keys(value, `${at}${key}.`)]);

let chart: Chart;
beforeAll(async () => {
  chart = await packChart();
}, 300_000);
afterAll(() => chart.remove());

const render = (values: Values = {}, options = {}) => chart.render(merge(REQUIRED, values), options);
const refusal = (values: Values): Promise<string> =>
  chart.render(values).then(
    () => 'nothing was refused',
    (error: Error) => error.message,
  );
const named = (objects: readonly Rendered[], kind: string, name: string): Rendered => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (!found) throw new Error(`the chart renders no ${kind} ${name}`);
  return found;
};
/** All leaf values of an object. */
const valuesOf = (node: unknown): unknown[] =>
  typeof node === 'object' && node !== null ? Object.values(node).flatMap(valuesOf) : [node];
const workloads = (objects: readonly Rendered[]) =>
  objects.flatMap((object) => {
    const pod = podIn(object);
    return pod ? [{ object, pod }] : [];
  });

describe('values.schema.json', () => {
  interface Schema {
    readonly type?: string;
    readonly description?: string;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly items?: Schema;
  }
  const text = inChart('values.schema.json');
  const { definitions } = JSON.parse(text) as { definitions: Readonly<Record<string, Schema>> };
  const schema = JSON.parse(text, (_, node) =>
    node?.$ref ? definitions[node.$ref.replace('#/definitions/', '')] : node,
  ) as Schema;
  const paths = (node: Schema, at = ''): (readonly [string, Schema])[] =>
    Object.entries(node.properties ?? {}).flatMap(([key, child]) => [
      [`${at}${key}`, child] as const,
      ...paths(child, `${at}${key}.`),
    ]);
  /** The items of lists, and their values. */
  const items = (node: Schema, at = ''): (readonly [string, Schema])[] => [
    ...(node.items ? [[`${at}[]`, node.items] as const, ...items(node.items, `${at}[]`)] : []),
    ...Object.entries(node.properties ?? {}).flatMap(([key, child]) => [
      ...(at.includes('[]') ? [[`${at}.${key}`, child] as const] : []),
      ...items(child, at ? `${at}.${key}` : key),
    ]),
  ];
  const described = new Map(paths(schema));
  /** Maps with any content that Kubernetes allows. */
  const open = [...described].filter(([, { type, properties }]) => type === 'object' && !properties).map(([at]) => at);

  it('describes every value', () => {
    const all = [...described, ...items(schema)];
    expect(all.map(([at]) => at)).toEqual(expect.arrayContaining(['gateway.trustedIps[]', 'image.pullSecrets[].name']));
    expect(all.filter(([, { description }]) => !description).map(([at]) => at)).toEqual([]);
  });

  it('has the same values as values.yaml', () => {
    const given = keys(DEFAULTS);
    const closed = given.filter((key) => !open.some((map) => key.startsWith(`${map}.`)));
    expect(closed.sort()).toEqual([...described.keys()].filter((key) => key !== 'global').sort());
  });
});

describe('a missing value', () => {
  it('is reported by name, together with all others, with an example', async () => {
    const output = await refusal({});
    for (const value of ['platform.baseUrl', 'platform.domain', 'database.secret.name', 'keycloak.url', 's3.endpoint'])
      expect(output).toContain(`  ${value}: the `);
    for (const value of [
      'keycloak.secret.name',
      's3.secret.name',
      'smtp.host',
      'smtp.from',
      'auth.signingKey.secret',
      'web.cookieKeys.secret',
    ])
      expect(output).toContain(`  ${value}: the `);
    expect(output).not.toContain('gateway.kong');
  });

  it('is reported if another value needs it', async () => {
    const kong = await refusal(merge(REQUIRED, { gateway: { kind: 'kong' } }));
    expect(kong).toContain('gateway.kong.database.host: the PostgreSQL of Kong, like postgres (gateway.kind is kong)');
    expect(kong).toContain("gateway.kong.database.secret.name: the Secret with Kong's role");
    expect(await refusal(merge(REQUIRED, { httpRoute: { enabled: true } }))).toContain(
      'httpRoute.parentRefs: the Gate',
    );
  });
});

describe('a key without a value', () => {
  const everything = [
    KONG,
    { monitoring: MONITORING, caBundle: { configMap: 'authorities' }, ingress: { enabled: true } },
    { modules: everyModule({ autoscaling: { enabled: true } }) },
    { httpRoute: { enabled: true, parentRefs: [{ name: 'public' }] } },
  ].reduce(merge, REQUIRED);
  const at = (values: unknown, path: readonly string[]): unknown =>
    path.reduce<unknown>((each, part) => (each as Values | undefined)?.[part], values);
  /** The problem with the handling of a null value, or empty. */
  const wrongWithout = async (key: string, whole: string): Promise<string> => {
    const path = key.split('.');
    const nothing = path.reduceRight<unknown>((value, part) => ({ [part]: value }), null) as Values;
    const output = await chart.render(merge(everything, nothing)).then(JSON.stringify, (error: Error) => error);
    if (typeof output !== 'string') {
      const section = path.slice(0, -1).map((part) => `/${part}`);
      const names = [`at '${section.join('')}': missing property '${path.at(-1)}'`, `  ${key}: the `];
      return names.some((name) => output.message.includes(name)) ? '' : `${key}: ${output.message}`;
    }
    const standard = at(DEFAULTS, path);
    const isEmpty = ['""', '[]', '{}'].includes(JSON.stringify(standard));
    if (isEmpty && at(everything, path) === undefined && output !== whole) return `${key}: something else is rendered`;
    const mayGo = isEmpty || Array.isArray(standard) || open.has(path.at(-1) ?? '');
    return mayGo ? '' : `${key}: its default went in silence`;
  };
  /** Maps for Kubernetes, which may be empty. */
  const open = new Set(['resources', 'labels']);

  // Helm then removes the default with everything in it.
  it('is refused by name, or equals an empty one', async () => {
    const whole = JSON.stringify(await chart.render(everything));
    const given = keys(DEFAULTS).filter((key) => !/[.](resources|labels)[.]/.test(key));
    expect(given.length).toBeGreaterThan(150);
    const output = await sideBySide(given, (key) => wrongWithout(key, whole));
    expect(output.filter(Boolean)).toEqual([]);
  }, 300_000);
});

describe('the name of a release', () => {
  it.each(['1hms', '123', 'my.hms'])(
    'that is invalid for a Service is refused with a suggestion: %s',
    async (release) => {
      const output = await render({}, { release }).then(String, (error: Error) => error.message);
      expect(output).toContain(`A release can't be named ${release}, as the names of its Services begin so: choose`);
    },
  );
});

describe('an invalid value', () => {
  it.each<[string, Values]>([
    ['/platform/baseUrl', { platform: { baseUrl: 'https://hms.example/' } }],
    ['/platform/baseUrl', { platform: { baseUrl: 'https://hms.example/hms' } }],
    ['/platform/baseUrl', { platform: { baseUrl: 'https://HMS.example' } }],
    ['/platform/baseUrl', { platform: { baseUrl: 'https://my_hms.example' } }],
    ['/platform/baseUrl', { platform: { baseUrl: 'https://user@hms.example' } }],
    ['/platform/domain', { platform: { domain: 'HMS.example' } }],
    ['/platform/portalOrigin', { platform: { portalOrigin: 'https://portal.example/app' } }],
    ['/keycloak/url', { keycloak: { url: 'keycloak:8080' } }],
    ['/keycloak/url', { keycloak: { url: 'http://keycloak:8080' } }],
    ['/gateway/trustedIps/0', { gateway: { trustedIps: ['ingress-nginx'] } }],
    ['/gateway/metricsAllowed/1', { gateway: { metricsAllowed: ['::1', 'prometheus'] } }],
    ['/database/secret/name', { database: { secret: { name: 'Not_A_Name' } } }],
    ['/smtp/from', { smtp: { from: 'nobody' } }],
    ['/smtp/port', { smtp: { port: 'smtp' } }],
    ['/smtp/tls', { smtp: { tls: 'always' } }],
    ['/gateway/kind', { gateway: { kind: 'nginx' } }],
    ['/gateway/replicas', { gateway: { replicas: 0 } }],
    ['/operator/resyncInterval', { operator: { resyncInterval: '10 minutes' } }],
    ['/operator/resyncInterval', { operator: { resyncInterval: '0s' } }],
    ['/operator/podAnnotations/scrape', { operator: { podAnnotations: { scrape: true } } }],
    ['/gateway/nodeSelector/pool', { gateway: { nodeSelector: { pool: 1 } } }],
    ['/modules/hms/databasePoolSize', { modules: { hms: { databasePoolSize: 0 } } }],
    ['/modules/hms/taskConcurrency', { modules: { hms: { taskConcurrency: 0 } } }],
    ['replicaCount', { operator: { replicaCount: 3 } }],
    ['billing', { modules: { billing: {} } }],
    ['ingres', { ingres: { enabled: true } }],
  ])('at %s is refused by name', async (name, values) => {
    expect(await refusal(merge(REQUIRED, values))).toContain(`'${name}'`);
  });

  it('in combination with another one is refused with what to write', async () => {
    const autoscaling = (values: Values) => merge(REQUIRED, { modules: { crm: { autoscaling: values } } });
    expect(await refusal(autoscaling({ enabled: true, minReplicas: 12 }))).toContain(
      'modules.crm.autoscaling: minReplicas is 12, above maxReplicas, 10: write a maxReplicas of 12 or more',
    );
    expect(await refusal(autoscaling({ enabled: true, minReplicas: 10 }))).toBe('nothing was refused');
    expect(await refusal(merge(REQUIRED, { smtp: { secret: { name: 'hms-smtp' } } }))).toContain(
      'smtp.tls is none, which would send the password of smtp.secret unencrypted: write starttls or implicit',
    );
  });
});

describe('the rendered objects', () => {
  it('contain no secret, only names of secrets', async () => {
    const objects = (
      await Promise.all(
        combinations()
          .slice(0, 8)
          .map((values) => chart.render(values)),
      )
    ).flat();
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const variables = workloads(objects).flatMap(({ pod }) => pod.spec.containers.flatMap(({ env = [] }) => env));
    const plain = variables.filter(
      ({ value, name }) => value !== undefined && /PASSWORD|SECRET|_KEY$|DATABASE_URL/.test(name),
    );
    expect(plain).toEqual([]);
    expect(variables.filter(({ value }) => /:\/\/[^/]*@/.test(value ?? ''))).toEqual([]);
  });

  it.each([
    ['http://localhost:8000', 'http://console.hospitals.example:8000'],
    ['https://hms.example', 'https://console.hospitals.example'],
    ['http://192.168.1.10:8000', 'http://console.hospitals.example:8000'],
    ['http://[fd00::10]:8000', 'http://console.hospitals.example:8000'],
  ])('have the console at the scheme and port of %s', async (baseUrl, origin) => {
    const [container] =
      podOf(named(await render({ platform: { baseUrl } }), 'Deployment', 'hms-operator'))?.spec.containers ?? [];
    expect(container?.env).toContainEqual({ name: 'CONSOLE_ORIGIN', value: origin });
  });

  it.each([{}, KONG])('have pods without privileges and with read-only file systems: %j', async (values) => {
    for (const { object, pod } of workloads(await render(values))) {
      expect([object.metadata.name, pod.spec]).toEqual([
        object.metadata.name,
        expect.objectContaining({
          automountServiceAccountToken: ['hms-operator', 'hms-console', 'hms-smoke'].includes(object.metadata.name),
          securityContext: expect.objectContaining({
            runAsNonRoot: true,
            seccompProfile: { type: 'RuntimeDefault' },
          }),
        }),
      ]);
      for (const { securityContext } of pod.spec.containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('keep the selectors of a workload across versions, because they are immutable', async () => {
    for (const object of (await render()).filter(({ kind }) => kind === 'Deployment')) {
      const component = object.metadata.name.replace(/^hms-/, '');
      expect(object.spec?.selector).toEqual({
        matchLabels: {
          'app.kubernetes.io/name': 'hms',
          'app.kubernetes.io/instance': 'hms',
          'app.kubernetes.io/component': component,
        },
      });
      expect(podOf(object)?.metadata.labels).toMatchObject(
        (object.spec as { selector: { matchLabels: object } }).selector.matchLabels,
      );
    }
  });

  it('share no name within a namespace with another release', async () => {
    const name = ({ kind, metadata }: Rendered) => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`;
    const own = { crds: { install: false }, admissionPolicies: { install: false } };
    const [first, second] = await Promise.all([render(own), render(own, { release: 'staging' })]);
    const taken = new Set(first.map(name));
    expect(second.map(name).filter((each) => taken.has(each))).toEqual([]);
  });

  it('have names that are short enough for the longest release', async () => {
    const objects = await render(KONG, { release: 'a-release-whose-name-is-as-long-as-helm-lets-names-be' });
    const names = objects
      .filter(({ kind }) => !/^(CustomR|Validating)/.test(kind))
      .map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.length > 63)).toEqual([]);
    expect(new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace} ${metadata.name}`)).size).toBe(
      objects.length,
    );
  });

  it('quote names that could be parsed as another type', async () => {
    const objects = await render(
      { monitoring: MONITORING, networkPolicy: { egress: [{ ports: [{ port: 443 }] }] } },
      { release: 'null', namespace: '456' },
    );
    expect(objects.flatMap(valuesOf).filter((value) => value === null || value === 456)).toEqual([]);
    const output = new Set(objects.flatMap(valuesOf));
    expect([output.has('null'), output.has('456')]).toEqual([true, true]);
  });

  it('contain the definitions and policies of crds/, which are kept when the release is deleted', async () => {
    const objects = await render();
    for (const file of [
      'hospitals.hms.dev.yaml',
      'orphans.hms.dev.yaml',
      'platforms.hms.dev.yaml',
      'hospital-deletion.yaml',
      'requests.yaml',
      'definitions.yaml',
    ]) {
      for (const document of parseAllDocuments(inChart(`files/${file}`))) {
        const source = document.toJS() as Rendered;
        const output = named(objects, source.kind, source.metadata.name);
        expect(output.spec).toEqual(source.spec);
        expect(output.metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' });
      }
    }
  });

  it.each([
    // None is read individually: the operator lists and watches them.
    ['operator', 'rbac.yaml', ['list', 'watch', 'patch']],
    ['console', 'console-rbac.yaml', ['get', 'list', 'watch', 'create', 'patch', 'delete']],
  ])('give the %s the RBAC rules of the repository, and a Lease in its namespace', async (component, file, verbs) => {
    const sources = parseAllDocuments(inChart(`files/${file}`)).map((document) => document.toJS());
    const rules = (kind: string) => sources.find((source) => source.kind === kind).rules;
    const objects = (await render()) as unknown as {
      kind: string;
      metadata: { name: string; namespace?: string };
      rules: unknown;
    }[];
    const own = objects.filter(({ metadata }) => metadata.name === `hms-${component}`);
    expect(own.find(({ kind }) => kind === 'ClusterRole')?.rules).toEqual(rules('ClusterRole'));
    expect(rules('ClusterRole')[0]).toMatchObject({ resources: ['hospitals'], verbs });
    const roles = own.filter(({ kind }) => kind === 'Role');
    expect(roles.find(({ metadata }) => metadata.namespace === 'hms')?.rules).toEqual(rules('Role'));
    expect(JSON.stringify(roles.find(({ metadata }) => metadata.namespace === 'default'))).not.toContain('leases');
  });
});
