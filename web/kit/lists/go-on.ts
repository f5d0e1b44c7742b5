/** Where the focus goes on after a step that took away the button, or the form, that had it. */
import { TITLE } from './list-page.tsx';

/** How long what the step has changed may take to be shown, in ms. */
const PATIENCE_MS = 1500;

/**
 * Focuses the first element of the page that one of the selectors finds, in their order, and a better one when it appears.
 * If there is none for a while, it is the title. Whoever goes on to something else meanwhile stays there.
 * @param from what had the focus when the step began. It goes, or stays.
 */
export function goOnAt(selectors: readonly string[], from: Element | null): void {
  let own = from;
  const follow = () => {
    const holder = document.activeElement;
    if (holder !== document.body && holder !== own) return stop();
    const found = selectors.map((selector) => document.querySelector<HTMLElement>(selector)).find(Boolean);
    if (!found || found === holder) return;
    own = found;
    found.focus();
  };
  const observer = new MutationObserver(follow);
  const leave = ({ target }: FocusEvent) => {
    if (target !== own) stop();
  };
  const timer = setTimeout(() => {
    stop();
    if (document.activeElement === document.body) document.getElementById(TITLE)?.focus();
  }, PATIENCE_MS);
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', leave);
  };
  observer.observe(document.body, { childList: true, subtree: true, attributes: true });
  document.addEventListener('focusin', leave);
  follow();
}
