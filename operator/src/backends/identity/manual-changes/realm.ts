import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js';
import type { ManualChange } from './manual-change.ts';

const setting = (title: string, undone: RegExp, body: object): ManualChange => [
  title,
  undone,
  (send) => send('PUT', '', body),
];
const attribute = (title: string, key: string, value: string): ManualChange => [
  title,
  new RegExp(`attributes.${key.replaceAll('.', '\\.')}`),
  async (send) => {
    const { attributes } = (await send('GET', '')) as RealmRepresentation;
    await send('PUT', '', { attributes: { ...attributes, [key]: value } });
  },
];

/** Changes of the realm's own settings, flows and required actions. */
export const REALM_CHANGES: readonly ManualChange[] = [
  setting('signature algorithm', /defaultSignatureAlgorithm/, { defaultSignatureAlgorithm: 'ES256' }),
  setting('not-before in the past', /notBefore/, { notBefore: 1 }),
  setting('event listeners', /eventsListeners/, { eventsListeners: ['email'] }),
  setting('kinds of events', /enabledEventTypes/, { enabledEventTypes: ['LOGIN'] }),
  setting('password policy', /passwordPolicy/, { passwordPolicy: 'length(1)' }),
  setting('policy of one-time codes', /otpPolicyDigits/, {
    otpPolicyType: 'totp',
    otpPolicyAlgorithm: 'HmacSHA1',
    otpPolicyInitialCounter: 0,
    otpPolicyDigits: 8,
    otpPolicyLookAheadWindow: 1,
    otpPolicyPeriod: 30,
  }),
  setting('WebAuthn policy', /webAuthnPolicyRpEntityName/, { webAuthnPolicyRpEntityName: 'evil' }),
  setting('brute force detection', /bruteForceStrategy.*maxDeltaTimeSeconds|maxDeltaTimeSeconds/, {
    bruteForceStrategy: 'LINEAR',
    maxDeltaTimeSeconds: 1,
  }),
  setting('permanent lockout', /permanentLockout/, { permanentLockout: true }),
  setting('TLS', /sslRequired/, { sslRequired: 'none' }),
  setting('self-registration', /registrationAllowed/, { registrationAllowed: true }),
  setting('remember me', /rememberMe/, { rememberMe: true }),
  setting('e-mail verification', /verifyEmail/, { verifyEmail: true }),
  setting('offline sessions', /offlineSessionIdleTimeout/, { offlineSessionIdleTimeout: 99_999_999 }),
  setting('client sessions', /clientSessionMaxLifespan/, { clientSessionMaxLifespan: 60 }),
  setting('lifespan of action links', /actionTokenGeneratedByAdminLifespan/, {
    actionTokenGeneratedByAdminLifespan: 9_999_999,
  }),
  setting('implicit flow lifespan', /accessTokenLifespanForImplicitFlow/, {
    accessTokenLifespanForImplicitFlow: 99_999,
  }),
  setting('login theme', /loginTheme/, { loginTheme: 'keycloak' }),
  setting('HTML name', /displayNameHtml/, { displayNameHtml: '<b>x</b>' }),
  setting('languages', /internationalizationEnabled/, {
    internationalizationEnabled: true,
    supportedLocales: ['de', 'fr'],
    defaultLocale: 'de',
  }),
  setting('user-managed access', /userManagedAccessAllowed/, { userManagedAccessAllowed: true }),
  setting('organizations', /organizationsEnabled/, { organizationsEnabled: true }),
  setting('rights of administrators', /adminPermissionsEnabled/, { adminPermissionsEnabled: true }),
  [
    'client of these rights, which Keycloak does not delete',
    /update client admin-permissions \(enabled/,
    async (send) => {
      const [found] = (await send('GET', '/clients?clientId=admin-permissions')) as { id: string }[];
      await send('PUT', `/clients/${found?.id}`, {
        ...found,
        directAccessGrantsEnabled: true,
        fullScopeAllowed: true,
        secret: 'known',
      });
    },
  ],
  setting('client policies', /clientPolicies/, {
    clientPolicies: { policies: [{ name: 'p', enabled: true, conditions: [], profiles: [] }] },
  }),
  setting('client profiles', /clientProfiles/, { clientProfiles: { profiles: [{ name: 'x', executors: [] }] } }),
  [
    'headers for browsers',
    /browserSecurityHeaders/,
    (send, { realm }) =>
      send('PUT', '', { browserSecurityHeaders: { ...realm.browserSecurityHeaders, xFrameOptions: '', added: 'x' } }),
  ],
  [
    'mail server with an account',
    /smtpServer/,
    (send, { realm }) =>
      send('PUT', '', {
        smtpServer: { ...realm.smtpServer, auth: 'true', user: 'x', password: 'y', replyTo: 'a@b.example' },
      }),
  ],
  setting('browser flow', /browserFlow/, { browserFlow: 'registration' }),
  setting('direct grant flow', /directGrantFlow/, { directGrantFlow: 'docker auth' }),
  attribute('frontend URL', 'frontendUrl', 'https://elsewhere.example'),
  attribute('unknown attribute', 'added', 'x'),
  attribute('lifespan of backchannel logins', 'cibaExpiresIn', '60'),
  attribute("the owner's mark", 'hms.ownerUid', 'somebody'),

  [
    'requirement in a flow',
    /update flow forms|update flow Direct Grant/,
    async (send) => {
      const path = '/authentication/flows/direct%20grant/executions';
      const executions = (await send('GET', path)) as { providerId?: string; requirement: string }[];
      const password = executions.find(({ providerId }) => providerId === 'direct-grant-validate-otp');
      await send('PUT', path, { ...password, requirement: 'DISABLED' });
    },
  ],
  [
    'no password in the direct grant',
    /update flow direct grant \(direct-grant-validate-password\)/,
    async (send) => {
      const path = '/authentication/flows/direct%20grant/executions';
      const executions = (await send('GET', path)) as { providerId?: string; requirement: string }[];
      const password = executions.find(({ providerId }) => providerId === 'direct-grant-validate-password');
      await send('PUT', path, { ...password, requirement: 'DISABLED' });
    },
  ],
  [
    'order in a flow',
    /update flow registration form/,
    async (send) => {
      const path = '/authentication/flows/registration%20form/executions';
      const [first] = (await send('GET', path)) as { priority: number }[];
      await send('PUT', path, { ...first, priority: 999 });
    },
  ],
  [
    'configuration of a flow',
    /configuration review profile config/,
    (send, { realm }) => {
      const config = realm.authenticatorConfig?.find(({ alias }) => alias === 'review profile config');
      return send('PUT', `/authentication/config/${config.id}`, {
        ...config,
        config: { 'update.profile.on.first.login': 'off' },
      });
    },
  ],
  [
    'name of a flow',
    /update flow docker auth \(was named/,
    (send, { flow, realm }) => {
      const docker = realm.authenticationFlows?.find(({ alias }) => alias === 'docker auth');
      return send('PUT', `/authentication/flows/${flow('docker auth')}`, { ...docker, alias: 'renamed' });
    },
  ],
  [
    'added flow',
    /delete flow added/,
    (send) =>
      send('POST', '/authentication/flows', {
        alias: 'added',
        providerId: 'basic-flow',
        topLevel: true,
        builtIn: false,
      }),
  ],
  [
    "requirement in the operator's flow",
    /update flow existing session \(deny-access-authenticator\)/,
    async (send) => {
      const path = '/authentication/flows/existing%20session/executions';
      const executions = (await send('GET', path)) as { readonly providerId?: string }[];
      const deny = executions.find(({ providerId }) => providerId === 'deny-access-authenticator');
      return send('PUT', path, { ...deny, requirement: 'DISABLED' });
    },
  ],
  [
    "step added to the operator's flow",
    /update flow existing session \(with auth-cookie, without auth-username-password-form\)/,
    (send) =>
      send('POST', '/authentication/flows/existing%20session/executions/execution', {
        provider: 'auth-username-password-form',
      }),
  ],
  [
    "step removed from the operator's flow",
    /update flow existing session \(with auth-cookie, without/,
    async (send) => {
      const path = '/authentication/flows/existing%20session/executions';
      const executions = (await send('GET', path)) as { readonly providerId?: string; readonly id?: string }[];
      const cookie = executions.find(({ providerId }) => providerId === 'auth-cookie');
      return send('DELETE', `/authentication/executions/${cookie?.id}`);
    },
  ],
  [
    'flow of a client',
    /update client hms-portal .*authenticationFlowBindingOverrides/,
    (send, { client, flow }) =>
      send('PUT', `/clients/${client('hms-portal')}`, {
        authenticationFlowBindingOverrides: { browser: flow('registration') },
      }),
  ],
  [
    'required action',
    /update required action UPDATE_PROFILE \(defaultAction/,
    (send, { realm }) => {
      const action = realm.requiredActions?.find(({ alias }) => alias === 'UPDATE_PROFILE');
      return send('PUT', '/authentication/required-actions/UPDATE_PROFILE', { ...action, defaultAction: true });
    },
  ],
  [
    'required action removed',
    /create required action UPDATE_PASSWORD/,
    (send) => send('DELETE', '/authentication/required-actions/UPDATE_PASSWORD'),
  ],
  [
    'scopes of registered clients',
    /update component Allowed Client Scopes .*config\.allowed-client-scopes/,
    async (send) => {
      const components = (await send('GET', '/components')) as { id: string; providerId: string; config: object }[];
      const policy = components.find(({ providerId }) => providerId === 'allowed-client-templates');
      const config = { ...policy?.config, 'allowed-client-scopes': ['hospital'] };
      await send('PUT', `/components/${policy?.id}`, { ...policy, config });
    },
  ],
];
