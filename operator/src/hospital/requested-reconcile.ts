import { PRIORITY, type Workqueue } from '../runtime/workqueue.ts';

/** Minimum time between two requested reconciles of a hospital. */
const INTERVAL_MS = 5_000;

/**
 * Enqueues a hospital that a module requests: immediately, or after the minimum time since the last request.
 * Unknown names are dropped.
 *
 * @param now monotonic milliseconds.
 * @param last when each name was last enqueued, kept for the minimum time.
 */
export function limitedReconcile(
  queue: Pick<Workqueue, 'add' | 'addAfter'>,
  exists: (name: string) => boolean,
  now: () => number = () => performance.now(),
  last = new Map<string, number>(),
): (name: string) => void {
  return (name) => {
    if (!exists(name)) {
      last.delete(name);
      return;
    }
    const wait = (last.get(name) ?? Number.NEGATIVE_INFINITY) + INTERVAL_MS - now();
    if (wait > 0) {
      queue.addAfter(name, wait, PRIORITY.retry);
      return;
    }
    // Expired entries come first, because the map is in the order of time.
    for (const [other, at] of last) {
      if (now() - at < INTERVAL_MS) break;
      last.delete(other);
    }
    last.delete(name);
    last.set(name, now());
    queue.add(name, PRIORITY.change);
  };
}
