/** What operators of the platform rely on: network policies, drains, metrics, restarts. */
import { BUILT_MODULES } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { merge, REQUIRED, type Values } from './combinations.ts';
import { type Chart, packChart, podOf, type Rendered } from './helm.ts';

const KINDS: Readonly<Record<string, Values>> = {
  embedded: { gateway: { kind: 'embedded' } },
  kong: { gateway: { kind: 'kong', kong: { database: { host: 'db', secret: { name: 'kong' } } } } },
};
const PROMETHEUS = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };
const MONITORED = {
  networkPolicy: { monitoringFrom: [PROMETHEUS] },
  monitoring: { serviceMonitors: { enabled: true } },
};

type Labels = Readonly<Record<string, string>>;
interface Peer {
  readonly podSelector?: { readonly matchLabels?: Labels };
  readonly namespaceSelector?: object;
}
interface Policy {
  readonly podSelector: { readonly matchLabels: Labels };
  readonly policyTypes: readonly string[];
  readonly ingress: readonly {
    readonly from?: readonly Peer[];
    readonly ports?: readonly { readonly port: string }[];
  }[];
  readonly egress?: readonly unknown[];
}
interface KongPod {
  readonly containers: readonly {
    readonly image: string;
    readonly env: readonly { readonly name: string; readonly value?: string }[];
    readonly volumeMounts: readonly { readonly name: string }[];
  }[];
  readonly volumes: readonly object[];
}
interface ServiceSpec {
  readonly selector: Labels;
  readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
}

let chart: Chart;
beforeAll(async () => {
  chart = await packChart();
}, 300_000);
afterAll(() => chart.remove());

const render = (...values: readonly Values[]) => chart.render(values.reduce(merge, REQUIRED));
const of = <T>(objects: readonly Rendered[], kind: string): (T & { readonly object: Rendered })[] =>
  objects.filter((object) => object.kind === kind).map((object) => ({ ...(object.spec as T), object }));
const matches = (labels: Labels, selector: Labels = {}) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);
const labelsOf = (object: Rendered): Labels => podOf(object)?.metadata.labels ?? {};
const component = (labels: Labels) => labels['app.kubernetes.io/component'] ?? '';

/** The allowed connections: `operator > gateway:admin`. */
function ways(objects: readonly Rendered[], callers: Readonly<Record<string, Labels | 'monitoring'>>): string[] {
  const policies = of<Policy>(objects, 'NetworkPolicy');
  return objects.filter(podOf).flatMap((workload) =>
    (podOf(workload)?.spec.containers ?? []).flatMap(({ ports = [] }) =>
      ports.flatMap(({ name: port }) => {
        const rules = policies
          .filter(({ podSelector }) => matches(labelsOf(workload), podSelector.matchLabels))
          .flatMap(({ ingress }) => ingress)
          .filter(({ ports: open }) => open?.some((each) => each.port === port));
        const lets = (caller: Labels | 'monitoring') => (peer: Peer) =>
          caller === 'monitoring'
            ? JSON.stringify(peer) === JSON.stringify(PROMETHEUS)
            : peer.podSelector && !peer.namespaceSelector && matches(caller, peer.podSelector.matchLabels);
        return Object.entries(callers)
          .filter(([, caller]) => rules.some(({ from }) => from === undefined || from.some(lets(caller))))
          .map(([name]) => `${name} > ${component(labelsOf(workload))}:${port}`);
      }),
    ),
  );
}

