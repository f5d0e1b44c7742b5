/** The doctor on real engines: without problems, and with one problem at a time. */
import { randomBytes } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { freePorts, operatorEnv } from '@hms/local';
import { MODULE_ROLES } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import pg from 'pg';
import { $ } from 'zx';
import { platform } from '../../../test/platform.ts';
import { Engines } from '../../../test/support/engines.ts';
import { asKeycloakAdmin } from '../../../test/support/keycloak-admin.ts';
import { readConfig } from '../config.ts';
import { examine } from './doctor.ts';
import type { Finding } from './finding.ts';

const MAIN = path.join(import.meta.dirname, 'main.ts');
const ROLE = `weak_${randomBytes(4).toString('hex')}`;

let admin: pg.Client;
let client: string;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: platform().databaseUrls.admin });
  await admin.connect();
  await admin.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'weak'`);
  await admin.query(`GRANT CONNECT ON DATABASE hms TO ${ROLE}`);
  const weak = { realm: 'master', clientId: ROLE, secret: 'weak', serviceAccountsEnabled: true };
  client = (await (await asKeycloakAdmin()).clients.create(weak)).id;
});
afterAll(async () => {
  await (await asKeycloakAdmin()).clients.del({ realm: 'master', id: client });
  await admin.query(`REVOKE ALL ON DATABASE hms FROM ${ROLE}`);
  await admin.query(`DROP ROLE ${ROLE}`);
  await admin.end();
});

async function doctor(own: NodeJS.ProcessEnv = {}, format = 'json'): Promise<{ code: unknown; output: string }> {
  const env = { ...process.env, ...operatorEnv(platform(), platform().ports), ...own };
  const { exitCode, stdout, stderr } = await $({
    env,
    nothrow: true,
    quiet: true,
  })`${process.execPath} ${MAIN} -o ${format}`;
  return { code: exitCode, output: stdout + stderr };
}

/** In this process, because a doctor needs a second to start. */
async function problems(own: NodeJS.ProcessEnv): Promise<Finding[]> {
  const state = platform();
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(state.operatorKubeconfig);
  const findings = await examine(readConfig({ ...operatorEnv(state, state.ports), ...own }), kubeConfig);
  return findings.filter(({ status }) => status === 'failed');
}

describe('the doctor', () => {
  it('finds no problem in a healthy platform, and checks each engine', async () => {
    const { code, output } = await doctor();
    const findings = JSON.parse(output) as Finding[];
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(code).toBe(0);
    for (const name of [
      ...['kubernetes version', 'kubernetes rights', 'kubernetes hospitals'],
      ...[
        'postgres version',
        'postgres rights',
        ...MODULE_ROLES.map((role) => `postgres role ${role}`),
        'postgres functions',
        'postgres extensions',
        'postgres clock',
      ],
      ...['keycloak issuer', 'keycloak login', 'keycloak rights', 'keycloak version', 'keycloak clock'],
      ...['keycloak master realm', 'gateway master realm'],
      ...[
        's3 bucket',
        's3 rights',
        's3 versioning',
        's3 clock',
        'smtp session',
        'gateway version',
        'gateway proxy',
        'auth keys',
      ],
    ])
      expect(findings.map((finding) => finding.name)).toContain(name);
  });

  it('also prints text for people', async () => {
    const { output } = await doctor({ KEYCLOAK_CLIENT_SECRET: 'wrong' }, 'table');
    expect(output).toMatch(/^ok {6}postgres version: 1\d/m);
    expect(output).toMatch(/^failed {2}keycloak login: no token for hms-operator: 401 .*\n {8}→ check client id/m);
  });

  it('ends with 1 after a problem, such as incomplete settings', async () => {
    const { code, output } = await doctor({ DATABASE_URL: '' });
    expect(code).toBe(1);
    expect(JSON.parse(output)).toEqual([finding('settings', /DATABASE_URL/, /docs\/configuration/)]);
  });

  it.each<[string, () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>, object[]]>([
    [
      'a wrong secret of the client',
      () => ({ KEYCLOAK_CLIENT_SECRET: 'wrong' }),
      [finding('keycloak login', /no token for hms-operator: 401 unauthorized_client/, /secret/)],
    ],
    [
      'a client without the role',
      () => ({ KEYCLOAK_CLIENT_ID: ROLE, KEYCLOAK_CLIENT_SECRET: 'weak' }),
      [finding('keycloak rights', /does not have the role create-realm/, /add-roles/)],
    ],
    [
      'a public address that differs from Keycloak’s',
      () => ({ BASE_URL: 'https://elsewhere.example' }),
      [finding('keycloak issuer', /not under https:\/\/elsewhere.example\/auth/, /--hostname=/)],
    ],
    [
      'a public realm master',
      () => ({ KONG_PROXY_URL: new URL(platform().keycloakUrl).origin }),
      [finding('gateway master realm', /answers 200: the public can log in there/, /identity-administration/)],
    ],
    [
      'a wrong password of the database',
      () => ({ DATABASE_URL: changed(platform().databaseUrls.operator, { password: 'wrong' }) }),
      [finding('postgres login', /password authentication failed/, /DATABASE_URL/)],
    ],
    [
      'a role without privileges',
      () => ({ DATABASE_URL: changed(platform().databaseUrls.operator, { username: ROLE, password: 'weak' }) }),
      [finding('postgres rights', /may not create roles, does not own database hms/, /CREATEROLE; ALTER DATABASE hms/)],
    ],
    [
      'a superuser',
      () => ({ DATABASE_URL: platform().databaseUrls.admin }),
      [finding('postgres rights', /is a superuser/, /NOSUPERUSER/)],
    ],
    [
      'an unavailable engine',
      async () => ({ S3_ENDPOINT: `http://127.0.0.1:${(await freePorts()).s3}` }),
      [finding('s3 TCP', /ECONNREFUSED/, /is it running/)],
    ],
    [
      'an unknown hostname',
      () => ({ SMTP_HOST: 'no-such-host.invalid' }),
      [finding('smtp DNS', /no-such-host\.invalid/, /check the name/)],
    ],
    [
      'a wrong key of the bucket',
      () => ({ S3_SECRET_ACCESS_KEY: 'wrong' }),
      [finding('s3 bucket', /answered 403/, /access key/)],
    ],
    [
      'TLS with a server that does not speak it',
      () => ({ KEYCLOAK_URL: platform().keycloakUrl.replace('http:', 'https:') }),
      [finding('keycloak TLS', /^the server does not speak TLS$/, /^write http:\/\/ instead/)],
    ],
    [
      'an untrusted certificate',
      () => ({ KONG_PROXY_URL: platform().gateway.proxyTls }),
      [finding('gateway TLS', /^self-signed certificate$/, /caBundle\.configMap .* NODE_EXTRA_CA_CERTS/)],
    ],
    [
      'TLS with a PostgreSQL that does not speak it',
      () => ({ DATABASE_URL: `${platform().databaseUrls.operator}?sslmode=verify-full` }),
      [finding('postgres TLS', /TLS turned off/, /^turn TLS on .* sslmode=disable$/)],
    ],
    [
      'a missing database',
      () => ({ DATABASE_URL: changed(platform().databaseUrls.operator, { pathname: '/nowhere' }) }),
      [finding('postgres login', /"nowhere" does not exist/, /^CREATE DATABASE nowhere OWNER hms_operator/)],
    ],
    [
      'a database that the operator may not connect to',
      () => ({ DATABASE_URL: changed(platform().databaseUrls.operator, { pathname: '/keycloak' }) }),
      [finding('postgres login', /permission denied/, /ALTER DATABASE keycloak OWNER TO hms_operator/)],
    ],
    [
      'another server instead of PostgreSQL',
      () => ({
        DATABASE_URL: changed(platform().databaseUrls.operator, { port: String(platform().ports.gateway) }),
      }),
      [finding('postgres login', /./, /is a PostgreSQL/)],
    ],
    [
      'another server instead of the bucket',
      () => ({ S3_ENDPOINT: platform().gateway.admin }),
      [finding('s3 bucket', /./, /s3\.endpoint/)],
    ],
    [
      "the gateway's addresses swapped",
      () => ({ KONG_ADMIN_URL: platform().gateway.proxy, KONG_PROXY_URL: platform().gateway.admin }),
      [
        finding('gateway admin', /answered 404 and is not an Admin API/, /KONG_ADMIN_URL/),
        finding('gateway proxy', /is an Admin API/, /KONG_PROXY_URL/),
      ],
    ],
    [
      'another server on the mail port',
      () => ({ SMTP_PORT: String(platform().ports.gateway) }),
      [finding('smtp session', /does not answer/, /smtp\.port/)],
    ],
  ])('finds %s', async (_what, own, expected) => {
    expect(await problems(await own())).toEqual(expected);
  });

  it.each([
    ...MODULE_ROLES.flatMap((role) => [
      [`${role} that inherits`, `ALTER ROLE ${role} INHERIT`, `ALTER ROLE ${role} NOINHERIT`, `role ${role}`],
      [`${role} as a superuser`, `ALTER ROLE ${role} SUPERUSER`, `ALTER ROLE ${role} NOSUPERUSER`, `role ${role}`],
      [
        `${role} that bypasses row security`,
        `ALTER ROLE ${role} BYPASSRLS`,
        `ALTER ROLE ${role} NOBYPASSRLS`,
        `role ${role}`,
      ],
    ]),
    [
      'a misplaced extension',
      'ALTER EXTENSION btree_gist SET SCHEMA public',
      'ALTER EXTENSION btree_gist SET SCHEMA extensions',
      'extensions',
    ],
    [
      'a schema of the extensions that belongs to another role',
      'ALTER SCHEMA extensions OWNER TO postgres',
      'ALTER SCHEMA extensions OWNER TO hms_operator',
      'rights',
    ],
    [
      'a database that is open to all',
      'GRANT CONNECT ON DATABASE hms TO PUBLIC',
      'REVOKE ALL ON DATABASE hms FROM PUBLIC',
      'borders',
    ],
    [
      'a schema that is open to all',
      'GRANT USAGE ON SCHEMA public TO PUBLIC',
      'REVOKE ALL ON SCHEMA public FROM PUBLIC',
      'borders',
    ],
  ])('finds %s, and prints the fix', async (_what, harm, remedy, name) => {
    const hms = new pg.Client({ connectionString: changed(platform().databaseUrls.admin, { pathname: '/hms' }) });
    await hms.connect();
    await hms.query(harm);
    try {
      const [found, ...more] = await problems({});
      expect(more).toEqual([]);
      expect(found).toMatchObject({ name: `postgres ${name}` });
      const pattern = remedy.replace(' ALL', '.*').replace(/(ROLE \w+) /, '$1 .*');
      expect(found?.remedy).toMatch(new RegExp(pattern, 'i'));
      await hms.query((found?.remedy ?? '').replace("as the server's administrator: ", ''));
      expect(await problems({})).toEqual([]);
    } finally {
      await hms.query(remedy);
      await hms.end();
    }
  });

  it('finds a realm master without brute force protection', async () => {
    const api = await asKeycloakAdmin();
    await api.realms.update({ realm: 'master' }, { bruteForceProtected: false });
    try {
      expect(await problems({})).toEqual([
        finding('keycloak master realm', /guessed without limit/, /realms\/master -s bruteForceProtected=true/),
      ]);
    } finally {
      await api.realms.update({ realm: 'master' }, { bruteForceProtected: true });
    }
  });

  it.each([
    ['PUT', 's3:PutObject'],
    ['HEAD', 's3:GetObject'],
    ['DELETE', 's3:AbortMultipartUpload, s3:DeleteObjectVersion'],
  ])('finds an access key that may not %s', async (method, rights) => {
    const server = await withoutRight(method);
    try {
      expect(await problems({ S3_ENDPOINT: server.url })).toEqual([
        finding('s3 rights', new RegExp(`^the key lacks ${rights}$`), /^grant them to it for hms and hms\/\*$/),
      ]);
    } finally {
      server.close();
    }
  });

  it('leaves nothing in the bucket', async () => {
    const engines = new Engines(platform());
    try {
      const { Versions, DeleteMarkers } = await engines.s3.send(
        new ListObjectVersionsCommand({ Bucket: engines.bucket, Prefix: 'hms-doctor/' }),
      );
      expect([Versions ?? [], DeleteMarkers ?? []]).toEqual([[], []]);
    } finally {
      await engines.close();
    }
  });

  it('finds a service account without the privileges', async () => {
    const found = await problems({ LEASE_NAMESPACE: 'elsewhere' });
    expect(found).toEqual([
      finding('kubernetes rights', /it may not create leases\.coordination\.k8s\.io in elsewhere, get/, /rbac\.yaml/),
    ]);
  });
});

function finding(name: string, observed: RegExp, remedy: RegExp): object {
  return { name, status: 'failed', observed: expect.stringMatching(observed), remedy: expect.stringMatching(remedy) };
}

function changed(url: string, parts: Partial<URL>): string {
  return Object.assign(new URL(url), parts).href;
}

/** The S3 server as for a key that lacks a permission, because all keys of the test engine have every permission. */
async function withoutRight(method: string): Promise<{ readonly url: string; readonly close: () => void }> {
  const target = new URL(platform().s3.endpoint);
  const server = createServer((request, response) => {
    if (request.method === method && request.url?.includes('hms-doctor')) {
      response.writeHead(403).end(method === 'HEAD' ? undefined : '<Error><Code>AccessDenied</Code></Error>');
      return;
    }
    const onward = httpRequest(
      { host: target.hostname, port: target.port, path: request.url, method: request.method, headers: request.headers },
      (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
    );
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
