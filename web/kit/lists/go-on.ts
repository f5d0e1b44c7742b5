/** Where the focus goes on after a step that took away the button, or the form, that had it. */
import { TITLE } from './list-page.tsx';

/** How long what the step has changed may take to be shown, in ms. */
const PATIENCE_MS = 1500;

/**
 * Focuses the first element of the page that one of the selectors finds, in their order, and a better one when it appears.
 * If there is none for a while, it is the title. Whoever has gone on to something else meanwhile stays there.
 */
export function goOnAt(...selectors: readonly string[]): void {
  let own: Element = document.body;
  const isFree = () => document.activeElement === document.body || document.activeElement === own;
  const follow = () => {
    if (!isFree()) return;
    const found = selectors.map((selector) => document.querySelector<HTMLElement>(selector)).find(Boolean);
    if (!found || found === document.activeElement) return;
    own = found;
    found.focus();
  };
  const observer = new MutationObserver(follow);
  observer.observe(document.body, { childList: true, subtree: true, attributes: true });
  setTimeout(() => {
    observer.disconnect();
    if (document.activeElement === document.body) document.getElementById(TITLE)?.focus();
  }, PATIENCE_MS);
  follow();
}
