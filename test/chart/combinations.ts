/** The values that switch templates, and a small set of combinations that covers every triple of choices. */
import { BUILT_MODULES } from '@hms/tenancy';

export type Values = Readonly<Record<string, unknown>>;

/** Values without a default. */
export const REQUIRED = {
  platform: { baseUrl: 'https://hms.example', domain: 'hospitals.example' },
  database: { secret: { name: 'hms-database' } },
  keycloak: { url: 'http://keycloak.identity.svc:8080/auth', secret: { name: 'hms-keycloak' } },
  s3: { endpoint: 'http://s3.storage.svc:9000', secret: { name: 'hms-s3' } },
  smtp: { host: 'smtp.mail.svc', from: 'no-reply@hms.example' },
  auth: { signingKey: { secret: 'hms-signing-key' } },
  web: { cookieKeys: { secret: 'hms-cookie-keys' } },
};

export const KONG = { kong: { database: { host: 'postgres.databases.svc', secret: { name: 'hms-kong' } } } };
const inNamespace = (name: string) => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } });
const on = { enabled: true };
const off = { enabled: false };

/** The same values for each module. */
export function everyModule(values: Values): Values {
  return Object.fromEntries(BUILT_MODULES.map(({ name }) => [name, values]));
}

/** Each list has the choices of one switch. Choices are merged. */
const SWITCHES: readonly (readonly Values[])[] = [
  [{ gateway: { kind: 'embedded' } }, { gateway: { kind: 'kong', ...KONG } }],
  [{ gateway: { trustedIps: [] } }, { gateway: { trustedIps: ['10.0.0.0/8', '192.168.0.0/16'] } }],
  [
    { gateway: { service: { type: 'ClusterIP' } } },
    { gateway: { service: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', annotations: { 'a/b': 'c' } } } },
  ],
  [{ gateway: { replicas: 1 } }, { gateway: { replicas: 3 } }],
  [{ web: on }, { web: off }, { web: { replicas: 1 } }],
  [{ operator: { replicas: 1 } }, { operator: { replicas: 2 } }],
  [
    { ingress: off },
    { ingress: on },
    { ingress: { ...on, className: 'nginx', tlsSecret: 'tls', annotations: { a: 'b' } } },
  ],
  [{ httpRoute: off }, { httpRoute: { ...on, parentRefs: [{ name: 'public', namespace: 'gateways' }] } }],
  [{ crds: { install: true } }, { crds: { install: false } }],
  [{ admissionPolicies: { install: true } }, { admissionPolicies: { install: false } }],
  [{ podDisruptionBudget: on }, { podDisruptionBudget: off }],
  [{ networkPolicy: off }, { networkPolicy: on }],
  [
    { networkPolicy: { egress: [] } },
    { networkPolicy: { egress: [{ to: [inNamespace('db')], ports: [{ port: 5432 }] }] } },
  ],
  [{ networkPolicy: { monitoringFrom: [] } }, { networkPolicy: { monitoringFrom: [inNamespace('monitoring')] } }],
  [{ networkPolicy: { keycloakFrom: [] } }, { networkPolicy: { keycloakFrom: [inNamespace('identity')] } }],
  [{ monitoring: { serviceMonitors: off } }, { monitoring: { serviceMonitors: { ...on, labels: { release: 'p' } } } }],
  [{ monitoring: { alerts: off } }, { monitoring: { alerts: { ...on, labels: { release: 'p' } } } }],
  [{ monitoring: { dashboard: off } }, { monitoring: { dashboard: on } }],
  [{ modules: everyModule({ autoscaling: off }) }, { modules: everyModule({ autoscaling: on }) }],
  [{ modules: everyModule({ replicas: 2 }) }, { modules: everyModule({ replicas: 1 }) }],
  [{ tracing: { endpoint: '' } }, { tracing: { endpoint: 'http://collector:4318' } }],
  [{ caBundle: { configMap: '' } }, { caBundle: { configMap: 'authorities', key: 'all.pem' } }],
  [{ smtp: { tls: 'none' } }, { smtp: { tls: 'starttls', port: 587, secret: { name: 'hms-smtp' } } }],
  [{ image: { pullSecrets: [] } }, { image: { pullSecrets: [{ name: 'registry' }] } }],
  [{}, { operator: placed(), gateway: placed(), web: placed(), jobs: placed(), modules: everyModule(placed()) }],
];

function placed(): Values {
  return {
    podAnnotations: { 'example/annotation': 'true' },
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ key: 'hms', operator: 'Exists' }],
  };
}

