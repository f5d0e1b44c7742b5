import { INVITATION_ENDED } from '@hms/domain/employees';
import { fields, HOSPITAL_NOT_READY, HOSPITAL_SUSPENDED, IDENTITY_UNAVAILABLE, type Route, route } from '@hms/service';
import { z } from 'zod';
import { HOSPITAL_UNKNOWN, hospitalName } from '../hospital.ts';
import { WEAK_PASSWORD } from '../passwords/passwords.errors.ts';
import { password, passwordChanged } from '../passwords/passwords.schema.ts';
import type { InvitationService } from './invitations.service.ts';

/** Bytes. Enough for the longest password with every character as an escape sequence. */
const LIMIT = 10 * 1024;
const ERRORS = [INVITATION_ENDED, HOSPITAL_UNKNOWN, HOSPITAL_SUSPENDED, HOSPITAL_NOT_READY, IDENTITY_UNAVAILABLE];

const opened = z
  .object({
    hospital: hospitalName,
    invitation: z.string().max(1024).describe('The part of the link behind #'),
  })
  .meta({ id: 'OpenedInvitation' });
const accepted = opened.extend({ newPassword: password }).meta({ id: 'AcceptedInvitation' });

const invitation = z
  .object({
    email: z.string().describe('The address with which the person logs in'),
    until: fields.timestamp.describe('When the invitation expires'),
  })
  .meta({ id: 'Invitation' });

export function invitationRoutes(invitations: InvitationService): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/auth/invitations/read',
      operationId: 'readInvitation',
      summary: 'Whom the link of an invitation is for',
      description: 'It changes nothing. The error INVITATION_ENDED names the address in `details.email`.',
      access: 'public',
      body: opened,
      bodyLimit: LIMIT,
      response: invitation,
      errors: ERRORS,
      handler: async ({ body, clientAddress }) => ({ data: await invitations.read(body, clientAddress) }),
    }),
    route({
      method: 'POST',
      path: '/api/auth/invitations/accept',
      operationId: 'acceptInvitation',
      summary: 'Choose the first password with the link of an invitation',
      description: 'A link works once. If the password is refused, it stays valid for another one.',
      access: 'public',
      body: accepted,
      bodyLimit: LIMIT,
      response: passwordChanged,
      errors: [WEAK_PASSWORD, ...ERRORS],
      handler: async ({ body, clientAddress }) => ({ data: await invitations.accept(body, clientAddress) }),
    }),
  ];
}
