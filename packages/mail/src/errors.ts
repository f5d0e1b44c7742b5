/** What went wrong with the mail server, and which setting to check. */
import type { MailServer } from './settings.ts';

/**
 * Unavailable: no connection, or a temporary refusal. Retry later.
 * Misconfigured: a setting does not fit the server. Refused: the server does not take this mail.
 */
export type MailErrorKind = 'Unavailable' | 'Misconfigured' | 'Refused';

/** The message contains no password and nothing of the mail. */
export class MailError extends Error {
  readonly kind: MailErrorKind;

  constructor(kind: MailErrorKind, message: string) {
    super(message);
    this.name = 'MailError';
    this.kind = kind;
  }
}

/** The fields of nodemailer's and Node's errors. Their text may repeat what was sent. */
interface Failure {
  readonly code?: string;
  /** The command that failed. */
  readonly command?: string;
  /** Status of the server's answer. */
  readonly responseCode?: number;
  readonly message?: string;
}

/** Codes of OpenSSL for a chain that ends in an unknown authority. */
const UNTRUSTED = /self.signed certificate|unable to (get|verify)|certificate (has expired|is not yet valid)|altnames/i;
const NO_TLS_AT_ONCE = /wrong version number|packet length too long|unknown protocol|record/i;

/** Explains a failure by its kind. The cause is left out, because it may repeat the login. Pure. */
export function explain(cause: unknown, { host, port, tls }: Pick<MailServer, 'host' | 'port' | 'tls'>): MailError {
  const { code = '', command = '', responseCode = 0, message = '' } = cause as Failure;
  const server = `the mail server ${host}:${port}`;
  if (UNTRUSTED.test(message)) {
    const trust =
      "add the authority's certificate to NODE_EXTRA_CA_CERTS, and write the certificate's name as SMTP_HOST";
    return new MailError('Misconfigured', `the certificate of ${server} is not trusted: ${trust}`);
  }
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    // 454 and other 4xx: the server can't check the login now.
    if (responseCode >= 400 && responseCode < 500)
      return new MailError('Unavailable', `${server} can't check the login`);
    return new MailError('Misconfigured', `${server} refuses the login: check SMTP_USER and SMTP_PASSWORD`);
  }
  if (code === 'ETLS' || command === 'STARTTLS') {
    const other = 'set SMTP_TLS to implicit if it expects TLS at once, or to none if it has no TLS';
    return new MailError('Misconfigured', `${server} does not offer STARTTLS: ${other}`);
  }
  if (tls === 'implicit' && (NO_TLS_AT_ONCE.test(message) || /EPROTO|ERR_SSL/.test(code))) {
    return new MailError('Misconfigured', `${server} does not expect TLS at once: set SMTP_TLS to starttls`);
  }
  if (responseCode >= 500) {
    if (responseCode === 530) return new MailError('Misconfigured', `${server} demands a login or TLS: ${LOGIN}`);
    return new MailError('Refused', `${server} refuses the mail (${responseCode}): check SMTP_FROM and the recipient`);
  }
  if (responseCode >= 400) return new MailError('Unavailable', `${server} can't take mail now (${responseCode})`);
  return new MailError(
    'Unavailable',
    `${server} does not answer (${code || 'no reason'}): check SMTP_HOST, SMTP_PORT and SMTP_TLS`,
  );
}

const LOGIN = 'set SMTP_TLS, SMTP_USER and SMTP_PASSWORD';
