/** Sends one-time codes, after the response to the request that asked for them. */
import { setTimeout } from 'node:timers/promises';
import type { Mailer, MailHospital } from '@hms/mail';
import type { Logger } from 'pino';
import { CODE_SECONDS } from './challenges.ts';

interface CodeMail {
  readonly hospital: MailHospital;
  readonly to: string;
  readonly code: string;
  /** For the log. */
  readonly realm: string;
}

export interface CodeMailer {
  /** Returns at once. A mail that can't be sent is logged: the person can request another code. */
  send(mail: CodeMail): void;
  /** Waits for the mails that are being sent. */
  end(): Promise<void>;
}

/** Pauses before further attempts, in milliseconds. A person waits for the code. */
const PAUSES = [500, 2_000];

export function codeMailer(mailer: Mailer, log: Logger, pauses: readonly number[] = PAUSES): CodeMailer {
  const sending = new Set<Promise<void>>();

  async function deliver({ hospital, to, code, realm }: CodeMail): Promise<void> {
    const values = { code, minutes: CODE_SECONDS / 60 };
    for (const pause of [...pauses, undefined]) {
      try {
        await mailer.send({ hospital, template: 'login-code', to, values });
        return;
      } catch (error) {
        if (pause === undefined) log.error({ err: error, realm }, 'could not send the code of a login');
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
