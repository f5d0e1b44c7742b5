import { HOSPITAL_NOT_READY, HOSPITAL_SUSPENDED, IDENTITY_UNAVAILABLE, type Route, route } from '@hms/service';
import { HOSPITAL_UNKNOWN } from '../hospital.ts';
import { CHALLENGE_ENDED, INVALID_CODE, TOO_MANY_CODES, TOO_MANY_LOGINS } from '../sessions/sessions.errors.ts';
import { challenge } from '../sessions/sessions.schema.ts';
import { WEAK_PASSWORD, WRONG_PASSWORD } from './passwords.errors.ts';
import { forgottenPassword, passwordChange, passwordChanged, passwordReset } from './passwords.schema.ts';
import type { PasswordService } from './passwords.service.ts';

/** Bytes. Enough for two of the longest passwords with every character as an escape sequence. */
const LIMIT = 16 * 1024;

const COMMON = [HOSPITAL_SUSPENDED, HOSPITAL_NOT_READY, IDENTITY_UNAVAILABLE];

export function passwordRoutes(passwords: PasswordService): readonly Route[] {
  return [
    route({
      method: 'PUT',
      path: '/api/auth/password',
      operationId: 'changePassword',
      summary: 'Change one’s own password',
      description: 'All other sessions of the account end, and an e-mail tells its owner.',
      access: 'authenticated',
      database: 'none',
      body: passwordChange,
      bodyLimit: LIMIT,
      response: passwordChanged,
      errors: [WRONG_PASSWORD, WEAK_PASSWORD, TOO_MANY_LOGINS, ...COMMON],
      handler: async ({ body, caller, clientAddress }) => ({
        data: await passwords.change(body, caller, clientAddress),
      }),
    }),
    route({
      method: 'POST',
      path: '/api/auth/password/forgotten',
      operationId: 'forgetPassword',
      summary: 'Send a code for a new password',
      description: 'The answer is the same whether the account exists or not. Only an existing account gets an e-mail.',
      access: 'public',
      body: forgottenPassword,
      bodyLimit: LIMIT,
      response: challenge,
      errors: [HOSPITAL_UNKNOWN, TOO_MANY_CODES, ...COMMON],
      handler: async ({ body, clientAddress }) => ({ data: await passwords.forgotten(body, clientAddress) }),
    }),
    route({
      method: 'POST',
      path: '/api/auth/password/reset',
      operationId: 'resetPassword',
      summary: 'Choose a new password with the code from the e-mail',
      description:
        'All sessions of the account end, and a lock after wrong passwords is lifted. If the password is refused, the code stays valid for another one.',
      access: 'public',
      body: passwordReset,
      bodyLimit: LIMIT,
      response: passwordChanged,
      errors: [INVALID_CODE, CHALLENGE_ENDED, TOO_MANY_CODES, WEAK_PASSWORD, ...COMMON],
      handler: async ({ body }) => ({ data: await passwords.reset(body) }),
    }),
  ];
}
