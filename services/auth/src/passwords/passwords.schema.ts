import { fields } from '@hms/service';
import { z } from 'zod';
import { codeBody } from '../sessions/sessions.schema.ts';

/** Keycloak checks the rules of the realm. */
export const password = z
  .string()
  .min(1)
  .max(1024)
  .refine((value) => value.isWellFormed(), 'has a broken character: send valid Unicode');

export const passwordChange = z
  .object({ currentPassword: password, newPassword: password })
  .superRefine(({ currentPassword, newPassword }, context) => {
    if (currentPassword === newPassword)
      context.addIssue({ code: 'custom', path: ['newPassword'], message: 'must differ from the current password' });
  })
  .meta({ id: 'PasswordChange' });
export type PasswordChange = z.output<typeof passwordChange>;

export const forgottenPassword = z
  .object({
    hospital: fields.line(40).describe("The hospital's prefix, or console for users of the platform"),
    email: fields.email,
  })
  .meta({ id: 'ForgottenPassword' });
export type ForgottenPassword = z.output<typeof forgottenPassword>;

export const passwordReset = codeBody.extend({ newPassword: password }).meta({ id: 'PasswordReset' });
export type PasswordReset = z.output<typeof passwordReset>;

export const passwordChanged = z.object({ changed: z.literal(true) });
export type PasswordChanged = z.output<typeof passwordChanged>;
