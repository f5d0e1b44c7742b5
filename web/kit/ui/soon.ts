/** Parts of a page that are needed only after a click, and must be there when somebody clicks and goes on typing. */
import { type ComponentType, lazy } from 'react';

/** Long enough for the page itself to come first, in ms. */
const PAUSE_MS = 200;

/** Like `lazy`, and loaded as soon as the page rests. */
// biome-ignore lint/suspicious/noExplicitAny: as in React's own type
export function soon<Part extends ComponentType<any>>(load: () => Promise<Part>) {
  const loadPart = async () => ({ default: await load() });
  // Without a network, the click tries again.
  setTimeout(() => void (navigator.onLine && loadPart().catch(() => undefined)), PAUSE_MS);
  return lazy(loadPart);
}
