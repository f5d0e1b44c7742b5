/**
 * The realm of a hospital as one representation: what a single `POST /admin/realms` creates, and what the export of an
 * existing realm is compared with. Pure. Fields and traps: Keycloak 26.7.
 */

import type { SecondFactor } from '@hms/database';
import type { MailServer } from '@hms/mail';
import {
  ASSERTION_PROVIDERS,
  AUDIENCE,
  type HospitalRole,
  IMPERSONATION_CLIENT,
  NEVER_IMPERSONATED,
  PASSWORD_POLICY,
} from '@hms/tenancy';
import type ClientRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientRepresentation.js';
import type ClientScopeRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientScopeRepresentation.js';
import type IdentityProviderRepresentation from '@keycloak/keycloak-admin-client/lib/defs/identityProviderRepresentation.js';
import type ProtocolMapperRepresentation from '@keycloak/keycloak-admin-client/lib/defs/protocolMapperRepresentation.js';
import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js';
import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js';
import type UserRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userRepresentation.js';

export interface RealmSettings {
  readonly name: string;
  /** UUID of the realm: its owner's mark. */
  readonly id: string;
  /** uid of the object that the realm belongs to. */
  readonly ownerUid: string;
  readonly displayName: string;
  readonly enabled: boolean;
  readonly secondFactor: SecondFactor;
  readonly roles: readonly string[];
  /** Claims of every token of the realm. */
  readonly claims: Readonly<Record<string, string>>;
  readonly accessTokenSeconds: number;
  /** Whether the platform's people may act as people of this realm. */
  readonly impersonation: boolean;
  /** Origins of the pages that people log in from. */
  readonly origins: readonly string[];
  /** Where Keycloak finds the auth module's public keys. */
  readonly authJwksUrl: string;
  readonly smtp: SmtpSettings;
}

export interface SmtpSettings extends Omit<MailServer, 'login'> {
  /** `passwordMark` changes with the password, and does not reveal it. */
  readonly login?: { readonly user: string; readonly password: string; readonly passwordMark: string } | undefined;
}

/** A realm representation with all fields that the operator manages. */
export interface ManagedRealm extends RealmRepresentation {
  readonly realm: string;
  readonly id: string;
  readonly roles: { readonly realm: RoleRepresentation[] };
  readonly clientScopes: ClientScopeRepresentation[];
  readonly clients: ClientRepresentation[];
  readonly identityProviders: IdentityProviderRepresentation[];
  readonly users: UserRepresentation[];
}

/** Realm attribute with the uid of the Hospital object. */
export const OWNER_ATTRIBUTE = 'hms.ownerUid';
/** Realm attribute with the last invited address, so that nobody is invited twice. */
export const INVITED_ATTRIBUTE = 'hms.invitedOwner';
/** Realm attribute with the mark of the mail server's password, because Keycloak never shows the password. */
export const SMTP_PASSWORD_ATTRIBUTE = 'hms.smtpPasswordMark';
/** Keycloak's service account of the client hms-auth. */
const AUTH_SERVICE_ACCOUNT = 'service-account-hms-auth';
/** Client with which the operator verifies that people of the hospital are served. */
export const PROBE_CLIENT = 'hms-probe';
const PROBE_TOKEN_SECONDS = 60;
/** A token that was issued just before an impersonation ended is refused by the modules, and expires this soon. */
const IMPERSONATION_TOKEN_SECONDS = 120;
/** What the auth module may do in the realm. A misspelt name would be created as a new role. */
const AUTH_REALM_ROLES = ['manage-users', 'query-users', 'view-events', 'view-realm', 'view-users'];

/** A flow of the login page that continues a session and never begins one. */
const SESSION_FLOW = {
  alias: 'existing session',
  description: 'Continues a session that the auth module has begun',
  providerId: 'basic-flow',
  topLevel: true,
  builtIn: false,
  authenticationExecutions: ['auth-cookie', 'deny-access-authenticator'].map((authenticator, index) => ({
    authenticator,
    authenticatorFlow: false,
    requirement: 'ALTERNATIVE',
    priority: 10 * (index + 1),
    autheticatorFlow: false,
    userSetupAllowed: false,
  })),
};

