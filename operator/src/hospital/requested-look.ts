import { PRIORITY, type Workqueue } from '../runtime/workqueue.ts';

/** A hospital is looked at by request once in this time, whatever the modules send. */
const INTERVAL_MS = 5_000;

/**
 * Looks at a hospital that a module asks for: at once, and one that was asked for a moment ago when its time has come.
 * A name that is no hospital's is dropped.
 *
 * @param now milliseconds that never go back.
 * @param last when each name was looked at; kept as long as it counts.
 */
export function limitedLook(
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
    // In the order of time, so that what is over is at the front: names come and go.
    for (const [other, at] of last) {
      if (now() - at < INTERVAL_MS) break;
      last.delete(other);
    }
    last.delete(name);
    last.set(name, now());
    queue.add(name, PRIORITY.change);
  };
}
