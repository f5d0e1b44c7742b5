/** A mail to several people. */
import type { Mail, Mailer, TemplateName } from '@hms/mail';

/**
 * Sends one mail to each address. One address that is refused keeps nobody else from knowing, and nobody gets the same
 * mail again and again.
 * @throws the mailer's error if nobody could be reached.
 */
export async function mailToAll<Name extends TemplateName>(
  mailer: Pick<Mailer, 'send'>,
  addresses: readonly string[],
  mail: Omit<Mail<Name>, 'to'>,
): Promise<void> {
  const sent = await Promise.allSettled(addresses.map((to) => mailer.send({ ...mail, to })));
  const [failed] = sent.filter((one) => one.status === 'rejected');
  if (failed && sent.every(({ status }) => status === 'rejected')) throw failed.reason;
}