const DISPLAY: HospitalRole = 'DISPLAY';
const { displays: DISPLAYS, impersonations: IMPERSONATIONS } = ASSERTION_PROVIDERS;
const DAY_S = 86_400;

export function realmRepresentation(settings: RealmSettings): ManagedRealm {
  const scopes = clientScopes(settings.claims);
  return {
    id: settings.id,
    realm: settings.name,
    displayName: settings.displayName,
    enabled: settings.enabled,
    sslRequired: 'external',
    registrationAllowed: false,
    loginWithEmailAllowed: true,
    duplicateEmailsAllowed: false,
    // The auth module sends codes for forgotten passwords. Keycloak's own page has no limit, and its link is a whole login.
    resetPasswordAllowed: false,
    editUsernameAllowed: false,
    accessTokenLifespan: settings.accessTokenSeconds,
    ssoSessionIdleTimeout: 1_800,
    ssoSessionMaxLifespan: 43_200,
    revokeRefreshToken: true,
    // Otherwise, a client that loses one response could never refresh again.
    refreshTokenMaxReuse: 1,
    bruteForceProtected: true,
    failureFactor: 10,
    waitIncrementSeconds: 60,
    maxFailureWaitSeconds: 900,
    // With the default of 1000, two wrong passwords within a second lock the account.
    quickLoginCheckMilliSeconds: 0,
    passwordPolicy: PASSWORD_POLICY,
    eventsEnabled: true,
    eventsExpiration: 90 * DAY_S,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: false,
    smtpServer: smtpServer(settings.smtp),
    authenticationFlows: [SESSION_FLOW],
    // The auth module checks the code. Keycloak's own login page would give tokens for a password alone.
    browserFlow: settings.secondFactor === 'Email' ? SESSION_FLOW.alias : 'browser',
    attributes: {
      [OWNER_ATTRIBUTE]: settings.ownerUid,
      adminEventsExpiration: String(90 * DAY_S),
      ...(settings.smtp.login ? { [SMTP_PASSWORD_ATTRIBUTE]: settings.smtp.login.passwordMark } : {}),
    },
    roles: { realm: settings.roles.map((name) => ({ name })) },
    clientScopes: scopes,
    defaultDefaultClientScopes: scopes.map(({ name = '' }) => name),
    // With the scope offline_access, a client would get tokens that never expire.
    defaultOptionalClientScopes: [],
    clients: clients(
      settings,
      scopes.map(({ name = '' }) => name),
    ),
    identityProviders: [
      assertionProvider(DISPLAYS, settings),
      ...(settings.impersonation ? [assertionProvider(IMPERSONATIONS, settings)] : []),
    ],
    scopeMappings: scopeMappings(settings),
    users: [
      {
        username: AUTH_SERVICE_ACCOUNT,
        enabled: true,
        serviceAccountClientId: 'hms-auth',
        clientRoles: { 'realm-management': AUTH_REALM_ROLES },
      },
      // Without a role: its token gives access only to what any token may read.
      { username: `service-account-${PROBE_CLIENT}`, enabled: true, serviceAccountClientId: PROBE_CLIENT },
    ],
  };
}

/** The roles that the tokens of a client may carry, whoever they are for. */
function scopeMappings({ roles, impersonation }: RealmSettings) {
  const impersonated = roles.filter((role) => !NEVER_IMPERSONATED.includes(role));
  return [
    ...(roles.includes(DISPLAY) ? [{ client: 'hms-display', roles: [DISPLAY] }] : []),
    ...(impersonation && impersonated.length > 0 ? [{ client: IMPERSONATION_CLIENT, roles: impersonated }] : []),
  ];
}

