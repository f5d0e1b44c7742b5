/** Settings of the mail server, from the environment. The operator and the modules share them. */
import { z } from 'zod';

/** How the connection is encrypted: not at all, after a plain greeting (RFC 3207), or from the start (RFC 8314). */
export const TLS_MODES = ['none', 'starttls', 'implicit'] as const;
export type TlsMode = (typeof TLS_MODES)[number];

/** The variables. docs/configuration.md lists them. */
export const SMTP_SETTINGS = {
  SMTP_HOST: z.string().min(1),
  /** Default: the port of SMTP_TLS. */
  SMTP_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  SMTP_TLS: z.enum(TLS_MODES).default('none'),
  SMTP_USER: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  SMTP_FROM: z.email(),
};

export type SmtpSettings = z.output<z.ZodObject<typeof SMTP_SETTINGS>>;

export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly tls: TlsMode;
  readonly login?: { readonly user: string; readonly password: string } | undefined;
  /** Address of the sender. */
  readonly from: string;
}

const PORTS: Readonly<Record<TlsMode, number>> = { none: 25, starttls: 587, implicit: 465 };

/** @throws Error that says which variable to change. */
export function mailServerOf(settings: SmtpSettings): MailServer {
  const { SMTP_HOST, SMTP_PORT, SMTP_TLS, SMTP_USER, SMTP_PASSWORD, SMTP_FROM } = settings;
  return {
    host: SMTP_HOST,
    port: SMTP_PORT ?? PORTS[SMTP_TLS],
    tls: SMTP_TLS,
    login: loginOf(SMTP_USER, SMTP_PASSWORD, SMTP_TLS),
    from: SMTP_FROM,
  };
}

function loginOf(user = '', password = '', tls: TlsMode): MailServer['login'] {
  if (user === '' && password === '') return undefined;
  if (user === '') throw new Error('SMTP_USER is not set: set it, or remove SMTP_PASSWORD');
  if (password === '') throw new Error('SMTP_PASSWORD is not set: set it, or remove SMTP_USER');
  if (tls === 'none') {
    throw new Error('SMTP_TLS is none, which would send the password unencrypted: set it to starttls or implicit');
  }
  return { user, password };
}
