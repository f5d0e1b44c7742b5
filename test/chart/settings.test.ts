/** The environment of each process in the chart, checked with the code that reads it. */
import fs from 'node:fs';
import path from 'node:path';
import { mailServerOf, SMTP_SETTINGS, type SmtpSettings } from '@hms/mail';
import { BUILT_MODULES, moduleNamed } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../operator/src/config.ts';
import { readSmokeConfig } from '../../operator/src/smoke/smoke.ts';
import { MODULE_SETTINGS, readSettings as readModuleSettings } from '../../packages/service/src/settings.ts';
import { readSettings as readGatewaySettings } from '../../services/gateway/src/settings.ts';
import { WEB_SETTINGS } from '../../web/server/settings.ts';
import { combinations, KONG, merge, REQUIRED, type Values } from './combinations.ts';
import { type Chart, type Container, packChart, podIn } from './helm.ts';

type Environment = Readonly<Record<string, string>>;

let chart: Chart;
beforeAll(async () => {
  chart = await packChart();
}, 300_000);
afterAll(() => chart.remove());

/** Runs the reader, and returns the variables that it has read. */
function lookedFor(read: (environment: NodeJS.ProcessEnv) => unknown, environment: Environment): Set<string> {
  const names = new Set<string>();
  const get = (target: NodeJS.ProcessEnv, name: string) => {
    names.add(name);
    return target[name];
  };
  read(new Proxy<NodeJS.ProcessEnv>({ ...environment }, { get }));
  return names;
}

const source = (file: string) => fs.readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8');
const module = (name: string) => {
  const main = source(`services/${name}/src/main.ts`);
  const declared = [...main.matchAll(/\b([A-Z]+(?:_[A-Z]+)+): (z\..*)/g)].map(([, key = '', type = '']) => ({
    key,
    type,
  }));
  const own = declared.map(({ key }) => key);
  const required = declared.filter(({ type }) => !type.includes('.default(')).map(({ key }) => key);
  const settings = { ...MODULE_SETTINGS, ...(main.includes('...SMTP_SETTINGS') ? SMTP_SETTINGS : {}) };
  return (environment: Environment) => {
    const values = readModuleSettings(settings, environment);
    if ('SMTP_HOST' in values) mailServerOf(values as SmtpSettings);
    for (const key of required) if (!environment[key]) throw new Error(`${key} is not set`);
    return new Set([...Object.keys(settings), ...own]);
  };
};

/** The variables that each process reads. Throws for an environment with which it would not start. */
const PROCESSES: Readonly<Record<string, (environment: Environment) => ReadonlySet<string>>> = {
  operator: (environment) => lookedFor(readConfig, environment),
  gateway: (environment) => lookedFor(readGatewaySettings, environment),
  smoke: (environment) => lookedFor(readSmokeConfig, environment),
  ...Object.fromEntries(BUILT_MODULES.map(({ name }) => [name, module(name)])),
  web: (environment) => {
    readModuleSettings(WEB_SETTINGS, environment);
    return new Set(Object.keys(WEB_SETTINGS));
  },
  migrate: () =>
    new Set([...source('operator/src/migrate.ts').matchAll(/process\.env\.(\w+)/g)].map(([, key = '']) => key)),
};

/** Variables that Node itself reads. */
const OF_NODE = new Set(['NODE_EXTRA_CA_CERTS']);

