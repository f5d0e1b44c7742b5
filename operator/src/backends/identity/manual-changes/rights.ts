import type { ManualChange } from './manual-change.ts';

const KEYS = 'org.keycloak.keys.KeyProvider';

/** Changes of roles, their members, and a realm's integrations. */
export const RIGHTS_CHANGES: readonly ManualChange[] = [
  [
    'role that contains another',
    /roles contained in role DOCTOR \(without OWNER/,
    (send, { role }) => send('POST', '/roles/DOCTOR/composites', [role('OWNER')]),
  ],
  [
    'role that everybody has',
    /roles contained in role default-roles-.*without OWNER/,
    (send, { role, realm }) => send('POST', `/roles/${realm.defaultRole?.name}/composites`, [role('OWNER')]),
  ],
  [
    'right that a role contains',
    /roles contained in role NURSE \(without realm-management\/manage-users/,
    (send, { clientRole }) => send('POST', '/roles/NURSE/composites', [clientRole('realm-management', 'manage-users')]),
  ],
  [
    'text of a role',
    /update role CASHIER \(description/,
    (send) => send('PUT', '/roles/CASHIER', { name: 'CASHIER', description: 'x', attributes: { a: ['b'] } }),
  ],
  ['role removed', /create role PHARMACIST/, (send) => send('DELETE', '/roles/PHARMACIST')],
  ['added role', /delete role WARD_CLERK/, (send) => send('POST', '/roles', { name: 'WARD_CLERK' })],
  [
    'added role of a client',
    /delete role added of client hms-auth/,
    (send, { client }) => send('POST', `/clients/${client('hms-auth')}/roles`, { name: 'added' }),
  ],

  [
    'right for the service account',
    /account of client hms-auth \(.*without realm-management\/realm-admin/,
    (send, { serviceAccount, client, clientRole }) =>
      send('POST', `/users/${serviceAccount}/role-mappings/clients/${client('realm-management')}`, [
        clientRole('realm-management', 'realm-admin'),
      ]),
  ],
  [
    'right removed from the service account',
    /rights of client hms-auth \(with realm-management\/view-users|account of client hms-auth/,
    (send, { serviceAccount, client, clientRole }) =>
      send('DELETE', `/users/${serviceAccount}/role-mappings/clients/${client('realm-management')}`, [
        clientRole('realm-management', 'view-users'),
      ]),
  ],
  [
    'role for the service account',
    /account of client hms-auth \(.*without OWNER/,
    (send, { serviceAccount, role }) => send('POST', `/users/${serviceAccount}/role-mappings/realm`, [role('OWNER')]),
  ],
  [
    'service account in a group',
    /account of client hms-auth \(.*out of group \/programs/,
    async (send, { serviceAccount }) => {
      const id = await send('POST', '/groups', { name: 'programs' });
      await send('PUT', `/users/${serviceAccount}/groups/${id}`, {});
    },
  ],

  [
    'added client',
    /delete client reporting/,
    (send) =>
      send('POST', '/clients', {
        clientId: 'reporting',
        serviceAccountsEnabled: true,
        directAccessGrantsEnabled: true,
      }),
  ],
  [
    'group with a role that everybody joins',
    /roles of group \/everybody \(without OWNER.*/,
    async (send, { role }) => {
      const id = await send('POST', '/groups', { name: 'everybody' });
      await send('POST', `/groups/${id}/role-mappings/realm`, [role('OWNER')]);
      await send('PUT', `/default-groups/${id}`, {});
    },
  ],
  [
    'right of a group in a group',
    /roles of group \/wards\/north \(without realm-management\/manage-realm/,
    async (send, { client, clientRole }) => {
      const parent = await send('POST', '/groups', { name: 'wards' });
      const { id } = (await send('POST', `/groups/${parent}/children`, { name: 'north' })) as { id: string };
      await send('POST', `/groups/${id}/role-mappings/clients/${client('realm-management')}`, [
        clientRole('realm-management', 'manage-realm'),
      ]);
    },
  ],
  [
    'identity provider with a mapper',
    /delete identity provider elsewhere/,
    async (send) => {
      const config = {
        authorizationUrl: 'https://elsewhere.example/a',
        tokenUrl: 'https://elsewhere.example/t',
        clientId: 'x',
        clientSecret: 'y',
      };
      await send('POST', '/identity-provider/instances', {
        alias: 'elsewhere',
        providerId: 'oidc',
        enabled: true,
        trustEmail: true,
        config,
      });
      await send('POST', '/identity-provider/instances/elsewhere/mappers', {
        name: 'owner',
        identityProviderAlias: 'elsewhere',
        identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
        config: { role: 'OWNER', syncMode: 'INHERIT' },
      });
    },
  ],
  [
    'identity provider of impersonations with the keys of somebody else',
    /update identity provider hms-auth \(.*config\.jwksUrl/,
    async (send) => {
      const provider = (await send('GET', '/identity-provider/instances/hms-auth')) as { config: object };
      await send('PUT', '/identity-provider/instances/hms-auth', {
        ...provider,
        hideOnLogin: true,
        config: {
          ...provider.config,
          jwksUrl: 'https://elsewhere.example/keys',
          jwtAuthorizationGrantAssertionReuseAllowed: 'true',
        },
      });
    },
  ],
  [
    'provider of displays with other keys',
    /update identity provider hms-displays \(.*config\.jwksUrl/,
    async (send) => {
      const path = '/identity-provider/instances/hms-displays';
      const provider = (await send('GET', path)) as { readonly config: object };
      const config = { ...provider.config, jwksUrl: 'https://elsewhere.example/jwks' };
      await send('PUT', path, { ...provider, trustEmail: true, config });
    },
  ],
  [
    'mapper of the provider of displays',
    /delete mapper owner of identity provider hms-displays/,
    async (send) => {
      await send('POST', '/identity-provider/instances/hms-displays/mappers', {
        name: 'owner',
        identityProviderAlias: 'hms-displays',
        identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
        config: { role: 'OWNER', syncMode: 'INHERIT' },
      });
    },
  ],
  [
    'mapper of the identity provider of impersonations',
    /delete mapper owner of identity provider hms-auth/,
    (send) =>
      send('POST', '/identity-provider/instances/hms-auth/mappers', {
        name: 'owner',
        identityProviderAlias: 'hms-auth',
        identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
        config: { role: 'OWNER', syncMode: 'INHERIT' },
      }),
  ],
  [
    'user profile',
    /delete component declarative-user-profile/,
    async (send) => {
      const profile = (await send('GET', '/users/profile')) as object;
      await send('PUT', '/users/profile', { ...profile, unmanagedAttributePolicy: 'ENABLED' });
    },
  ],
  [
    'open client registration',
    /delete component Trusted Hosts|create component Trusted Hosts/,
    (send, { realm }) => {
      const components: Record<string, unknown> = realm.components ?? {};
      const policies = components['org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy'] as {
        id: string;
        name: string;
      }[];
      return send('DELETE', `/components/${policies.find(({ name }) => name === 'Trusted Hosts')?.id}`);
    },
  ],
  [
    'second policy of client registration',
    /delete component .* \(consent-required\)/,
    (send, { realm }) =>
      send('POST', '/components', {
        name: 'second',
        providerId: 'consent-required',
        providerType: 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy',
        subType: 'anonymous',
        parentId: realm.id,
      }),
  ],
  [
    'policy of client registration',
    /update component Max Clients Limit/,
    (send, { realm }) => {
      const components: Record<string, unknown> = realm.components ?? {};
      const policies = components['org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy'] as {
        id: string;
        name: string;
      }[];
      const policy = policies.find(({ name }) => name === 'Max Clients Limit');
      return send('PUT', `/components/${policy?.id}`, {
        ...policy,
        subComponents: undefined,
        providerType: 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy',
        parentId: realm.id,
        config: { 'max-clients': ['9999'] },
      });
    },
  ],
  [
    'initial access token',
    /delete initial access token/,
    (send) => send('POST', '/clients-initial-access', { count: 5, expiration: 0 }),
  ],
  ['text of the login page', /delete texts in en/, (send) => send('POST', '/localization/en', { loginTitle: 'x' })],
  [
    'key of refresh tokens that is off',
    /update component hmac-generated-hs512 \(hmac-generated\) \(config\.enabled/,
    async (send, { realm }) => {
      const keys = (await send('GET', `/components?type=${KEYS}`)) as { id: string; name: string; config: object }[];
      const key = keys.find(({ name }) => name === 'hmac-generated-hs512');
      const config = { ...key?.config, enabled: ['false'] };
      await send('PUT', `/components/${key?.id}`, { ...key, parentId: realm.id, config });
    },
  ],
  [
    'key of cookies removed',
    /create component aes-generated/,
    async (send) => {
      const keys = (await send('GET', `/components?type=${KEYS}`)) as { id: string; name: string }[];
      await send('DELETE', `/components/${keys.find(({ name }) => name === 'aes-generated')?.id}`);
    },
  ],
];
