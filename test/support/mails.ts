/** Mails in the mail catcher of the platform. */
import { platform } from '../platform.ts';

export interface CaughtMail {
  readonly subject: string;
  /** With the addresses of its links as they are opened. */
  readonly html: string;
  readonly to: readonly { readonly address: string }[];
}

/** The mails to an address, oldest first. */
export async function mailsTo(email: string): Promise<readonly CaughtMail[]> {
  const mails = (await (await fetch(`${platform().mail.webUrl}/api/email`)).json()) as readonly CaughtMail[];
  return mails
    .filter(({ to }) => to.some(({ address }) => address.toLowerCase() === email.toLowerCase()))
    .map((mail) => ({ ...mail, html: mail.html.replaceAll('&#x2F;', '/').replaceAll('&#x3D;', '=') }));
}

/** The codes in the subjects of the mails to an address, oldest first. */
export async function codesTo(email: string): Promise<readonly string[]> {
  return (await mailsTo(email)).flatMap(({ subject }) => /\b\d{6}\b/.exec(subject)?.[0] ?? []);
}
