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

const TIMEOUT_MS = 30_000;
const SERVER_ERROR_HINT = 'its log says why, often that its own database is away';
/** Seconds before its end from which a token is no longer used. */
const LEEWAY_S = 10;

/** Keycloak's Admin API as the operator's service account, which needs the role create-realm of `master` only. */
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
   * @param op what is done, for the metrics.
   * @throws BackendError, with Keycloak's answer in a sentence.
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

  /** Asks for a token, which takes Keycloak and its database. @throws while there is none to be had. */
  ping(): Promise<void> {
    return this.#calls.ping((signal) => this.#freshToken(signal));
  }

  /** Asked for before each request, so this is where a leader that is none any more is held back. */
  async #accessToken(): Promise<string> {
    this.#calls.fence();
    const now = Date.now() / 1000;
    if (!this.#token || this.#token.until <= now) this.#token = await this.#freshToken(AbortSignal.timeout(TIMEOUT_MS));
    return this.#token.value;
  }

  async #freshToken(signal: AbortSignal): Promise<Token> {
    const now = Date.now() / 1000;
    const response = await fetch(`${this.#settings.url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: this.#settings.clientId,
        client_secret: this.#settings.clientSecret,
      }),
      signal,
    });
    if (!response.ok) {
      const sentence = `Keycloak gives the operator's client ${this.#settings.clientId} no token (${response.status})`;
      const wait = retryAfterMs(response.headers.get('retry-after'));
      if (response.status === 429) throw new BackendError('Unavailable', sentence, undefined, wait);
      if (response.status >= 500)
        throw new BackendError('Unavailable', `${sentence}; ${SERVER_ERROR_HINT}`, undefined, wait);
      throw new BackendError('Forbidden', `${sentence}: check KEYCLOAK_CLIENT_ID and KEYCLOAK_CLIENT_SECRET`);
    }
    const { access_token: value, expires_in: seconds } = (await response.json()) as TokenAnswer;
    return { value, until: now + seconds - LEEWAY_S };
  }

  #explain(error: unknown): unknown {
    if (error instanceof NetworkError) {
      const { status } = error.response;
      if (status === 401) this.#token = undefined;
      const wait = retryAfterMs(error.response.headers.get('retry-after'));
      const hint = status >= 500 ? `; ${SERVER_ERROR_HINT}` : '';
      return new BackendError(kindOf(status), `Keycloak answered ${status}: ${reasonOf(error)}${hint}`, error, wait);
    }
    return isConnectionError(error) ? unreachable('Keycloak', this.#settings.url, error) : error;
  }
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
  if (status === 409) return 'Conflict';
  if (status === 403) return 'Forbidden';
  if (status === 401 || status === 429 || status >= 500) return 'Unavailable';
  return 'Invalid';
}

/** What Keycloak says in its answer, with the field that it is about; the status' own words where it says nothing. */
function reasonOf({ response: { status }, responseData }: NetworkError): string {
  const answer = isAnswer(responseData) ? responseData : {};
  const refusals: readonly unknown[] = Array.isArray(answer.errors) ? answer.errors : [answer];
  const sentences = refusals.filter(isAnswer).map(sentenceOf).filter(Boolean);
  return sentences.join('; ') || STATUS_CODES[status] || 'it does not say why';
}

/** Without `params`, which repeat what was sent. */
function sentenceOf({ field, errorMessage, error, error_description: description }: Answer): string {
  return [field, errorMessage ?? error, description].filter((part) => typeof part === 'string').join(': ');
}

/** Which of the fields there are differs from one part of Keycloak to another. */
type Answer = Readonly<Record<string, unknown>>;

function isAnswer(data: unknown): data is Answer {
  return typeof data === 'object' && data !== null;
}