/** Values with everything switched on. */
export function everything(): Values {
  const more: readonly Values[] = [
    { gateway: { kind: 'kong', ...KONG, trustedIps: ['10.0.0.0/8'], replicas: 3 } },
    { web: on, operator: { replicas: 2 }, crds: { install: true }, admissionPolicies: { install: true } },
    {
      ingress: { ...on, tlsSecret: 'tls' },
      httpRoute: { ...on, parentRefs: [{ name: 'public', namespace: 'gateways' }] },
    },
    { podDisruptionBudget: on, networkPolicy: { ...on, monitoringFrom: [inNamespace('monitoring')] } },
    { monitoring: { serviceMonitors: on, alerts: on, dashboard: on }, tracing: { endpoint: 'http://collector:4318' } },
    { modules: everyModule({ autoscaling: on, replicas: 2, ...placed() }) },
    { caBundle: { configMap: 'authorities', key: 'all.pem' }, image: { pullSecrets: [{ name: 'registry' }] } },
  ];
  return more.reduce(merge, REQUIRED);
}

/** Values in which every choice of three switches occurs with every choice of the other two, at least once. */
export function combinations(switches = SWITCHES): Values[] {
  const open = new Set(triples(switches));
  const rows: Values[] = [];
  for (const first of open) {
    const row = switches.map(() => -1);
    for (const pair of first.split(',')) {
      const [at = 0, choice = 0] = pair.split(':').map(Number);
      row[at] = choice;
    }
    for (const [at, choices] of switches.entries()) if (row[at] === -1) row[at] = best(row, at, choices.length, open);
    for (const triple of triplesOf(row)) open.delete(triple);
    rows.push(row.reduce<Values>((values, choice, at) => merge(values, switches[at]?.[choice] ?? {}), REQUIRED));
  }
  return rows;
}

/** Merges one set of values over another, as Helm merges a file over the defaults. */
export function merge(below: Values, above: Values): Values {
  const both = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = both[key];
    both[key] = isValues(value) && isValues(under) ? merge(under, value) : value;
  }
  return both;
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The choice that covers the most open triples, given the choices of the row. */
function best(row: readonly number[], at: number, choices: number, open: ReadonlySet<string>): number {
  const counts = Array.from({ length: choices }, (_, choice) => {
    const tried = row.with(at, choice);
    return triplesOf(tried).filter((triple) => triple.includes(`${at}:`) && open.has(triple)).length;
  });
  return counts.indexOf(Math.max(...counts));
}

function triplesOf(row: readonly number[]): string[] {
  const chosen = row.flatMap((choice, at) => (choice === -1 ? [] : [`${at}:${choice}`]));
  return chosen.flatMap((a, i) =>
    chosen.slice(i + 1).flatMap((b, j) => chosen.slice(i + j + 2).map((c) => `${a},${b},${c}`)),
  );
}

function* triples(switches: typeof SWITCHES): Generator<string> {
  const pairs = switches.map((choices, at) => choices.map((_, choice) => `${at}:${choice}`));
  for (const [i, as] of pairs.entries())
    for (const [j, bs] of pairs.entries())
      for (const [k, cs] of pairs.entries())
        if (i < j && j < k) for (const a of as) for (const b of bs) for (const c of cs) yield `${a},${b},${c}`;
}