/**
 * Trusts the auth module to say for whom it wants a token (JWT authorization grant, RFC 7523). Keycloak finds the account
 * by its link to the provider. Login pages don't show it.
 */
function assertionProvider(
  { alias, issuer }: { readonly alias: string; readonly issuer: string },
  { authJwksUrl: jwksUrl }: RealmSettings,
): IdentityProviderRepresentation {
  return {
    alias,
    providerId: 'jwt-authorization-grant',
    enabled: true,
    types: ['JWT_AUTHORIZATION_GRANT'],
    config: {
      issuer,
      useJwksUrl: 'true',
      jwksUrl,
      jwtAuthorizationGrantEnabled: 'true',
      jwtAuthorizationGrantAssertionSignatureAlg: 'RS256',
      // A token expires with its assertion: one of an impersonation when that ends, at the latest.
      ...(alias === IMPERSONATIONS.alias ? { jwtAuthorizationGrantLimitAccessTokenExp: 'true' } : {}),
    },
  } as IdentityProviderRepresentation;
}

/** Keycloak's values are strings. */
function smtpServer({ host, port, tls, login, from }: SmtpSettings): Record<string, string> {
  return {
    host,
    port: String(port),
    from,
    ...(tls === 'starttls' ? { starttls: 'true' } : {}),
    ...(tls === 'implicit' ? { ssl: 'true' } : {}),
    ...(login ? { auth: 'true', user: login.user, password: login.password } : {}),
  };
}

function clients(settings: RealmSettings, scopes: string[]): ClientRepresentation[] {
  const assertions = {
    'use.jwks.url': 'true',
    'jwks.url': settings.authJwksUrl,
    'token.endpoint.auth.signing.alg': 'RS256',
  };
  const clientList: ClientRepresentation[] = [
    {
      clientId: 'hms-auth',
      name: 'Auth module',
      enabled: true,
      publicClient: false,
      // It signs its requests with its own key, so no secret per hospital needs storing.
      clientAuthenticatorType: 'client-jwt',
      directAccessGrantsEnabled: true,
      serviceAccountsEnabled: true,
      standardFlowEnabled: false,
      attributes: assertions,
    },
    {
      clientId: 'hms-portal',
      name: 'Portal',
      enabled: true,
      publicClient: true,
      standardFlowEnabled: true,
      directAccessGrantsEnabled: false,
      redirectUris: settings.origins.map((origin) => `${origin}/*`),
      webOrigins: [...settings.origins],
      attributes: { 'pkce.code.challenge.method': 'S256' },
    },
    {
      clientId: 'hms-display',
      name: 'Television display',
      enabled: true,
      publicClient: false,
      // The auth module uses it, for displays that an administrator has approved.
      clientAuthenticatorType: 'client-jwt',
      standardFlowEnabled: false,
      directAccessGrantsEnabled: false,
      fullScopeAllowed: false,
      attributes: {
        ...assertions,
        'oauth2.jwt.authorization.grant.enabled': 'true',
        'oauth2.jwt.authorization.grant.idp': DISPLAYS.alias,
      },
      protocolMappers: [
        mapper('display', 'oidc-usermodel-property-mapper', {
          'user.attribute': 'username',
          'claim.name': 'display_id',
          'jsonType.label': 'String',
        }),
      ],
    },
    {
      clientId: PROBE_CLIENT,
      name: 'Probe of the operator',
      enabled: true,
      publicClient: false,
      clientAuthenticatorType: 'client-secret',
      serviceAccountsEnabled: true,
      standardFlowEnabled: false,
      directAccessGrantsEnabled: false,
      fullScopeAllowed: false,
      attributes: { 'access.token.lifespan': String(PROBE_TOKEN_SECONDS) },
    },
    {
      clientId: IMPERSONATION_CLIENT,
      name: 'Impersonation by the platform',
      // In every realm, so that the realm of the platform's own users has it closed.
      enabled: settings.impersonation,
      publicClient: false,
      clientAuthenticatorType: 'client-jwt',
      standardFlowEnabled: false,
      directAccessGrantsEnabled: false,
      serviceAccountsEnabled: false,
      // Never the roles of an owner.
      fullScopeAllowed: false,
      attributes: {
        'use.jwks.url': 'true',
        'jwks.url': settings.authJwksUrl,
        'token.endpoint.auth.signing.alg': 'RS256',
        'oauth2.jwt.authorization.grant.enabled': 'true',
        'oauth2.jwt.authorization.grant.idp': IMPERSONATIONS.alias,
        'access.token.lifespan': String(IMPERSONATION_TOKEN_SECONDS),
      },
      // RFC 8693. Keycloak can name the program here. Who uses it is in the registry, under the id of the token.
      protocolMappers: [
        mapper('act', 'oidc-hardcoded-claim-mapper', {
          'claim.name': 'act',
          'claim.value': JSON.stringify({ sub: IMPERSONATION_CLIENT }),
          'jsonType.label': 'JSON',
        }),
      ],
    },
    // Keycloak creates these in every realm. admin-cli would issue any user a token for the password alone.
    ...['admin-cli', 'account', 'account-console', 'security-admin-console'].map((clientId) => ({
      clientId,
      enabled: false,
    })),
  ];
  return [
    ...clientList.map((client) => ({ ...client, defaultClientScopes: scopes, optionalClientScopes: [] })),
    // Keycloak creates it with the first invitation if it is missing.
    {
      clientId: '_system',
      name: '_system',
      enabled: true,
      publicClient: false,
      fullScopeAllowed: false,
      defaultClientScopes: [],
      optionalClientScopes: [],
    },
  ];
}

