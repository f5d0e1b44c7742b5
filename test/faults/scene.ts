/** The test's own engines, each behind a proxy that can fail on demand, and an operator that can be killed. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts, layout, operatorEnv, type Started, startPlatform } from '@hms/local';
import { REFERENCE_COMMENT } from '../../operator/src/backends/database/reference.ts';
import { dataFolder } from '../support/data-folder.ts';
import { Engines } from '../support/engines.ts';
import { ModuleProcess } from '../support/module-process.ts';
import { OperatorProcess } from '../support/operator-process.ts';
import { FaultProxy, type Mode } from '../support/proxy.ts';

/**
 * Limit of a hook that sets a scene and creates its first hospitals, which takes 50 s on an idle machine and four times
 * as long beside two other suites.
 */
export const SETTING_MS = 600_000;
/** Only the engines, without modules and operator. */
const ONLY = ['database', 'keycloak', 'operator-account', 'manifests', 's3', 'mail', 'gateway'];
/**
 * After this time, another operator replaces a killed leader. A leader without contact to the API server for
 * two thirds of it ends, which a busy machine must not cause.
 */
const LEASE_SECONDS = 10;
/** Read-only requests with POST: a token, the export of a realm, a forged refresh token. */
const READS = /^POST \S*\/(token|partial-export|api\/auth\/refresh)\b/;
/** Schema of a reference in PostgreSQL. */
const REFERENCE_SCHEMA = /\b(?:h_)?reference_[0-9a-f]{12}\b/;
/** The realm that each process creates and deletes once, to read Keycloak's defaults. */
const REFERENCE = /^(?:DELETE \S*\/realms\/hms_reference HTTP|POST \S*\/realms\/? HTTP[\s\S]*hms_reference)/m;

/** The backends whose engines are behind proxies. */
export const BACKEND_NAMES = ['identity', 'storage', 'database', 'gateway'] as const;
export type BackendName = (typeof BACKEND_NAMES)[number];

export class Scene {
  readonly engines: Engines;
  readonly operator: OperatorProcess;
  /** Another operator, which reaches the engines without a proxy. It is not started. */
  readonly second: OperatorProcess;
  /** The proxy between the operator and the API server. */
  readonly api: FaultProxy;
  /** The proxy between the operator and the gateway's proxy. */
  readonly proxy: FaultProxy;
  readonly #proxies: Readonly<Record<BackendName, readonly FaultProxy[]>>;
  readonly #started: Started;
  readonly #modules: readonly ModuleProcess[];

  private constructor(
    started: Started,
    modules: readonly ModuleProcess[],
    proxies: Readonly<Record<BackendName, readonly FaultProxy[]>>,
    api: FaultProxy,
    proxy: FaultProxy,
    env: Readonly<Record<string, string>>,
    direct: Readonly<Record<string, string>>,
  ) {
    this.#started = started;
    this.#modules = modules;
    this.#proxies = proxies;
    this.api = api;
    this.proxy = proxy;
    this.engines = new Engines(started.state);
    this.operator = new OperatorProcess(env);
    this.second = new OperatorProcess(direct);
  }

  static async set(): Promise<Scene> {
    const dataDir = dataFolder();
    const started = await startPlatform({ dataDir, ports: await freePorts(), fast: true, only: ONLY });
    // The helpers of test/support find the platform with this.
    process.env.HMS_TEST_STATE = layout(dataDir).state;
    const { ports, operatorKubeconfig } = started.state;
    const before = (port: number) => FaultProxy.before(`127.0.0.1:${port}`);
    const [identity, storage, database, admin, proxy, api] = await Promise.all(
      [ports.keycloak, ports.s3, ports.postgres, ports.gatewayAdmin, ports.gateway, ports.kubernetes].map(before),
    );
    if (!identity || !storage || !database || !admin || !proxy || !api) throw new Error('a proxy is missing');
    const own = operatorEnv(started.state, ports);
    const through = (name: string, way: FaultProxy) => {
      const url = new URL(own[name] ?? '');
      url.host = way.address;
      return { [name]: url.href };
    };
    const kubeconfig = join(dataDir, 'faults.kubeconfig');
    writeFileSync(
      kubeconfig,
      readFileSync(operatorKubeconfig, 'utf8').replace(/https:\/\/127\.0\.0\.1:\d+/, `https://${api.address}`),
      { mode: 0o600 },
    );
    const env = {
      ...own,
      ...through('KEYCLOAK_URL', identity),
      ...through('S3_ENDPOINT', storage),
      ...through('DATABASE_URL', database),
      ...through('KONG_ADMIN_URL', admin),
      ...through('KONG_PROXY_URL', proxy),
      KUBECONFIG: kubeconfig,
      LEASE_SECONDS: String(LEASE_SECONDS),
    };
    const proxies = { identity: [identity], storage: [storage], database: [database], gateway: [admin, proxy] };
    const direct = { ...own, PORT: '0', LEASE_SECONDS: String(LEASE_SECONDS) };
    // The modules with which the operator verifies that a hospital is served. They wait for the registry, which it
    // creates.
    const modules = [
      new ModuleProcess('hms', ports['hms-1'], started.state),
      new ModuleProcess('auth', ports.auth, started.state),
    ];
    const scene = new Scene(started, modules, proxies, api, proxy, env, direct);
    await scene.operator.start();
    return scene;
  }

