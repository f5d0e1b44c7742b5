/** The init containers of Kong in the chart, with a PostgreSQL with and without TLS. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { layout, PROJECT } from '@hms/local';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { pair } from '../../services/gateway/src/testing/certificates.ts';
import { merge, REQUIRED, type Values } from '../chart/combinations.ts';
import { type Chart, type Container, packChart, podIn } from '../chart/helm.ts';
import { platform } from '../platform.ts';
import { until } from '../support/until.ts';

const AUTHORITIES = { caBundle: { configMap: 'authorities', key: 'own.pem' } };

let chart: Chart;
let admin: pg.Client;
const certificate = () => path.join(layout(platform().dataDir).postgres, 'test.crt');
const key = () => path.join(layout(platform().dataDir).postgres, 'test.key');
beforeAll(async () => {
  chart = await packChart();
  admin = new pg.Client({ connectionString: platform().databaseUrls.admin });
  await admin.connect();
}, 300_000);
afterAll(async () => {
  await turnTls('off');
  for (const file of [certificate(), key()]) fs.rmSync(file, { force: true });
  await admin.end();
  chart.remove();
});

async function turnTls(state: 'on' | 'off'): Promise<void> {
  if (state === 'on') {
    const generated = await pair('localhost', true);
    const { uid, gid } = fs.statSync(path.dirname(key()));
    fs.writeFileSync(certificate(), generated.cert, { mode: 0o600 });
    fs.writeFileSync(key(), generated.key, { mode: 0o600 });
    for (const file of [certificate(), key()]) fs.chownSync(file, uid, gid);
    await admin.query("ALTER SYSTEM SET ssl_cert_file = 'test.crt'");
    await admin.query("ALTER SYSTEM SET ssl_key_file = 'test.key'");
    await admin.query('ALTER SYSTEM SET ssl = on');
  } else await admin.query('ALTER SYSTEM RESET ALL');
  await admin.query('SELECT pg_reload_conf()');
  await until(
    `TLS to be ${state}`,
    async () => (await admin.query<{ ssl: string }>('SHOW ssl')).rows[0]?.ssl,
    (ssl) => ssl === state,
  );
}

/** The results of the init containers of Kong's pods. @param authorities file in the ConfigMap of the values. */
async function initContainersWith(values: Values, authorities = ''): Promise<{ code: unknown; said: string }[]> {
  const { postgres: port } = platform().ports;
  const database = { host: 'localhost', port, tls: true, secret: { name: 'kong' } };
  const allValues = merge(merge(REQUIRED, { gateway: { kind: 'kong', kong: { database } } }), values);
  const pods = (await chart.render(allValues)).flatMap((object) => podIn(object) ?? []);
  const ofKong = pods.filter(({ spec }) => spec.containers.some(({ image }) => image.startsWith('kong:')));
  expect(ofKong).toHaveLength(3);
  return Promise.all(
    ofKong.map(({ spec }) => {
      const { initContainers = [] } = spec as { initContainers?: readonly Container[] };
      expect(initContainers).toHaveLength(1);
      return run(initContainers[0] as Container, authorities);
    }),
  );
}

function run({ args = [], env = [] }: Container, authorities: string): Promise<{ code: unknown; said: string }> {
  const own = env.map(({ name, value = '' }) => [name, value === '/etc/hms/ca/own.pem' ? authorities : value]);
  const environment = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, ...Object.fromEntries(own) };
  return new Promise((resolve) => {
    execFile(path.join(PROJECT, 'bin', 'hms'), args, { env: environment }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, said: `${stdout}${stderr}` }),
    );
  });
}

describe("a pod of Kong's whose database must speak TLS", () => {
  it('does not start with a server without TLS', async () => {
    for (const values of [{}, AUTHORITIES])
      for (const { code, said } of await initContainersWith(values)) {
        expect(code).toBe(1);
        expect(said).toMatch(/TLS at localhost:\d+: the server has TLS turned off.*\n→ turn TLS on in the server/);
      }
  });

  it('starts with a server with TLS, and if authorities are set, only with their certificate', async () => {
    await turnTls('on');
    const good = { code: 0, said: '' };
    expect(await initContainersWith({})).toEqual([good, good, good]);
    expect(await initContainersWith(AUTHORITIES, certificate())).toEqual([good, good, good]);
    const other = path.join(path.dirname(key()), 'other.crt');
    fs.writeFileSync(other, (await pair('localhost', true)).cert);
    for (const { code, said } of await initContainersWith(AUTHORITIES, other)) {
      expect(code).toBe(1);
      expect(said).toMatch(/self-signed certificate\n→ give it a certificate for this name/);
    }
    fs.rmSync(other);
  });
});

describe("a pod of Kong's whose database may speak plain text", () => {
  it('has no init container', async () => {
    const database = { host: 'localhost', secret: { name: 'kong' } };
    const objects = await chart.render(merge(REQUIRED, { gateway: { kind: 'kong', kong: { database } } }));
    expect(objects.flatMap((object) => podIn(object) ?? []).filter(({ spec }) => 'initContainers' in spec)).toEqual([]);
  });
});
