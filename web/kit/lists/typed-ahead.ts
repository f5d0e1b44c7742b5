/** What somebody types while the page with the search field is still on its way. */

/** Whoever has waited this long looks at the page before they type. */
const LONGEST_MS = 30_000;

let typed: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps what is typed from now on, until a search field takes it, or somebody does something else. */
export function typeAhead(): void {
  takeTypedAhead();
  typed = '';
  document.addEventListener('keydown', keep, true);
  document.addEventListener('pointerdown', takeTypedAhead, true);
  timer = setTimeout(takeTypedAhead, LONGEST_MS);
}

function keep(event: KeyboardEvent): void {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === 'Escape' || key === 'Tab') {
    takeTypedAhead();
    return;
  }
  if (key === 'Backspace') typed = typed?.slice(0, -1);
  else if (key === 'Enter') typed = `${typed ?? ''}\n`;
  else if (key.length === 1) typed = `${typed ?? ''}${key}`;
  else return;
  event.preventDefault();
}

/** @returns what was typed, which is then forgotten. It ends with `\n` if Enter was pressed, as a scanner does. */
export function takeTypedAhead(): string {
  const taken = typed ?? '';
  typed = undefined;
  clearTimeout(timer);
  document.removeEventListener('keydown', keep, true);
  document.removeEventListener('pointerdown', takeTypedAhead, true);
  return taken;
}