describe.each(Object.keys(KINDS))('with the gateway %s', (kind) => {
  const own = KINDS[kind] ?? {};

  it('only the intended clients reach a workload', async () => {
    const objects = await render(own, MONITORED, {
      networkPolicy: { keycloakFrom: [{ podSelector: {}, namespaceSelector: {} }] },
    });
    const pods = Object.fromEntries(objects.filter(podOf).map((each) => [component(labelsOf(each)), labelsOf(each)]));
    const callers = { ...pods, stranger: { app: 'another' }, monitoring: 'monitoring' as const };
    const closed = ways(objects, callers).filter((way) => !/ > gateway:proxy(-tls)?$/.test(way));
    expect(closed.sort()).toEqual(
      [
        'operator > gateway:admin',
        'gateway > gateway:status',
        'monitoring > gateway:status',
        'monitoring > operator:metrics',
        ...[...BUILT_MODULES.map(({ name }) => name), 'web'].flatMap((name) => [
          `gateway > ${name}:http`,
          `monitoring > ${name}:http`,
        ]),
        ...BUILT_MODULES.map(({ name }) => `web > ${name}:http`),
      ].sort(),
    );
    expect(ways(objects, callers)).toContain('stranger > gateway:proxy');
  });

  it('Keycloak can read the keys of the module auth from anywhere', async () => {
    expect(ways(await render(own), { stranger: { app: 'keycloak' } })).toContain('stranger > auth:http');
  });

  it('the network policies apply to every pod', async () => {
    const rule = { to: [{ ipBlock: { cidr: '10.0.0.10/32' } }], ports: [{ port: 6443 }] };
    const objects = await render(own, { networkPolicy: { egress: [rule] } });
    const policies = of<Policy>(objects, 'NetworkPolicy');
    for (const workload of objects.filter(podOf)) {
      const its = policies.filter(({ podSelector }) => matches(labelsOf(workload), podSelector.matchLabels));
      expect([workload.metadata.name, its.map(({ policyTypes, egress }) => ({ policyTypes, egress }))]).toEqual([
        workload.metadata.name,
        [{ policyTypes: ['Ingress', 'Egress'], egress: expect.arrayContaining([rule]) }],
      ]);
    }
  });

  it('every ServiceMonitor selects a port of a Service with pods', async () => {
    const objects = await render(own, MONITORED);
    const monitors = of<{ selector: { matchLabels: Labels }; endpoints: { port: string }[] }>(
      objects,
      'ServiceMonitor',
    );
    // Beside the modules: the operator, the gateway and web.
    expect(monitors).toHaveLength(BUILT_MODULES.length + 3);
    for (const { object, selector, endpoints } of monitors) {
      const services = of<ServiceSpec>(objects, 'Service').filter(({ object: service }) =>
        matches(service.metadata.labels ?? {}, selector.matchLabels),
      );
      for (const { port } of endpoints) {
        const targets = services.flatMap(({ selector: pods, ports }) =>
          ports
            .filter(({ name }) => name === port)
            .flatMap(({ targetPort }) => objects.filter((each) => podOf(each) && hasPort(each, pods, targetPort))),
        );
        expect([object.metadata.name, port, targets.length]).toEqual([object.metadata.name, port, 1]);
      }
    }
  });

  it('a drain does not wait for unready pods, and evicts one pod of a workload at a time', async () => {
    const objects = await render(own);
    const budgets = of<{ maxUnavailable: number; selector: { matchLabels: Labels } }>(objects, 'PodDisruptionBudget');
    for (const deployment of objects.filter((each) => each.kind === 'Deployment')) {
      const its = budgets.filter(({ selector }) => matches(labelsOf(deployment), selector.matchLabels));
      expect(its).toEqual([expect.objectContaining({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })]);
    }
  });

  it("the platform's own address is routed to the gateway, inside and outside the hospitals' domain", async () => {
    const hostsFor = async (baseUrl: string) => {
      const values = {
        platform: { baseUrl, domain: 'hms.example' },
        ingress: { enabled: true },
        httpRoute: { enabled: true, parentRefs: [{ name: 'public' }] },
      };
      const objects = await render(own, values);
      const [ingress] = of<{ rules: { host: string }[] }>(objects, 'Ingress');
      const [route] = of<{ hostnames: string[] }>(objects, 'HTTPRoute');
      expect(ingress?.rules.map(({ host }) => host)).toEqual(route?.hostnames);
      return route?.hostnames;
    };
    expect(await hostsFor('https://hms.example')).toEqual(['hms.example', '*.hms.example']);
    expect(await hostsFor('https://care.example:8443')).toEqual(['care.example', 'hms.example', '*.hms.example']);
    // Kubernetes does not accept addresses as hostnames.
    expect(await hostsFor('http://192.168.1.10:8000')).toEqual(['hms.example', '*.hms.example']);
  });
});

describe('the notes of Helm', () => {
  const notesWith = (networkPolicy: Values, enabled: boolean) =>
    chart.notes(merge(REQUIRED, { networkPolicy, monitoring: { serviceMonitors: { enabled } } }));

  it('warn if the network policies block the Prometheus that scrapes the processes', async () => {
    expect(await notesWith({}, true)).toContain('Set networkPolicy.monitoringFrom');
    const well = [
      notesWith({}, false),
      notesWith({ enabled: false }, true),
      notesWith({ monitoringFrom: [PROMETHEUS] }, true),
    ];
    for (const notes of await Promise.all(well)) {
      expect(notes).toContain('is installed as hms');
      expect(notes).not.toContain('WARNING');
    }
  });
});