/** These replace Keycloak's built-in scopes, which it does not create if the POST contains scopes. */
function clientScopes(claims: Readonly<Record<string, string>>): ClientScopeRepresentation[] {
  const hospital = Object.entries(claims).map(([claim, value]) =>
    mapper(claim, 'oidc-hardcoded-claim-mapper', {
      'claim.name': claim,
      'claim.value': value,
      'jsonType.label': 'String',
    }),
  );
  return [
    scope('basic', [
      mapper('sub', 'oidc-sub-mapper', {}),
      mapper('auth_time', 'oidc-usersessionmodel-note-mapper', {
        'user.session.note': 'AUTH_TIME',
        'claim.name': 'auth_time',
        'jsonType.label': 'long',
      }),
    ]),
    scope('roles', [
      mapper('realm roles', 'oidc-usermodel-realm-role-mapper', {
        'claim.name': 'realm_access.roles',
        'jsonType.label': 'String',
        multivalued: 'true',
      }),
    ]),
    scope('profile', [mapper('full name', 'oidc-full-name-mapper', {})]),
    scope('email', [
      mapper('email', 'oidc-usermodel-attribute-mapper', {
        'user.attribute': 'email',
        'claim.name': 'email',
        'jsonType.label': 'String',
      }),
      mapper('email verified', 'oidc-usermodel-property-mapper', {
        'user.attribute': 'emailVerified',
        'claim.name': 'email_verified',
        'jsonType.label': 'boolean',
      }),
    ]),
    scope('web-origins', [mapper('allowed web origins', 'oidc-allowed-origins-mapper', {})]),
    scope('hospital', [
      ...hospital,
      mapper('audience', 'oidc-audience-mapper', { 'included.custom.audience': AUDIENCE }),
    ]),
  ];
}

function scope(name: string, protocolMappers: ProtocolMapperRepresentation[]): ClientScopeRepresentation {
  return { name, protocol: 'openid-connect', protocolMappers };
}

function mapper(name: string, protocolMapper: string, config: Record<string, string>): ProtocolMapperRepresentation {
  return { name, protocol: 'openid-connect', protocolMapper, config: { ...config, 'access.token.claim': 'true' } };
}
