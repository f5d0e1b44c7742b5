import { STATUS_CODES } from 'node:http';
import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client';
import type { Calls } from '../calls.ts';
import { BackendError, type ErrorKind, isConnectionError, retryAfterMs, unreachable } from '../errors.ts';

export interface KeycloakSettings {
  /** Address with /auth. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Timeout of a request to Keycloak. */
export const TIMEOUT_MS = 30_000;
const CONFLICT_HINT = 'another writer changed the same object, or an earlier request completed late: retrying';
const SERVER_ERROR_HINT = 'see its log; often its own database is unavailable';
/** Seconds before its end from which a token is no longer used. */
const LEEWAY_S = 10;

/** Keycloak's Admin API as the operator's service account, which needs only the role create-realm of `master`. */
export class Keycloak {
  readonly #settings: KeycloakSettings;
  readonly #admin: KeycloakAdminClient;
  readonly #calls: Calls;
  #token: Token | undefined;

  constructor(settings: KeycloakSettings, calls: Calls) {
    this.#settings = settings;
    this.#calls = calls;
    this.#admin = new KeycloakAdminClient({ baseUrl: settings.url, realmName: 'master', timeout: TIMEOUT_MS });
    this.#admin.registerTokenProvider({ getAccessToken: () => this.#accessToken() });
  }

  /**
   * Runs `work` with the admin client.
   * @param op the operation, for the metrics.
   * @throws BackendError with Keycloak's message.
   */
  call<T>(op: string, work: (admin: KeycloakAdminClient) => Promise<T>): Promise<T> {
    return this.#calls.run(op, async () => {
      try {
        return await work(this.#admin);
      } catch (error) {
        throw this.#explain(error);
      }
    });
  }

  /** Requests a token, which involves Keycloak and its database. @throws if there is none. */
  ping(): Promise<void> {
    return this.#calls.ping((signal) => this.#freshToken(signal));
  }

  /**
   * A token of one of a realm's own clients.
   * @returns undefined if the realm does not accept the client's secret. @throws BackendError
   */
  clientToken(realm: string, clientId: string, secret: string): Promise<Token | undefined> {
    return this.#calls.run('client-token', async () => {
      const { response, now } = await this.#requestToken(realm, clientId, secret, AbortSignal.timeout(TIMEOUT_MS));
      if (response.ok) return tokenIn(response, now);
      const answer = (await response.json().catch(() => ({}))) as { error?: string; error_description?: string };
      if (response.status === 401 || answer.error === 'invalid_client') return undefined;
      const sentence = `realm ${realm} gives client ${clientId} no token (${response.status} ${answer.error_description ?? answer.error ?? ''})`;
      throw new BackendError(kindOf(response.status), sentence);
    });
  }

  /** Called before each request, so a process that is no longer the leader is stopped here. */
  async #accessToken(): Promise<string> {
    this.#calls.fence();
    const now = Date.now() / 1000;
    if (!this.#token || this.#token.until <= now) {
      this.#token = await this.#freshToken(AbortSignal.timeout(TIMEOUT_MS));
      this.#calls.fence();
    }
    return this.#token.value;
  }

  async #freshToken(signal: AbortSignal): Promise<Token> {
    const { clientId, clientSecret } = this.#settings;
    const { response, now } = await this.#requestToken('master', clientId, clientSecret, signal);
    if (!response.ok) {
      const sentence = `Keycloak gives the operator's client ${this.#settings.clientId} no token (${response.status})`;
      const wait = retryAfterMs(response.headers.get('retry-after'));
      if (response.status === 429) throw new BackendError('Unavailable', sentence, undefined, wait);
      if (response.status >= 500)
        throw new BackendError('Unavailable', `${sentence}; ${SERVER_ERROR_HINT}`, undefined, wait);
      throw new BackendError('Forbidden', `${sentence}: check KEYCLOAK_CLIENT_ID and KEYCLOAK_CLIENT_SECRET`);
    }
    return tokenIn(response, now);
  }

  async #requestToken(realm: string, clientId: string, secret: string, signal: AbortSignal) {
    const now = Date.now() / 1000;
    try {
      const response = await fetch(`${this.#settings.url}/realms/${realm}/protocol/openid-connect/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
        signal,
      });
      return { response, now };
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #explain(error: unknown): unknown {
    if (error instanceof NetworkError) {
      const { status } = error.response;
      if (status === 401) this.#token = undefined;
      const wait = retryAfterMs(error.response.headers.get('retry-after'));
      const hint = status >= 500 ? `; ${SERVER_ERROR_HINT}` : status === 409 ? `; ${CONFLICT_HINT}` : '';
      return new BackendError(kindOf(status), `Keycloak answered ${status}: ${reasonOf(error)}${hint}`, error, wait);
    }
    return isConnectionError(error) ? unreachable('Keycloak', this.#settings.url, error) : error;
  }
}

async function tokenIn(response: Response, now: number): Promise<Token> {
  const { access_token: value, expires_in: seconds } = (await response.json()) as TokenAnswer;
  return { value, until: now + seconds - LEEWAY_S };
}

interface Token {
  readonly value: string;
  /** Seconds since 1970. */
  readonly until: number;
}

interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in: number;
}

function kindOf(status: number): ErrorKind {
  if (status === 404) return 'NotFound';
  // Another owner's objects are found by their mark before anything is written. A conflict on a write comes from
  // another writer, or from an earlier request of the operator that timed out but completed.
  if (status === 409) return 'Unavailable';
  if (status === 403) return 'Forbidden';
  if (status === 401 || status === 429 || status >= 500) return 'Unavailable';
  return 'Invalid';
}

/** Keycloak's message with its field, or the text of the status if it has none. */
function reasonOf({ response: { status }, responseData }: NetworkError): string {
  const answer = isAnswer(responseData) ? responseData : {};
  const refusals: readonly unknown[] = Array.isArray(answer.errors) ? answer.errors : [answer];
  const sentences = refusals.filter(isAnswer).map(sentenceOf).filter(Boolean);
  return sentences.join('; ') || STATUS_CODES[status] || 'it does not say why';
}

/** Without `params`, which repeat the values that were sent. */
function sentenceOf({ field, errorMessage, error, error_description: description }: Answer): string {
  return [field, errorMessage ?? error, description].filter((part) => typeof part === 'string').join(': ');
}

/** Each part of Keycloak uses other fields of these. */
type Answer = Readonly<Record<string, unknown>>;

function isAnswer(data: unknown): data is Answer {
  return typeof data === 'object' && data !== null;
}
