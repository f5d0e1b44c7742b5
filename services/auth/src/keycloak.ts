/** Keycloak's token endpoints, as the clients of the auth module in each realm. Calls are never retried. */
import { HOSPITAL_SUSPENDED, IDENTITY_UNAVAILABLE, Problem } from '@hms/service';
import { ASSERTION_PROVIDERS, IMPERSONATION_CLIENT, issuerOf } from '@hms/tenancy';
import { Agent, request } from 'undici';
import type { SigningKey } from './signing-key.ts';
import {
  type ImpersonationAnswer,
  readImpersonationAnswer,
  readServiceToken,
  readTokenAnswer,
  type TokenAnswer,
} from './token-answer.ts';

export interface Keycloak {
  /** Direct grant. @param clientAddress for Keycloak's events and its brute-force protection. */
  login(realm: string, username: string, password: string, clientAddress: string): Promise<TokenAnswer>;
  refresh(realm: string, refreshToken: string, clientAddress: string): Promise<TokenAnswer>;
  /** Ends the session of a refresh token. An expired token is not an error. */
  logout(realm: string, refreshToken: string, clientAddress: string): Promise<void>;
  /**
   * A token of a person for somebody who acts as them (JWT authorization grant, RFC 7523).
   * @param subject id of the account. @param until the token expires then at the latest.
   */
  impersonate(realm: string, subject: string, until: Date, clientAddress: string): Promise<ImpersonationAnswer>;
  /**
   * An access token of a display's account, without a session: the module vouches for the display (RFC 7523).
   * @returns undefined if Keycloak has no open account that is linked to the display.
   */
  displayToken(realm: string, displayId: string): Promise<DisplayToken | undefined>;
  /** A token of the client's own service account, for Keycloak's Admin API. */
  serviceToken(realm: string): Promise<ServiceToken>;
}

interface DisplayToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

export interface ServiceToken {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface KeycloakOptions {
  readonly baseUrl: string;
  readonly keycloakUrl: string;
}

/** The client of the auth module in each realm. */
export const CLIENT_ID = 'hms-auth';
const DISPLAY_CLIENT_ID = 'hms-display';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** @throws Problem IDENTITY_UNAVAILABLE from each function if Keycloak gives no usable response. */
export function createKeycloak({ baseUrl, keycloakUrl }: KeycloakOptions, key: SigningKey): Keycloak {
  const dispatcher = new Agent({
    connect: { timeout: 2_000 },
    // A login waits for password hashing. The first login of a realm also waits until Keycloak has fetched our keys.
    headersTimeout: 10_000,
    bodyTimeout: 5_000,
    connections: 64,
  });

  async function post(
    realm: string,
    endpoint: string,
    form: Readonly<Record<string, string>>,
    address: string,
    clientId = CLIENT_ID,
  ) {
    const body = new URLSearchParams({
      ...form,
      client_id: clientId,
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: await key.assertion(clientId, issuerOf(baseUrl, realm)),
    });
    try {
      const answer = await request(`${keycloakUrl}/realms/${realm}/protocol/openid-connect/${endpoint}`, {
        method: 'POST',
        dispatcher,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(address ? { 'x-forwarded-for': address } : {}),
        },
        body: body.toString(),
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    } catch (error) {
      throw new Problem(IDENTITY_UNAVAILABLE, { cause: error });
    }
  }

  async function tokens(...call: Parameters<typeof post>): Promise<TokenAnswer> {
    const { status, text } = await post(...call);
    const answer = readTokenAnswer(status, text);
    if (answer.kind === 'unusable') throw new Problem(IDENTITY_UNAVAILABLE, { cause: new Error(answer.reason) });
    return answer;
  }

  return {
    login: (realm, username, password, address) =>
      tokens(realm, 'token', { grant_type: 'password', scope: 'openid', username, password }, address),
    refresh: (realm, refreshToken, address) =>
      tokens(realm, 'token', { grant_type: 'refresh_token', refresh_token: refreshToken }, address),
    logout: async (realm, refreshToken, address) => {
      await tokens(realm, 'logout', { refresh_token: refreshToken }, address);
    },
    impersonate: async (realm, subject, until, address) => {
      const assertion = await key.assertionAbout(subject, issuerOf(baseUrl, realm), until);
      const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
      const { status, text } = await post(realm, 'token', form, address, IMPERSONATION_CLIENT);
      const answer = readImpersonationAnswer(status, text);
      if (answer.kind === 'unusable') throw new Problem(IDENTITY_UNAVAILABLE, { cause: new Error(answer.reason) });
      return answer;
    },
    displayToken: async (realm, displayId) => {
      const assertion = await key.assertion(ASSERTION_PROVIDERS.displays.issuer, issuerOf(baseUrl, realm), displayId);
      const { status, text } = await post(
        realm,
        'token',
        { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
        '',
        DISPLAY_CLIENT_ID,
      );
      const token = readServiceToken(status, text);
      if (token) return { accessToken: token.value, expiresIn: token.seconds };
      const answer = readTokenAnswer(status, text);
      if (answer.kind === 'refused') return undefined;
      if (answer.kind === 'realm-disabled') throw new Problem(HOSPITAL_SUSPENDED);
      throw new Problem(IDENTITY_UNAVAILABLE, {
        cause: new Error(`Keycloak answered ${status} ${text.slice(0, 200)}`),
      });
    },
    serviceToken: async (realm) => {
      const started = Date.now();
      const { status, text } = await post(realm, 'token', { grant_type: 'client_credentials' }, '');
      const token = readServiceToken(status, text);
      if (!token) throw new Problem(IDENTITY_UNAVAILABLE, { cause: new Error(`Keycloak answered ${status}`) });
      return { value: token.value, expiresAt: started + token.seconds * 1000 };
    },
  };
}
