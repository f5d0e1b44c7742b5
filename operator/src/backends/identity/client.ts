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

/** How long Keycloak may take for an answer. */
export const TIMEOUT_MS = 30_000;
const CONFLICT_HINT = 'another writer changed the same object, or an earlier request completed late: retrying';
const SERVER_ERROR_HINT = 'see its log; often its own database is unavailable';
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

  /**
   * A token of one of a realm's own clients.
   * @returns undefined when the realm does not take the client's secret. @throws BackendError
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

  /** Asked for before each request, so this is where a leader that is none any more is held back. */
  async #accessToken(): Promise<string> {
    this.#calls.fence();
    const now = Date.now() / 1000;
    if (!this.#token || this.#token.until <= now) this.#token = await this.#freshToken(AbortSignal.timeout(TIMEOUT_MS));
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
  // What is somebody else's is told by its mark, before anything is written. A write that is refused all the same met
  // another writer, or an earlier request of the operator that timed out here and went through there.
  if (status === 409) return 'Unavailable';
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
