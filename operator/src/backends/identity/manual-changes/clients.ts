import type { ManualChange } from './manual-change.ts';

const client = (clientId: string, title: string, undone: RegExp, body: object): ManualChange => [
  `${clientId}: ${title}`,
  new RegExp(`update client ${clientId} .*${undone.source}`),
  (send, { client }) => send('PUT', `/clients/${client(clientId)}`, body),
];

const ROLES_MAPPER = {
  name: 'everybody owns',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-hardcoded-role-mapper',
  config: { role: 'OWNER' },
};

/** Changes of clients, client scopes and mappers. */
export const CLIENT_CHANGES: readonly ManualChange[] = [
  client('hms-auth', 'token lifespan', /attributes\.access\.token\.lifespan/, {
    attributes: { 'access.token.lifespan': '86400' },
  }),
  client('hms-auth', 'second key', /attributes\.jwks\.string/, { attributes: { 'jwks.string': '{"keys":[]}' } }),
  client('hms-auth', 'certificate', /attributes\.jwt\.credential\.certificate/, {
    attributes: { 'jwt.credential.certificate': 'x' },
  }),
  client('hms-auth', 'foreign keys', /attributes\.jwks\.url/, {
    attributes: { 'jwks.url': 'http://elsewhere.example' },
  }),
  client('hms-auth', 'redirect addresses', /redirectUris/, {
    redirectUris: ['https://elsewhere.example/*'],
    standardFlowEnabled: true,
  }),
  client('hms-auth', 'authorization services', /authorizationServicesEnabled/, { authorizationServicesEnabled: true }),
  [
    'node of a client',
    /update client hms-auth \(without node elsewhere\.example/,
    (send, { client }) => send('POST', `/clients/${client('hms-auth')}/nodes`, { node: 'elsewhere.example' }),
  ],
  client('hms-portal', 'direct grant', /directAccessGrantsEnabled/, { directAccessGrantsEnabled: true }),
  client('hms-portal', 'implicit flow', /implicitFlowEnabled/, { implicitFlowEnabled: true }),
  client('hms-portal', 'redirect addresses', /redirectUris/, { redirectUris: ['*'] }),
  client('hms-portal', 'logout redirects', /attributes\.post\.logout\.redirect\.uris/, {
    attributes: { 'post.logout.redirect.uris': '*' },
  }),
  client('hms-portal', 'home page', /baseUrl/, { baseUrl: 'https://elsewhere.example', description: 'x' }),
  client('hms-portal', 'not-before', /notBefore/, { notBefore: 99 }),
  client('hms-portal', 'no PKCE', /attributes\.pkce/, { attributes: { 'pkce.code.challenge.method': '' } }),
  client('hms-display', 'all roles', /fullScopeAllowed/, { fullScopeAllowed: true }),
  client('hms-display', 'consent', /consentRequired/, { consentRequired: true }),
  client('hms-display', 'service account', /serviceAccountsEnabled/, { serviceAccountsEnabled: true }),
  client('hms-display', 'device grant', /attributes\.oauth2\.device/, {
    attributes: { 'oauth2.device.authorization.grant.enabled': 'true' },
  }),
  client('hms-display', 'for anybody', /publicClient/, { publicClient: true }),
  client('hms-impersonation', 'all roles', /fullScopeAllowed/, { fullScopeAllowed: true }),
  client('hms-impersonation', 'long tokens', /attributes\.access\.token\.lifespan/, {
    attributes: { 'access.token.lifespan': '86400' },
  }),
  client('hms-impersonation', 'direct grant', /directAccessGrantsEnabled/, { directAccessGrantsEnabled: true }),
  client('hms-impersonation', 'service account', /serviceAccountsEnabled/, { serviceAccountsEnabled: true }),
  [
    'hms-impersonation: role of an owner',
    /roles in tokens of client hms-impersonation \(without OWNER/,
    (send, { client, role }) =>
      send('POST', `/clients/${client('hms-impersonation')}/scope-mappings/realm`, [role('OWNER')]),
  ],
  [
    'hms-impersonation: claim without the actor',
    /delete mapper everybody owns of client hms-impersonation/,
    (send, { client }) => send('POST', `/clients/${client('hms-impersonation')}/protocol-mappers/models`, ROLES_MAPPER),
  ],
  client('admin-cli', 'switched on', /enabled/, { enabled: true }),
  [
    'scope removed from a client',
    /scopes of client hms-auth \(.*with hospital/,
    (send, { client, scope }) =>
      send('DELETE', `/clients/${client('hms-auth')}/default-client-scopes/${scope('hospital')}`),
  ],
  [
    'optional scope of a client',
    /scopes of client hms-display \(without offline_access/,
    (send, { client, scope }) =>
      send('PUT', `/clients/${client('hms-display')}/optional-client-scopes/${scope('offline_access')}`, {}),
  ],
  [
    'default scope for new clients',
    /scopes of realm .*without offline_access/,
    (send, { scope }) => send('PUT', `/default-default-client-scopes/${scope('offline_access')}`, {}),
  ],
  [
    'role for everybody by a mapper in a scope',
    /delete mapper everybody owns of client scope basic/,
    (send, { scope }) => send('POST', `/client-scopes/${scope('basic')}/protocol-mappers/models`, ROLES_MAPPER),
  ],
  [
    'role for everybody by a mapper on a client',
    /delete mapper everybody owns of client hms-auth/,
    (send, { client }) => send('POST', `/clients/${client('hms-auth')}/protocol-mappers/models`, ROLES_MAPPER),
  ],
  [
    'role for everybody by a new default scope',
    /delete client scope owners/,
    async (send, { client }) => {
      const id = await send('POST', '/client-scopes', {
        name: 'owners',
        protocol: 'openid-connect',
        protocolMappers: [ROLES_MAPPER],
      });
      await send('PUT', `/default-default-client-scopes/${id}`, {});
      await send('PUT', `/clients/${client('hms-portal')}/default-client-scopes/${id}`, {});
    },
  ],
  [
    'configuration of a mapper',
    /update mapper audience of client scope hospital \(config/,
    async (send, { scope, realm }) => {
      const mappers: { id: string; name: string; config: object }[] = realm.clientScopes?.find(
        ({ name }) => name === 'hospital',
      ).protocolMappers;
      const mapper = mappers.find(({ name }) => name === 'audience');
      const config = { ...mapper?.config, 'included.client.audience': 'hms-portal' };
      await send('PUT', `/client-scopes/${scope('hospital')}/protocol-mappers/models/${mapper?.id}`, {
        ...mapper,
        config,
      });
    },
  ],
  [
    'mapper removed',
    /create mapper sub of client scope basic/,
    (send, { scope, realm }) => {
      const mappers: { id: string; name: string }[] = realm.clientScopes?.find(
        ({ name }) => name === 'basic',
      ).protocolMappers;
      const mapper = mappers.find(({ name }) => name === 'sub');
      return send('DELETE', `/client-scopes/${scope('basic')}/protocol-mappers/models/${mapper?.id}`);
    },
  ],
  [
    'attribute of a scope',
    /update client scope email \(attributes/,
    async (send, { scope, realm }) => {
      const found = realm.clientScopes?.find(({ name }) => name === 'email');
      await send('PUT', `/client-scopes/${scope('email')}`, {
        ...found,
        description: 'x',
        attributes: { 'consent.screen.text': 'x' },
      });
    },
  ],
  [
    'scope removed',
    /create client scope web-origins/,
    (send, { scope }) => send('DELETE', `/client-scopes/${scope('web-origins')}`),
  ],
  [
    'role that a client may get',
    /roles in tokens of client hms-display \(without OWNER/,
    (send, { client, role }) => send('POST', `/clients/${client('hms-display')}/scope-mappings/realm`, [role('OWNER')]),
  ],
  [
    "another client's role that a client may get",
    /roles in tokens of client hms-portal \(without realm-management\/realm-admin/,
    (send, { client, clientRole }) =>
      send('POST', `/clients/${client('hms-portal')}/scope-mappings/clients/${client('realm-management')}`, [
        clientRole('realm-management', 'realm-admin'),
      ]),
  ],
  [
    'role that comes with a scope',
    /roles in tokens of client scope roles \(without OWNER/,
    (send, { scope, role }) => send('POST', `/client-scopes/${scope('roles')}/scope-mappings/realm`, [role('OWNER')]),
  ],
];
