/** Sends mails after the response to the request that asked for them, so that its time does not depend on the server. */
import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Mailer, TemplateName, TemplateValues } from '@hms/mail';
import type { Logger } from 'pino';
import type { Place } from './places.ts';

interface OutgoingMail<Name extends TemplateName> {
  readonly place: Pick<Place, 'realm' | 'mail'>;
  readonly to: string;
  readonly template: Name;
  readonly values: TemplateValues[Name];
}

type Mail<Name extends TemplateName> = OutgoingMail<Name> | (() => Promise<OutgoingMail<Name> | undefined>);

export interface MailQueue {
  /**
   * Returns at once. A mail that can't be sent is logged: the person can request another one.
   * @param mail the mail, or a function that finds out whether there is one to send. It is called at a random moment
   * of the next second, so that the work does not slow down the next request of somebody who measures it.
   */
  send<Name extends TemplateName>(mail: Mail<Name>): void;
  /** Waits for the mails that are being sent. */
  end(): Promise<void>;
}

const SPREAD_MS = 1_000;
/** Pauses before further attempts, in milliseconds. A person waits for the code. */
const PAUSES = [500, 2_000];

export function mailQueue(mailer: Mailer, log: Logger, pauses: readonly number[] = PAUSES): MailQueue {
  const sending = new Set<Promise<void>>();

  async function deliver<Name extends TemplateName>(wanted: Mail<Name>): Promise<void> {
    let realm: string | undefined;
    if (typeof wanted === 'function') await setTimeout(randomInt(SPREAD_MS));
    for (const pause of [...pauses, undefined]) {
      try {
        const mail = typeof wanted === 'function' ? await wanted() : wanted;
        realm = mail?.place.realm;
        if (mail) await mailer.send({ ...mail, hospital: mail.place.mail });
        return;
      } catch (error) {
        if (pause === undefined) log.error({ err: error, realm }, 'could not send a mail');
        else await setTimeout(pause);
      }
    }
  }

  return {
    send: (mail) => {
      const delivery = deliver(mail).finally(() => sending.delete(delivery));
      sending.add(delivery);
    },
    end: async () => {
      await Promise.all(sending);
    },
  };
}
