/** Addresses of one platform. */
import { type DatabaseRoleKey, forEachRole } from '@hms/tenancy';
import type { Platform } from './options.ts';

/** Domain of hospitals without a host: st-mary is at st-mary.localhost. */
const DOMAIN = 'localhost';
const BUCKET = 'hms';
export const S3_REGION = 'us-east-1';

export interface Addresses {
  /** Public address of the platform, which is in every token's `iss`. */
  readonly baseUrl: string;
  readonly domain: string;
  readonly gateway: { readonly proxy: string; readonly proxyTls: string; readonly admin: string };
  /** With /auth, without the gateway. */
  readonly keycloakUrl: string;
  /** `admin` may do everything, `operator` owns the database hms, the others are what modules use. */
  readonly databaseUrls: Readonly<Record<'operator' | 'admin' | DatabaseRoleKey, string>>;
  readonly s3: {
    readonly endpoint: string;
    readonly region: string;
    readonly bucket: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    /** The key of the modules, which may only use the files of hospitals. */
    readonly modules: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  readonly kubeconfig: string;
  readonly operatorKubeconfig: string;
  readonly mail: { readonly smtpHost: string; readonly smtpPort: number; readonly webUrl: string };
  readonly keycloakAdmin: { readonly username: string; readonly password: string };
  /** Password of the demonstration users. */
  readonly demonstrationPassword: string;
  readonly keycloakOperator: { readonly clientId: string; readonly clientSecret: string };
  readonly operatorUrl: string;
}

/** A program's address on this machine. */
export function local(port: number, scheme = 'http'): string {
  return `${scheme}://127.0.0.1:${port}`;
}

export function addressesOf({ ports, secrets, dirs }: Pick<Platform, 'ports' | 'secrets' | 'dirs'>): Addresses {
  const database = (role: string, password: string) => `postgres://${role}:${password}@127.0.0.1:${ports.postgres}/hms`;
  return {
    baseUrl: `http://${DOMAIN}:${ports.gateway}`,
    domain: DOMAIN,
    gateway: {
      proxy: local(ports.gateway),
      proxyTls: local(ports.gatewayTls, 'https'),
      admin: local(ports.gatewayAdmin),
    },
    keycloakUrl: `${local(ports.keycloak)}/auth`,
    databaseUrls: {
      operator: database('hms_operator', secrets.postgresOperator),
      ...forEachRole(({ key, name }) => database(name, secrets.postgresModules[key])),
      admin: database('postgres', secrets.postgresAdmin),
    },
    s3: {
      endpoint: local(ports.s3),
      region: S3_REGION,
      bucket: BUCKET,
      accessKeyId: secrets.s3AccessKeyId,
      secretAccessKey: secrets.s3SecretAccessKey,
      modules: { accessKeyId: secrets.s3ModulesAccessKeyId, secretAccessKey: secrets.s3ModulesSecretAccessKey },
    },
    kubeconfig: dirs.kubeconfig,
    operatorKubeconfig: dirs.operatorKubeconfig,
    mail: { smtpHost: '127.0.0.1', smtpPort: ports.smtp, webUrl: local(ports.mail) },
    keycloakAdmin: { username: 'admin', password: secrets.keycloakAdmin },
    demonstrationPassword: secrets.demonstration,
    keycloakOperator: { clientId: 'hms-operator', clientSecret: secrets.keycloakOperator },
    operatorUrl: local(ports.operator),
  };
}
