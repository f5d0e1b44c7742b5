/** What somebody types while the page with the search field is still on its way. */

/** Nobody waits longer for a page without looking. */
const LONGEST_MS = 5_000;

let typed: string | undefined;

/** Keeps what is typed from now on, until a search field takes it. */
export function typeAhead(): void {
  if (typed !== undefined) return;
  typed = '';
  document.addEventListener('keydown', keep, true);
  setTimeout(takeTypedAhead, LONGEST_MS);
}

function keep(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === 'Backspace') typed = typed?.slice(0, -1);
  else if (event.key.length === 1) typed = `${typed ?? ''}${event.key}`;
  else return;
  event.preventDefault();
}

/** @returns what was typed, which is then forgotten. */
export function takeTypedAhead(): string {
  const taken = typed ?? '';
  typed = undefined;
  document.removeEventListener('keydown', keep, true);
  return taken;
}
