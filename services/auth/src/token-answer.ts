/** Interprets Keycloak's responses, with the texts and statuses of Keycloak 26.7. */
import { z } from 'zod';

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  /** Seconds. */
  readonly refreshExpiresIn: number;
}

export type TokenAnswer =
  | { readonly kind: 'tokens'; readonly tokens: Tokens }
  | { readonly kind: 'done' }
  /** Wrong password, unknown user, locked account, ended session: Keycloak does not say which, and neither do we. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'account-disabled' }
  /** A password to change, an address to verify, a missing name. */
  | { readonly kind: 'account-not-ready' }
  | { readonly kind: 'realm-disabled' }
  /** Keycloak is misconfigured. `reason` is for the log. */
  | { readonly kind: 'unusable'; readonly reason: string };

const success = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  refresh_expires_in: z.number(),
});
const failure = z.object({ error: z.string(), error_description: z.string().optional() });

export function readTokenAnswer(status: number, text: string): TokenAnswer {
  if (status === 204) return { kind: 'done' };
  const body = parse(text);
  if (status === 200) {
    const tokens = success.safeParse(body);
    if (!tokens.success) return { kind: 'unusable', reason: 'Keycloak answered 200 without the tokens' };
    const { access_token, refresh_token, expires_in, refresh_expires_in } = tokens.data;
    return {
      kind: 'tokens',
      tokens: {
        accessToken: access_token,
        refreshToken: refresh_token,
        expiresIn: expires_in,
        refreshExpiresIn: refresh_expires_in,
      },
    };
  }
  const problem = failure.safeParse(body);
  const { error, error_description: description = '' } = problem.success ? problem.data : { error: '' };
  if (status === 400 && error === 'invalid_grant') return refusal(description);
  if (status === 403 && error === 'access_denied') return { kind: 'realm-disabled' };
  // Such as a refused client assertion, a deleted realm, and "HTTPS required" for a client with a
  // public address if the base URL is plain http.
  return { kind: 'unusable', reason: `Keycloak answered ${status} ${error} ${description}`.trim() };
}

export type ImpersonationAnswer =
  /** `seconds`: until it expires. There is no refresh token. */
  | { readonly kind: 'token'; readonly value: string; readonly seconds: number }
  /** The account has no link to the identity provider of the assertion. */
  | { readonly kind: 'unlinked' }
  /** A disabled account, or one that is not set up. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unusable'; readonly reason: string };

/** The answer to an assertion about a person. */
export function readImpersonationAnswer(status: number, text: string): ImpersonationAnswer {
  const token = readServiceToken(status, text);
  if (token) return { kind: 'token', ...token };
  const { error = '', error_description: description = '' } = failure.safeParse(parse(text)).data ?? {};
  if (error === 'invalid_grant' && description === 'User not found') return { kind: 'unlinked' };
  const isAboutPerson = description === 'User is not enabled' || description === 'Account is not fully set up';
  if (error === 'invalid_grant' && isAboutPerson) return { kind: 'refused' };
  return { kind: 'unusable', reason: `Keycloak answered ${status} ${error} ${description}`.trim() };
}

const serviceToken = z.object({ access_token: z.string(), expires_in: z.number() });

/** The token of a service account, which can't be refreshed. @returns undefined for any other answer. */
export function readServiceToken(status: number, text: string) {
  const { success: isToken, data } = serviceToken.safeParse(status === 200 ? parse(text) : undefined);
  return isToken ? { value: data.access_token, seconds: data.expires_in } : undefined;
}

function refusal(description: string): TokenAnswer {
  switch (description) {
    case 'Account disabled':
      return { kind: 'account-disabled' };
    case 'Account is not fully set up':
      return { kind: 'account-not-ready' };
    default:
      return { kind: 'refused' };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