  /** How many packets the operator has sent to an engine. */
  sentTo(backend: BackendName): number {
    return this.#first(backend).chunks;
  }

  /** Starts recording what the operator sends to each engine. */
  record(): void {
    for (const proxy of [...Object.values(this.#proxies).flat(), this.api]) proxy.record();
  }

  /** What the operator has sent to an engine since `record`. */
  recorded(backend: BackendName): readonly string[] {
    return this.#proxies[backend].flatMap(({ recorded }) => recorded);
  }

  /** The recorded packets that change something in the engine. */
  writesTo(backend: BackendName): readonly string[] {
    const sent = this.recorded(backend);
    if (backend !== 'database') {
      // The body may follow the head in another packet.
      const others = sent.filter(
        (piece, at) => !REFERENCE.test(`${piece}${/\/realms\/? HTTP/.test(piece) ? sent[at + 1] : ''}`),
      );
      const requests = others.flatMap((piece) => piece.match(/^(?:POST|PUT|PATCH|DELETE) \S+ HTTP/m) ?? []);
      return requests.filter((line) => !READS.test(line));
    }
    // Checked privileges are in quotes. References are rolled back, and a large one fills several packets.
    const writes = sent.filter((piece) => !piece.includes(REFERENCE_COMMENT) && !REFERENCE_SCHEMA.test(piece));
    return writes.filter((piece) =>
      /\b(INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|GRANT|REVOKE|COMMENT)\b/i.test(piece.replace(/'[^']*'/g, '')),
    );
  }

  /** The recorded packets that change something at the API server. */
  get writesToApi(): readonly string[] {
    return this.api.recorded.flatMap((piece) => piece.match(/^(?:POST|PUT|PATCH|DELETE) \S+ HTTP/m) ?? []);
  }

  /** Restarts the operator with this lease duration. */
  async leadFor(seconds: number): Promise<void> {
    await this.operator.stop('SIGTERM');
    await this.operator.start({ LEASE_SECONDS: String(seconds) });
  }

  async fail(backend: BackendName, mode: Mode): Promise<void> {
    await Promise.all(this.#proxies[backend].map((proxy) => proxy.set(mode)));
  }

  /** Fails after the operator has sent this many more packets. Resolves when it has failed. */
  async failAfter(backend: BackendName, chunks: number, mode: Mode): Promise<void> {
    await this.#first(backend).failAfter(chunks, mode);
    await this.fail(backend, mode);
  }

  /** Resolves when the operator has sent so many more pieces of data to an engine. */
  after(backend: BackendName, chunks: number): Promise<void> {
    return this.#first(backend).after(chunks);
  }

  async recover(): Promise<void> {
    const proxies = [...Object.values(this.#proxies).flat(), this.api];
    await Promise.all(proxies.map((proxy) => proxy.set('pass')));
  }

  async strike(): Promise<void> {
    await Promise.all([
      this.operator.stop('SIGTERM'),
      this.second.stop('SIGTERM'),
      ...this.#modules.map((module) => module.stop()),
    ]);
    await Promise.all([...Object.values(this.#proxies).flat(), this.api].map((proxy) => proxy.close()));
    await this.engines.close();
    await this.#started.stop();
    rmSync(this.#started.state.dataDir, { recursive: true, force: true });
  }

  #first(backend: BackendName): FaultProxy {
    const [proxy] = this.#proxies[backend];
    if (!proxy) throw new Error(`no proxy before ${backend}`);
    return proxy;
  }
}
