/** Tells streams which objects of the cluster have changed. */
import { type ChangeSource, type Notice, RESET } from '@hms/service';

/** What changes: hospitals by prefix, events by name, the platform, and whether the API server and an operator answer. */
export const NOTICES = { hospitals: 'hospitals', events: 'events', platform: 'platform', contact: 'contact' } as const;

/** How often somebody who follows looks whether an operator works, in ms. */
const LOOK = 10_000;

export class ClusterNotices implements ChangeSource {
  readonly #followers = new Map<string, Set<(notice: Notice) => void>>();
  #looking: NodeJS.Timeout | undefined;

  async ready(): Promise<void> {
    // What changes before the first look is told with it.
  }

  subscribe(record: string, onNotice: (notice: Notice) => void): () => void {
    const followers = this.#followers.get(record) ?? new Set();
    this.#followers.set(record, followers.add(onNotice));
    this.#looking ??= setInterval(() => this.tell(NOTICES.contact), LOOK).unref();
    return () => {
      followers.delete(onNotice);
      if ([...this.#followers.values()].some(({ size }) => size > 0)) return;
      clearInterval(this.#looking);
      this.#looking = undefined;
    };
  }

  tell(record: string, id = ''): void {
    for (const onNotice of this.#followers.get(record) ?? []) onNotice({ record, id });
  }

  /** Everything may have changed. */
  reset(): void {
    for (const followers of this.#followers.values()) for (const onNotice of followers) onNotice(RESET);
  }
}
