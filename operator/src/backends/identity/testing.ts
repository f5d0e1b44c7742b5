/** For tests: a realm at a real Keycloak, as the operator and as an administrator see it. */
import { randomUUID } from 'node:crypto';
import { platform } from '../../../../test/platform.ts';
import { asKeycloakAdmin } from '../../../../test/support/keycloak-admin.ts';
import { until } from '../../../../test/support/until.ts';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import { BackendError } from '../errors.ts';
import { testCalls } from '../testing.ts';
import { IdentityBackend } from './backend.ts';
import { isChangeable } from './change.ts';
import { Keycloak } from './client.ts';
import type { Look, Send } from './manual-changes/manual-change.ts';
import type { SmtpSettings } from './realm.ts';
import { Realms } from './realms.ts';

/**
 * The realm has a unique name. It exists once the backend has created it.
 * @param authJwksUrl where Keycloak finds the public keys of the auth module.
 */
export function testRealm(authJwksUrl = 'http://127.0.0.1/.well-known/jwks.json') {
  const { baseUrl, keycloakUrl, keycloakOperator } = platform();
  const prefix = `t${randomUUID().slice(0, 8)}`;
  const tenant = tenantOf(hospitalObject({ name: prefix }), randomUUID(), { baseUrl, domain: 'localhost' });

  const keycloak = new Keycloak({ url: keycloakUrl, ...keycloakOperator }, testCalls('identity'));
  const realms = new Realms(keycloak);
  /** Roles that the backend has created in the existing realm. */
  const givenBack: string[] = [];
  const backendWith = (smtp: SmtpSettings) =>
    new IdentityBackend(keycloak, realms, { authJwksUrl, smtp }, async (_, roles) => {
      givenBack.push(...roles);
    });
  const backend = backendWith({ host: '127.0.0.1', port: 25, tls: 'none', from: 'no-reply@hms.example' });

  /**
   * Creates the realm. Keycloak's defaults are read from a temporary realm of one name, which several suites may create
   * at the same time.
   */
  const create = async () => {
    const attempt = async () => {
      const changes = backend.diff(tenant, await backend.observe(tenant));
      if (changes.length > 0) await backend.apply(tenant, changes);
      return undefined;
    };
    const outcome = () => attempt().catch((error: unknown) => error);
    await until('the realm', outcome, (error) => {
      if (error instanceof BackendError && error.kind === 'Unavailable') return false;
      if (error) throw error;
      return true;
    });
  };

  let token = '';
  const send: Send = async (method, path, body) => {
    const response = await fetch(`${keycloakUrl}/admin/realms/${prefix}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 401) {
      await freshToken();
      return send(method, path, body);
    }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text ? JSON.parse(text) : response.headers.get('location')?.split('/').pop();
  };

  async function freshToken(): Promise<void> {
    token = (await asKeycloakAdmin()).accessToken ?? '';
  }

  const exported = async () =>
    (await send('POST', '/partial-export?exportClients=true&exportGroupsAndRoles=true')) as Look['realm'];

  /** Without people's groups, unchangeable parts, and the leftovers of settings that were changed and restored. */
  async function ownPart(): Promise<Look['realm']> {
    const { adminPermissionsClient, ...realm } = await exported();
    const fields: Readonly<Record<string, unknown>> = { ...realm };
    const attributes = Object.fromEntries(
      Object.entries<unknown>(realm.attributes ?? {}).filter(([key, value]) => String(fields[key]) !== value),
    );
    const clients = realm.clients?.filter(isChangeable) ?? [];
    return { ...realm, groups: [], attributes, clients };
  }

  async function look(): Promise<Look> {
    const realm = await exported();
    const named = <T extends object>(list: readonly T[] | undefined, key: keyof T, name: string) => {
      const found = list?.find((item) => item[key] === name) as { id: string; name: string } | undefined;
      if (!found) throw new Error(`there is no ${name}`);
      return { id: found.id, name };
    };
    return {
      realm,
      client: (clientId) => named(realm.clients, 'clientId', clientId).id,
      scope: (name) => named(realm.clientScopes, 'name', name).id,
      role: (name) => named(realm.roles?.realm, 'name', name),
      clientRole: (clientId, name) => named(realm.roles?.client?.[clientId], 'name', name),
      serviceAccount: named(realm.users, 'username', 'service-account-hms-auth').id,
      flow: (alias) => named(realm.authenticationFlows, 'alias', alias).id,
    };
  }

  return { create, backend, backendWith, keycloak, tenant, send, look, ownPart, exported, givenBack };
}
