/**
 * The chart on a real cluster: the engines run on this machine, reached from pods by HMS_CLUSTER_HOST, and everything
 * else runs in pods of images that were just built. docs/development.md has how to run it.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createServer, connect as tcpConnect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freePorts, lineReport, type PlatformState, startPlatform } from '@hms/local';
import pg from 'pg';
import { stringify } from 'yaml';
import { $ } from 'zx';

/** Release and namespace. */
export const RELEASE = 'hms';
export const CHART = path.resolve(import.meta.dirname, '../../charts/hms');

export interface Scene {
  readonly engines: PlatformState;
  /** Values of this machine, a file for helm. */
  readonly values: string;
  readonly databases: Forward;
  stop(): Promise<void>;
}

export async function kubectl(...args: readonly string[]): Promise<string> {
  return (await $({ quiet: true })`kubectl ${args}`.text()).trim();
}

export async function helm(...args: readonly string[]): Promise<string> {
  return (await $({ quiet: true })`${process.env.HELM ?? 'helm'} ${args}`.text()).trim();
}

/** Starts the engines, makes them reachable from pods, and creates the namespace with its secrets. */
export async function startScene(image: string): Promise<Scene> {
  const host = process.env.HMS_CLUSTER_HOST;
  if (!host) throw new Error('HMS_CLUSTER_HOST is not set: set it to the address at which pods reach this machine');
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hms-cluster-test-'));
  const report = lineReport((line) => process.stderr.write(`${line}\n`));
  const only = ['operator-account', 'database', 's3-account', 'mail'];
  const ports = await freePorts();
  const platform = await startPlatform({ dataDir, ports, fast: true, report, only });
  const { state } = platform;
  const databases = await forward(host, () => ['127.0.0.1', ports.postgres]);
  const forwards = [
    databases,
    await forward(host, () => ['127.0.0.1', ports.keycloak], new URL(state.keycloakUrl).port),
    await forward(host, () => ['127.0.0.1', ports.s3]),
    await forward(host, () => ['127.0.0.1', ports.smtp]),
    await forward(host, async () => [await serviceAddress('auth'), 80]),
  ];
  const [database, keycloak, s3, smtp, auth] = forwards.map(({ port }) => `${host}:${port}`);
  await makeGatewayDatabase(state.databaseUrls.admin);
  const at = (url: string, name?: string) => {
    const address = new URL(url);
    address.host = database ?? '';
    if (name) Object.assign(address, { pathname: `/${name}`, username: name, password: name });
    return address.href;
  };
  await makeNamespace();
  await secret('hms-database', {
    'operator-url': at(state.databaseUrls.operator),
    'modules-url': at(state.databaseUrls.app),
    'auth-url': at(state.databaseUrls.auth),
    'console-url': at(state.databaseUrls.console),
    'gateway-url': at(state.databaseUrls.operator, 'hms_gateway'),
  });
  const { clientId, clientSecret } = state.keycloakOperator;
  await secret('hms-keycloak', { 'client-id': clientId, 'client-secret': clientSecret });
  await secret('hms-s3', {
    'access-key-id': state.s3.accessKeyId,
    'secret-access-key': state.s3.secretAccessKey,
    'modules-access-key-id': state.s3.modules.accessKeyId,
    'modules-secret-access-key': state.s3.modules.secretAccessKey,
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await secret('hms-signing-key', { 'key.pem': String(privateKey.export({ type: 'pkcs8', format: 'pem' })) });
  await secret('hms-cookie-keys', { keys: randomBytes(32).toString('base64') });
  const [repository, tag] = image.split(/:(?=[^:]*$)/);
  const values = path.join(dataDir, 'values.yaml');
  fs.writeFileSync(
    values,
    stringify({
      image: { repository, tag },
      platform: { baseUrl: state.baseUrl, domain: state.domain },
      database: { secret: { name: 'hms-database' } },
      keycloak: { url: `http://${keycloak}/auth`, secret: { name: 'hms-keycloak' } },
      s3: { endpoint: `http://${s3}`, secret: { name: 'hms-s3' } },
      smtp: { host, port: Number(smtp?.split(':')[1]), from: 'no-reply@hms.example' },
      web: { cookieKeys: { secret: 'hms-cookie-keys' } },
      auth: { signingKey: { secret: 'hms-signing-key' }, jwksUrl: `http://${auth}/.well-known/jwks.json` },
    }),
  );
  return {
    engines: state,
    values,
    databases,
    async stop() {
      for (const each of forwards) await each.close();
      await platform.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The cluster's own address of a Service of the release. */
export function serviceAddress(name: string): Promise<string> {
  return kubectl('get', 'service', `${RELEASE}-${name}`, '-n', RELEASE, '-o', 'jsonpath={.spec.clusterIP}');
}

interface Forward {
  readonly port: number;
  /** Refuses and closes connections, until it is opened again. */
  cut(): void;
  open(): void;
  close(): Promise<void>;
}

type Target = readonly [host: string, port: number];

async function forward(host: string, target: () => Target | Promise<Target>, port = '0'): Promise<Forward> {
  const sockets = new Set<{ destroy(): void }>();
  let isCut = false;
  const server = createServer(async (client) => {
    client.on('error', () => undefined);
    if (isCut) return void client.destroy();
    const [toHost, toPort] = await target();
    const onward = tcpConnect(toPort, toHost);
    onward.on('error', () => client.destroy());
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('close', () => onward.destroy());
    client.pipe(onward).pipe(client);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), host, resolve);
  });
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    cut,
    open() {
      isCut = false;
    },
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function makeGatewayDatabase(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`CREATE ROLE hms_gateway LOGIN PASSWORD 'hms_gateway'`);
  await admin.query('CREATE DATABASE hms_gateway OWNER hms_gateway');
  await admin.end();
}

/** A new namespace that enforces the restricted level of Pod Security. */
async function makeNamespace(): Promise<void> {
  await kubectl('delete', 'namespace', RELEASE, '--ignore-not-found', '--wait');
  await kubectl('create', 'namespace', RELEASE);
  await kubectl('label', 'namespace', RELEASE, 'pod-security.kubernetes.io/enforce=restricted');
}

function secret(name: string, data: Readonly<Record<string, string>>): Promise<string> {
  const literals = Object.entries(data).map(([key, value]) => `--from-literal=${key}=${value}`);
  return kubectl('create', 'secret', 'generic', name, '-n', RELEASE, ...literals);
}

/** @returns a name that no other run has used. */
export function fresh(prefix: string): string {
  return `${prefix}${randomBytes(4).toString('hex')}`;
}