describe('Kong', () => {
  const settings = async () => {
    const deployment = (await render(KINDS.kong ?? {})).find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'hms-gateway',
    );
    const [{ env = [] } = {}] = podOf(deployment as Rendered)?.spec.containers ?? [];
    return new Map(env.map(({ name, value }) => [name, value ?? '']));
  };

  it('resolves only addresses, because a Service answers SRV with other ports than a target has', async () => {
    expect((await settings()).get('KONG_DNS_ORDER')?.split(',')).toEqual(['LAST', 'A', 'AAAA', 'CNAME']);
  });

  it('logs requests without their query', async () => {
    const env = await settings();
    const [, format = ''] = /^\/dev\/stdout (\w+)$/.exec(env.get('KONG_PROXY_ACCESS_LOG') ?? '') ?? [];
    const logged = env.get('KONG_NGINX_HTTP_LOG_FORMAT') ?? '';
    expect(logged).toMatch(new RegExp(`^${format} '.*\\$request_method \\$uri .*'$`));
    const variables = [...logged.matchAll(/\$(\w+)/g)].map(([, name]) => name);
    const withQuery = ['request', 'request_uri', 'args', 'query_string', 'is_args', 'http_referer', 'upstream_uri'];
    expect(variables.filter((name = '') => withQuery.includes(name) || name.startsWith('arg_'))).toEqual([]);
    // Kong's own id is in error bodies, the other is in the modules' logs.
    expect(variables).toEqual(expect.arrayContaining(['kong_request_id', 'sent_http_x_request_id']));
  });

  it('uses TLS for its database, and verifies the certificate with the authorities of the values', async () => {
    const [kong = {}] = [KINDS.kong];
    const tls = { gateway: { kong: { database: { tls: true } } } };
    const containers = async (...values: readonly Values[]) =>
      (await render(kong, ...values)).flatMap((object) => {
        const { containers = [], volumes = [] } = (podOf(object)?.spec ?? {}) as unknown as KongPod;
        return containers.filter(({ image }) => image.startsWith('kong:')).map((each) => ({ ...each, volumes }));
      });
    const toDatabase = (env: KongPod['containers'][number]['env']) =>
      Object.fromEntries(
        env
          .filter(({ name }) => /^KONG_(PG_SSL|LUA_SSL)/.test(name))
          .map(({ name, value }) => [name.slice('KONG_'.length), value]),
      );
    const authorities = { caBundle: { configMap: 'authorities', key: 'all.pem' } };
    const containerLists = await Promise.all([containers(authorities), containers(tls), containers(tls, authorities)]);
    const [plain = [], unchecked = [], checked = []] = containerLists;
    expect(containerLists.map(({ length }) => length)).toEqual([3, 3, 3]);
    for (const { env } of plain) expect(toDatabase(env)).toEqual({ PG_SSL: 'off' });
    for (const { env } of unchecked) expect(toDatabase(env)).toEqual({ PG_SSL: 'on' });
    for (const { env, volumeMounts, volumes } of checked) {
      expect(toDatabase(env)).toEqual({
        PG_SSL: 'on',
        PG_SSL_VERIFY: 'on',
        LUA_SSL_TRUSTED_CERTIFICATE: 'system,/etc/hms/ca/all.pem',
      });
      expect(volumeMounts).toContainEqual({ name: 'ca', mountPath: '/etc/hms/ca', readOnly: true });
      const items = [{ key: 'all.pem', path: 'all.pem' }];
      expect(volumes).toContainEqual({ name: 'ca', configMap: { name: 'authorities', items } });
    }
    const mounted = [...plain, ...unchecked].flatMap(({ volumeMounts }) => volumeMounts.map(({ name }) => name));
    expect(new Set(mounted)).toEqual(new Set(['prefix', 'tmp']));
  });

  it('is not restarted for a hanging database, and sends no anonymous reports', async () => {
    const objects = await render(KINDS.kong ?? {});
    const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'hms-gateway');
    const [kong] = (podOf(deployment as Rendered)?.spec.containers ?? []) as unknown as {
      livenessProbe: { timeoutSeconds: number };
      env: { name: string; value?: string }[];
    }[];
    // Its status queries the database, and waits for pg_timeout, 5 s.
    expect(kong?.livenessProbe.timeoutSeconds).toBeGreaterThan(5);
    expect(kong?.env).toContainEqual({ name: 'KONG_ANONYMOUS_REPORTS', value: 'off' });
  });
});

describe('autoscaling', () => {
  it('leaves the number of processes to the autoscaler', async () => {
    const objects = await render({ modules: { hms: { autoscaling: { enabled: true, minReplicas: 3 } } } });
    const replicas = (name: string) =>
      objects.find((each) => each.kind === 'Deployment' && each.metadata.name === name)?.spec?.replicas;
    expect([replicas('hms-hms'), replicas('hms-crm')]).toEqual([undefined, 2]);
    const [scaler] = of<{ minReplicas: number; scaleTargetRef: object }>(objects, 'HorizontalPodAutoscaler');
    expect(scaler).toMatchObject({ minReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'hms-hms' } });
  });
});

function hasPort(workload: Rendered, selector: Labels, port: string): boolean {
  const ports = podOf(workload)?.spec.containers.flatMap(({ ports: each = [] }) => each) ?? [];
  return matches(labelsOf(workload), selector) && ports.some(({ name }) => name === port);
}
