/** Sends mails over SMTP. */
import { createTransport } from 'nodemailer';
import { explain } from './errors.ts';
import type { MailServer } from './settings.ts';
import { LOGO_ID, type MailHospital, render, type TemplateName, type TemplateValues } from './templates.ts';

export interface Mail<Name extends TemplateName> {
  readonly hospital: MailHospital;
  readonly template: Name;
  /** Address of one person. */
  readonly to: string;
  readonly values: TemplateValues[Name];
  /** For the calendar of the person: a text in the format iCalendar, with this method. */
  readonly calendar?: { readonly method: 'request' | 'cancel' | 'publish'; readonly content: string };
}

export interface Mailer {
  /** Address from which all mails come. */
  readonly from: string;
  /** Returns when the server has accepted the mail. @throws MailError */
  send<Name extends TemplateName>(mail: Mail<Name>): Promise<void>;
  /** Checks that the server answers, offers the encryption, and accepts the login. Sends nothing. @throws MailError */
  verify(): Promise<void>;
}

/** Milliseconds until a silent server counts as unavailable: a person waits for some of these mails. */
const TIMEOUT_MS = 10_000;

const CALENDAR_FILE = 'appointment.ics';

/** Opens a connection for each mail. */
export function createMailer(server: MailServer, timeoutMs = TIMEOUT_MS): Mailer {
  const { host, port, tls, login, from } = server;
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { minVersion: 'TLSv1.2' },
    ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A value of a template must never make it read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    from,
    async send({ hospital, template, to, values, calendar }) {
      const { logo } = hospital;
      const message = {
        from: { name: hospital.displayName, address: from },
        to: { name: '', address: to },
        ...render(template, hospital, values),
        attachments: logo ? [{ cid: LOGO_ID, filename: 'logo', contentDisposition: 'inline' as const, ...logo }] : [],
        // Nobody's absence note answers to it (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        // As another form of the text, from which mail programs make the entry, and as a file for all others.
        ...(calendar ? { icalEvent: { ...calendar, filename: CALENDAR_FILE } } : {}),
      };
      await transport.sendMail(message).catch((cause: unknown) => {
        throw explain(cause, server);
      });
    },
    async verify() {
      await transport.verify().catch((cause: unknown) => {
        throw explain(cause, server);
      });
    },
  };
}
