/** The platform's own processes: gateway, operator and modules. */
import path from 'node:path';
import { BUILT_MODULES, type DatabaseRoleKey, type Module, type ProcessName, processNames } from '@hms/tenancy';
import { PROJECT } from '../layout.ts';
import type { PortName, Ports } from '../ports.ts';
import type { AnyStep } from '../process/spec.ts';
import { type Addresses, addressesOf, local } from './addresses.ts';
import { KEYCLOAK_START_MS } from './keycloak.ts';
import { nodeStep } from './node-step.ts';
import type { Platform } from './options.ts';
import { answers, responds } from './probe.ts';

/** The entry point of the operator. */
export const OPERATOR_MAIN = path.join(PROJECT, 'operator', 'src', 'main.ts');

/** The entry point of the doctor, which checks the engines with the operator's environment. */
export const DOCTOR_MAIN = path.join(PROJECT, 'operator', 'src', 'doctor', 'main.ts');

export function moduleSteps(platform: Platform): AnyStep[] {
  return [
    gatewayStep(platform),
    operatorStep(platform),
    ...(platform.engines.pages === undefined ? [] : [webStep(platform, platform.engines.pages)]),
    ...BUILT_MODULES.flatMap((module) => processNames(module).map((name) => moduleStep(platform, module, name))),
  ];
}

const LOG_LEVEL = process.env.LOG_LEVEL ?? 'info';

function gatewayStep(platform: Platform): AnyStep {
  const { ports, dirs } = platform;
  const { gateway } = addressesOf(platform);
  return nodeStep(platform, {
    name: 'gateway',
    after: [],
    main: path.join(PROJECT, 'services', 'gateway', 'src', 'main.ts'),
    env: {
      GATEWAY_PROXY_LISTEN: `127.0.0.1:${ports.gateway}`,
      GATEWAY_PROXY_TLS_LISTEN: `127.0.0.1:${ports.gatewayTls}`,
      GATEWAY_ADMIN_LISTEN: `127.0.0.1:${ports.gatewayAdmin}`,
      GATEWAY_DATA_DIR: dirs.gateway,
      LOG_LEVEL,
    },
    address: gateway.proxy,
    ready: (signal) => answers(`${gateway.admin}/status`, signal),
    alive: (signal) => responds(`${gateway.admin}/status`, signal),
  });
}

/** Where the platform's own users work. */
function consoleOrigin({ domain }: Addresses, { gateway }: Ports): string {
  return `http://console.${domain}:${gateway}`;
}

/** Where hospitals and the platform itself are. */
function domainEnv(addresses: Addresses, ports: Ports) {
  const { domain, baseUrl } = addresses;
  return { PLATFORM_DOMAIN: domain, PORTAL_ORIGIN: baseUrl, CONSOLE_ORIGIN: consoleOrigin(addresses, ports) };
}

/** Environment of an operator of this platform. Tests start a second operator with it. */
export function operatorEnv(addresses: Addresses, ports: Ports): Record<string, string> {
  const { baseUrl, keycloakUrl, databaseUrls, s3, gateway, mail, keycloakOperator } = addresses;
  const at = (...names: PortName[]) => names.map((name) => `127.0.0.1:${ports[name]}`).join(',');
  return {
    KUBECONFIG: addresses.operatorKubeconfig,
    HOST: '127.0.0.1',
    PORT: String(ports.operator),
    BASE_URL: baseUrl,
    ...domainEnv(addresses, ports),
    KEYCLOAK_URL: keycloakUrl,
    KEYCLOAK_CLIENT_ID: keycloakOperator.clientId,
    KEYCLOAK_CLIENT_SECRET: keycloakOperator.clientSecret,
    AUTH_JWKS_URL: `${local(ports.auth)}/.well-known/jwks.json`,
    DATABASE_URL: databaseUrls.operator,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_BUCKET: s3.bucket,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_MODULES_PRINCIPAL: s3.modules.accessKeyId,
    KONG_ADMIN_URL: gateway.admin,
    KONG_PROXY_URL: gateway.proxy,
    KONG_METRICS_ADDRESS: at('gatewayAdmin'),
    MODULE_TARGETS: moduleTargets(ports),
    WEB_TARGETS: at('web'),
    ...smtpEnv(mail),
    RESYNC_INTERVAL: '10m',
    LOG_LEVEL,
  };
}

