/** Whoever logs in for the first time, or chooses their first password, has accepted their invitation. */
import { acceptInvitation } from '@hms/domain/employees';
import { type Platform, workFor } from '@hms/service';
import type { Logger } from 'pino';

export interface Arrivals {
  /** Returns at once: nobody waits for it, and the next login makes up for a failure. @param sub id of the account. */
  note(realm: string, sub: string): void;
  /** Waits for what was noted. */
  end(): Promise<void>;
}

export function arrivals(platform: Pick<Platform, 'registry' | 'tenants' | 'sealer'>, log: Logger): Arrivals {
  const noted = new Set<Promise<void>>();

  async function accept(realm: string, sub: string): Promise<void> {
    try {
      const hospital = await platform.registry.byPrefix(realm);
      if (hospital?.state === 'Active')
        await workFor(platform, hospital, 'invitation', (work) => acceptInvitation(work, sub));
    } catch (error) {
      log.warn({ err: error, realm }, 'could not note that an employee accepted the invitation');
    }
  }

  return {
    note: (realm, sub) => {
      const accepted = accept(realm, sub).finally(() => noted.delete(accepted));
      noted.add(accepted);
    },
    end: async () => {
      await Promise.all(noted);
    },
  };
}
