/** For tests: a module served over real HTTP, and a client that speaks its envelope. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, openTenantPool } from '@hms/database';
import { FileStorage, type S3Settings } from '@hms/storage';
import type { DatabaseRoleKey } from '@hms/tenancy';
import type { Knex } from 'knex';
import { type App, createApp } from '../app.ts';
import { Sealer } from '../audit/sealer.ts';
import { EventStreams } from '../changes/streams.ts';
import { createLog } from '../log.ts';
import type { ModuleDefinition, Platform } from '../module.ts';
import { createRegistry, type RegistryOptions } from '../registry.ts';
import { RequestCounter } from '../request-counter.ts';
import { TaskWorker } from '../tasks/worker.ts';
import { Totals } from '../totals.ts';
import { createIssuer, type Issuer } from './issuer.ts';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly success: boolean;
  /** `data` of a success, whose type the test knows. */
  data<T>(): T;
  readonly meta: { readonly page: number; readonly limit: number; readonly total: number } | undefined;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>> | undefined;
    readonly timestamp: string;
  };
}

export interface RequestOptions {
  readonly token?: string;
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly raw?: string | Buffer<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestModule {
  readonly url: string;
  readonly app: App;
  readonly server: Server;
  readonly platform: Platform;
  readonly issuer: Issuer;
  /** Connection of the role hms_operator, to create hospitals. */
  readonly operator: Knex;
  send(method: string, path: string, options?: RequestOptions): Promise<TestAnswer>;
  close(): Promise<void>;
}

export interface TestModuleOptions extends RegistryOptions {
  readonly databaseUrls: Readonly<Record<'operator' | DatabaseRoleKey, string>>;
  /** Role of the module in PostgreSQL, default `app`. */
  readonly databaseRole?: DatabaseRoleKey;
  readonly define: (platform: Platform) => ModuleDefinition;
  /** Default: a server that refuses connections. */
  readonly s3?: S3Settings;
  /** A real Keycloak instead of the test's own issuer. */
  readonly identity?: { readonly baseUrl: string; readonly keycloakUrl: string };
  /** Default: no log. */
  readonly logLevel?: string;
}

const NO_S3: S3Settings = {
  S3_ENDPOINT: 'http://127.0.0.1:1',
  S3_REGION: 'us-east-1',
  S3_BUCKET: 'none',
  S3_ACCESS_KEY_ID: 'none',
  S3_SECRET_ACCESS_KEY: 'none',
};

export async function startTestModule(options: TestModuleOptions): Promise<TestModule> {
  const issuer = await createIssuer();
  const { baseUrl, keycloakUrl } = options.identity ?? issuer;
  const databaseUrl = options.databaseUrls[options.databaseRole ?? 'app'];
  const db = connect(databaseUrl, { poolSize: 3, applicationName: 'hms-test' });
  const operator = connect(options.databaseUrls.operator, { poolSize: 3, applicationName: 'hms-test' });
  const tenants = openTenantPool(databaseUrl, { applicationName: 'hms-test' });
  const log = createLog('test', options.logLevel ?? 'silent');
  const registry = createRegistry(db, options);
  const streams = new EventStreams({ databaseUrl, log, registry });
  const platform: Platform = {
    db,
    tenants,
    sealer: new Sealer({ db, tenants, log, delay: 50 }),
    requestCounter: new RequestCounter({ db, log }),
    streams,
    totals: new Totals(streams),
    replica: openTenantPool(databaseUrl, { applicationName: 'hms-test', readOnly: true }),
    registry,
    storage: new FileStorage(options.s3 ?? NO_S3),
    log,
    baseUrl,
    keycloakUrl,
  };
  const definition = options.define(platform);
  const app = createApp(definition, platform);
  const worker = new TaskWorker({
    databaseUrl,
    environment: platform,
    registry: platform.registry,
    tasks: definition.tasks ?? [],
    log,
    metrics: app.metrics.tasks,
    concurrency: 4,
  });
  worker.start();
  const server = createServer(app.handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    app,
    server,
    platform,
    issuer,
    operator,
    send: (method, path, request = {}) => send(url, method, path, request),
    close: async () => {
      await platform.streams.end();
      await worker.end();
      await definition.end?.();
      server.close();
      server.closeAllConnections();
      platform.storage.end();
      await platform.sealer.end();
      await Promise.all([
        ...[db.destroy(), operator.destroy(), issuer.close()],
        ...[platform.tenants.end(), platform.replica.end()],
      ]);
    },
  };
}

export async function send(url: string, method: string, path: string, options: RequestOptions): Promise<TestAnswer> {
  const { token, body, raw, headers } = options;
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  });
  const text = await response.text();
  const parsed = (text === '' ? {} : JSON.parse(text)) as Pick<TestAnswer, 'success' | 'meta' | 'error'> & {
    data?: unknown;
  };
  return {
    status: response.status,
    headers: response.headers,
    success: parsed.success,
    meta: parsed.meta,
    error: parsed.error,
    data: <T>() => parsed.data as T,
  };
}
