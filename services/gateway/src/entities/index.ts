import { type CaCertificate, type Certificate, caCertificates, certificates, type Sni, snis } from './certificates.ts';
import type { EntitySchema } from './common.ts';
import { type Acl, acls, type Consumer, consumers, type JwtSecret, jwtSecrets } from './consumers.ts';
import { type PluginRow, plugins } from './plugins.ts';
import { type Route, routes } from './routes.ts';
import { type Service, services } from './services.ts';
import { type Target, targets, type Upstream, upstreams } from './upstreams.ts';

/** The rows of each kind of entity. */
export interface Rows {
  services: Service;
  routes: Route;
  consumers: Consumer;
  plugins: PluginRow;
  upstreams: Upstream;
  targets: Target;
  jwt_secrets: JwtSecret;
  acls: Acl;
  certificates: Certificate;
  snis: Sni;
  ca_certificates: CaCertificate;
}

export type Kind = keyof Rows;

export const schemas: Readonly<Record<Kind, EntitySchema>> = {
  services,
  routes,
  consumers,
  plugins,
  upstreams,
  targets,
  jwt_secrets: jwtSecrets,
  acls,
  certificates,
  snis,
  ca_certificates: caCertificates,
};

export const kinds = Object.keys(schemas) as readonly Kind[];

export function isKind(name: string): name is Kind {
  return Object.hasOwn(schemas, name);
}