describe('the environment of the chart', () => {
  it.each(Object.keys(PROCESSES))(
    'of %s contains what it needs, and only what it reads',
    async (name) => {
      const read = PROCESSES[name] as (environment: Environment) => ReadonlySet<string>;
      for (const values of combinations().slice(0, 12)) {
        for (const { env = [] } of await containers(
          merge(values, { gateway: { kind: 'embedded' }, web: { enabled: true } }),
          name,
        )) {
          const known = read(environmentOf(env)).union(OF_NODE);
          expect(env.map((variable) => variable.name).filter((variable) => !known.has(variable))).toEqual([]);
        }
      }
    },
    120_000,
  );

  it.each(BUILT_MODULES.map(({ name }) => name))('logs %s in to PostgreSQL with its role', async (name) => {
    const secret = { name: 'db', modulesUrlKey: 'of-app', authUrlKey: 'of-auth', consoleUrlKey: 'of-console' };
    const [container] = await containers(merge(REQUIRED, { database: { secret } }), name);
    const secretKeyRef = { name: 'db', key: `of-${moduleNamed(name).databaseRole}` };
    expect(container?.env).toContainEqual({ name: 'DATABASE_URL', valueFrom: { secretKeyRef } });
  });

  it('gives the operator the names and ports of existing Services', async () => {
    for (const gateway of [{}, { kind: 'kong', kong: { database: { host: 'db', secret: { name: 'kong' } } } }]) {
      const values = merge(REQUIRED, { gateway });
      const objects = await chart.render(values, { release: 'staging', namespace: 'platform' });
      const services = objects.filter(({ kind }) => kind === 'Service');
      const addresses = services.flatMap(({ metadata, spec }) =>
        (spec as { ports: { port: number }[] }).ports.map(({ port }) => `${metadata.name}.platform.svc:${port}`),
      );
      const [operator] = await containers(values, 'operator', { release: 'staging', namespace: 'platform' });
      const text = Object.values(environmentOf(operator?.env ?? []))
        .join(' ')
        .replace('http://', '');
      const named = [...text.matchAll(/staging[-\w]*\.platform\.svc(?::\d+)?/g)].map(([address]) =>
        address.includes(':') ? address : `${address}:80`,
      );
      expect(named.length).toBeGreaterThanOrEqual(7);
      expect(named.filter((address) => !addresses.includes(address))).toEqual([]);
    }
  });

  it('allows the names with which the operator calls the embedded gateway', async () => {
    const place = { release: 'staging', namespace: 'platform' };
    const [operator] = await containers(REQUIRED, 'operator', place);
    const [gateway] = await containers(REQUIRED, 'gateway', place);
    const { KONG_ADMIN_URL = '', KONG_METRICS_ADDRESS } = environmentOf(operator?.env ?? []);
    const { adminHosts } = readGatewaySettings(environmentOf(gateway?.env ?? []));
    expect(adminHosts).toContain(new URL(KONG_ADMIN_URL).hostname);
    expect(adminHosts).toContain(new URL(`http://${KONG_METRICS_ADDRESS}`).hostname);
  });

  it('names the mounted authorities of the values in every process', async () => {
    const values = merge(REQUIRED, { caBundle: { configMap: 'authorities', key: 'all.pem' } });
    for (const name of Object.keys(PROCESSES)) {
      const [container] = await containers(values, name);
      expect(environmentOf(container?.env ?? []).NODE_EXTRA_CA_CERTS).toBe('/etc/hms/ca/all.pem');
    }
    const pods = (await chart.render(values)).flatMap((object) => podIn(object) ?? []);
    expect(pods).toHaveLength(Object.keys(PROCESSES).length);
    for (const { spec } of pods)
      expect(spec).toMatchObject({
        containers: [
          { volumeMounts: expect.arrayContaining([{ name: 'ca', mountPath: '/etc/hms/ca', readOnly: true }]) },
        ],
        volumes: expect.arrayContaining([
          { name: 'ca', configMap: { name: 'authorities', items: [{ key: 'all.pem', path: 'all.pem' }] } },
        ]),
      });
  });

  it('has listeners on the ports and probes of the pod', async () => {
    const [gateway] = await containers(REQUIRED, 'gateway');
    const { proxy, proxyTls, admin } = readGatewaySettings(environmentOf(gateway?.env ?? []));
    const port = (name: string) => gateway?.ports?.find((each) => each.name === name)?.containerPort;
    expect([proxy.port, proxyTls.port, admin.port]).toEqual([port('proxy'), port('proxy-tls'), port('admin')]);
    for (const name of [...BUILT_MODULES.map((module) => module.name), 'operator']) {
      const [container] = await containers(REQUIRED, name);
      const { HOST, PORT } = environmentOf(container?.env ?? []);
      expect([HOST, Number(PORT)]).toEqual(['::', container?.ports?.[0]?.containerPort]);
    }
  });

  it.each(['::', '0.0.0.0'])('listens everywhere on %s, if that is what the nodes have', async (listenAddress) => {
    for (const process of ['gateway', 'operator', 'web', 'hms']) {
      const [container] = await containers(merge(REQUIRED, { listenAddress }), process);
      const { HOST, ...environment } = environmentOf(container?.env ?? []);
      if (process === 'gateway') {
        const { proxy, proxyTls, admin, status } = readGatewaySettings(environment);
        expect([proxy, proxyTls, admin, status].map((address) => address?.host)).toEqual(Array(4).fill(listenAddress));
      } else expect([process, HOST]).toEqual([process, listenAddress]);
    }
    const kong = merge(REQUIRED, { listenAddress, gateway: { kind: 'kong', ...KONG } });
    const rendered = JSON.stringify(await chart.render(kong));
    expect(rendered.includes('[::]:8000 ipv6only=off reuseport, [::]:8443 ipv6only=off http2')).toBe(
      listenAddress === '::',
    );
    expect(rendered.includes('0.0.0.0:8000 reuseport, 0.0.0.0:8443 http2')).toBe(listenAddress === '0.0.0.0');
  });
});

/** The containers that run a process of the platform's image. */
async function containers(values: Values, process: string, options = {}): Promise<Container[]> {
  const pods = (await chart.render(values, options)).flatMap((object) => podIn(object)?.spec.containers ?? []);
  const found = pods.filter(({ args }) => args?.[0] === process);
  if (found.length === 0) throw new Error(`the chart runs no ${process}`);
  return found;
}

/** With placeholders for the values in secrets. */
function environmentOf(env: NonNullable<Container['env']>): Environment {
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => {
      const secret = name.endsWith('DATABASE_URL') ? 'postgres://role:password@host:5432/hms' : 'from-a-secret';
      return [name, valueFrom ? secret : (value ?? '')];
    }),
  );
}