/** Where each module listens, as the operator and the status page read it. */
export function moduleTargets(ports: Ports): string {
  const at = (name: ProcessName) => `127.0.0.1:${ports[name]}`;
  return BUILT_MODULES.map((module) => `${module.name}=${processNames(module).map(at).join(',')}`).join(';');
}

/** Serves the pages. It needs the module auth only for its answers. */
function webStep(platform: Platform, pages: string): AnyStep {
  const { ports, dirs } = platform;
  const addresses = addressesOf(platform);
  const address = local(ports.web);
  return nodeStep(platform, {
    name: 'web',
    after: [],
    main: path.join(PROJECT, 'web', 'server', 'main.ts'),
    env: {
      HOST: '127.0.0.1',
      PORT: String(ports.web),
      LOG_LEVEL,
      BASE_URL: addresses.baseUrl,
      PLATFORM_DOMAIN: addresses.domain,
      CONSOLE_ORIGIN: consoleOrigin(addresses, ports),
      AUTH_URL: local(ports.auth),
      MODULE_TARGETS: moduleTargets(ports),
      S3_PUBLIC_ENDPOINT: addresses.s3.endpoint,
      WEB_COOKIE_KEYS_FILE: dirs.cookieKeys,
      WEB_PAGES: pages,
    },
    address,
    ready: (signal) => answers(`${address}/ready`, signal),
    alive: (signal) => responds(`${address}/health`, signal),
    // It ends by itself after 28 s at the latest.
    stopTimeout: 30_000,
  });
}

/** Environment of a module of this platform, without its port. Tests start modules of their own with it. */
export function moduleEnv({ baseUrl, keycloakUrl, databaseUrls, s3, mail }: Addresses, role: DatabaseRoleKey = 'app') {
  return {
    DATABASE_URL: databaseUrls[role],
    BASE_URL: baseUrl,
    KEYCLOAK_URL: keycloakUrl,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_BUCKET: s3.bucket,
    S3_ACCESS_KEY_ID: s3.modules.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.modules.secretAccessKey,
    ...smtpEnv(mail),
  };
}

function smtpEnv({ smtpHost, smtpPort }: Addresses['mail']) {
  return { SMTP_HOST: smtpHost, SMTP_PORT: String(smtpPort), SMTP_FROM: 'no-reply@hms.example' };
}

function operatorStep(platform: Platform): AnyStep {
  const { ports } = platform;
  return nodeStep(platform, {
    name: 'operator',
    after: ['manifests', 'operator-account', 'database', 's3-account', 'gateway'],
    main: OPERATOR_MAIN,
    env: operatorEnv(addressesOf(platform), ports),
    address: local(ports.operator),
    ready: (signal) => answers(`${local(ports.operator)}/ready`, signal),
    alive: (signal) => responds(`${local(ports.operator)}/health`, signal),
    startTimeout: 120_000,
    stopTimeout: 30_000,
  });
}

function moduleStep(platform: Platform, module: Module, name: ProcessName): AnyStep {
  const port = platform.ports[name];
  const address = local(port);
  return nodeStep(platform, {
    name,
    after: ['database', 's3-account', ...(module.name === 'console' ? ['manifests'] : [])],
    main: path.join(PROJECT, 'services', module.name, 'src', 'main.ts'),
    options: module.nodeOptions,
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_POOL_SIZE: '10',
      LOG_LEVEL,
      ...moduleEnv(addressesOf(platform), module.databaseRole),
      ...(module.name === 'auth' && {
        AUTH_SIGNING_KEY_FILE: platform.dirs.signingKey,
        HOSPITAL_DIRECTORY: process.env.HOSPITAL_DIRECTORY ?? '',
      }),
      ...(module.name === 'console' && {
        KUBECONFIG: platform.dirs.consoleKubeconfig,
        ...domainEnv(addressesOf(platform), platform.ports),
      }),
    },
    address,
    ready: (signal) => answers(`${address}/ready`, signal),
    alive: (signal) => responds(`${address}/health`, signal),
    // The operator creates the registry that a module reads, and waits for Keycloak first.
    startTimeout: KEYCLOAK_START_MS + 240_000,
    // It ends by itself after 28 s at the latest.
    stopTimeout: 30_000,
  });
}
