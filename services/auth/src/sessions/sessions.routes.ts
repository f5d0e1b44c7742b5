import { HOSPITAL_NOT_READY, HOSPITAL_SUSPENDED, IDENTITY_UNAVAILABLE, type Route, route } from '@hms/service';
import type { Codes } from '../codes.ts';
import {
  ACCOUNT_DISABLED,
  ACCOUNT_NOT_READY,
  CHALLENGE_ENDED,
  CODE_SENT_RECENTLY,
  INVALID_CODE,
  INVALID_CREDENTIALS,
  INVALID_REFRESH_TOKEN,
  TOO_MANY_CODES,
  TOO_MANY_LOGINS,
} from './sessions.errors.ts';
import {
  challenge,
  challengeBody,
  codeBody,
  credentials,
  loggedOut,
  loginOutcome,
  me,
  refreshBody,
  session,
} from './sessions.schema.ts';
import { type SessionService, toMe } from './sessions.service.ts';

/** Bytes. Enough for the longest password with every character as an escape sequence. */
const CREDENTIALS_LIMIT = 8 * 1024;
const CODE_LIMIT = 1024;
const REFRESH_LIMIT = 20 * 1024;

const COMMON = [HOSPITAL_SUSPENDED, HOSPITAL_NOT_READY, IDENTITY_UNAVAILABLE];

export function sessionRoutes(sessions: SessionService, codes: Codes): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/auth/login',
      operationId: 'login',
      summary: 'Log in with a password',
      description:
        'Answers with tokens, or with a challenge if the hospital requires a second factor. An e-mail then brings a code for verify.',
      access: 'public',
      body: credentials,
      bodyLimit: CREDENTIALS_LIMIT,
      response: loginOutcome,
      errors: [INVALID_CREDENTIALS, TOO_MANY_LOGINS, TOO_MANY_CODES, ACCOUNT_DISABLED, ACCOUNT_NOT_READY, ...COMMON],
      handler: async ({ body, clientAddress }) => ({ data: await sessions.login(body, clientAddress) }),
    }),
    route({
      method: 'POST',
      path: '/api/auth/verify',
      operationId: 'verifyLogin',
      summary: 'Complete a login with the code from the e-mail',
      access: 'public',
      body: codeBody,
      bodyLimit: CODE_LIMIT,
      response: session,
      errors: [INVALID_CODE, CHALLENGE_ENDED, TOO_MANY_CODES, ACCOUNT_DISABLED, ACCOUNT_NOT_READY, ...COMMON],
      handler: async ({ body, clientAddress }) => ({ data: await sessions.verify(body, clientAddress) }),
    }),
    route({
      method: 'POST',
      path: '/api/auth/resend',
      operationId: 'resendCode',
      summary: 'Send another code',
      description: 'The former code stops working. Wrong codes that were entered before still count.',
      access: 'public',
      body: challengeBody,
      bodyLimit: CODE_LIMIT,
      response: challenge,
      errors: [CHALLENGE_ENDED, CODE_SENT_RECENTLY, TOO_MANY_CODES, ...COMMON],
      handler: async ({ body }) => ({ data: await codes.resend(body.challenge) }),
    }),
    route({
      method: 'POST',
      path: '/api/auth/refresh',
      operationId: 'refresh',
      summary: 'Get new tokens for a refresh token',
      access: 'public',
      body: refreshBody,
      bodyLimit: REFRESH_LIMIT,
      response: session,
      errors: [INVALID_REFRESH_TOKEN, ACCOUNT_DISABLED, ACCOUNT_NOT_READY, ...COMMON],
      handler: async ({ body, clientAddress }) => ({ data: await sessions.refresh(body.refreshToken, clientAddress) }),
    }),
    route({
      method: 'POST',
      path: '/api/auth/logout',
      operationId: 'logout',
      summary: 'End the session of a refresh token',
      access: 'public',
      body: refreshBody,
      bodyLimit: REFRESH_LIMIT,
      response: loggedOut,
      errors: [INVALID_REFRESH_TOKEN, ...COMMON],
      handler: async ({ body, clientAddress }) => ({ data: await sessions.logout(body.refreshToken, clientAddress) }),
    }),
    route({
      method: 'GET',
      path: '/api/auth/me',
      operationId: 'readMe',
      summary: 'Who the access token is for',
      access: 'authenticated',
      // A transaction would need a hospital, which the platform's own users don't have.
      database: 'none',
      response: me,
      handler: async ({ caller }) => ({ data: toMe(caller) }),
    }),
  ];
}
