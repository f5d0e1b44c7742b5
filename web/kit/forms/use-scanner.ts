/** A scanner types its number wherever the cursor is, at once, and ends with Enter. */
import { type RefObject, useEffect, useRef } from 'react';

/** Between two keys of a scanner, in ms. Nobody types a number as fast. */
const LONGEST_GAP = 60;

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Keys that followed each other at once. */
interface Burst {
  readonly text: string;
  /** The same as a keyboard of the scanner's own layout has it: another layout is often chosen on the computer. */
  readonly plain: string;
  readonly at: number;
  /** Where the cursor was, and what the field had before. */
  readonly field: Field | undefined;
  readonly before: string;
}

/** Fewer keys at once may be a person's, on a button or a list. */
const SHORTEST = 3;

const NONE: Burst = { text: '', plain: '', at: Number.NEGATIVE_INFINITY, field: undefined, before: '' };

/**
 * Takes numbers that are scanned while the cursor is in another place than the field for them. The other place stays as
 * it was: a button is not pressed, and a field keeps its value. Outside fields, only scanners type, so each text is a
 * number there.
 * @param own the field for scans, which takes its own keys.
 * @param find the number in a text, or undefined if it is none. Without it, none is found in other fields.
 * @param take stable or not: the latest one is called.
 */
export function useScanner(
  own: RefObject<HTMLInputElement | null>,
  find: ((text: string) => string | undefined) | undefined,
  take: (number: string) => void,
): void {
  const latest = useRef({ find, take });
  latest.current = { find, take };
  useEffect(() => {
    let burst = NONE;
    const listen = (event: KeyboardEvent) => {
      const former = event.timeStamp - burst.at <= LONGEST_GAP ? burst : NONE;
      burst = NONE;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Shift') burst = former;
      else if (event.key === 'Enter') end(event, former);
      else if (event.key.length === 1) burst = longer(former, event);
    };
    const end = (event: KeyboardEvent, typed: Burst) => {
      const field = fieldOf(event.target);
      const scanned =
        latest.current.find?.(typed.plain) ??
        latest.current.find?.(typed.text) ??
        (field === undefined ? anyNumber(typed) : undefined);
      const number = scanned ?? (field && latest.current.find?.(field.value));
      if (number === undefined || (field === own.current && latest.current.find?.(field?.value ?? '') !== undefined))
        return;
      event.preventDefault();
      event.stopPropagation();
      if (field) put(field, scanned === undefined || typed.field !== field ? '' : typed.before);
      latest.current.take(number);
    };
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, [own]);
}

function anyNumber({ text, plain, field }: Burst): string | undefined {
  if (field !== undefined || text.length < SHORTEST) return undefined;
  // Letters of another layout are none of a number.
  return /^[\x20-\x7e]+$/.test(text) ? text : plain;
}

function longer(burst: Burst, event: KeyboardEvent): Burst {
  const field = fieldOf(event.target);
  const start = burst === NONE ? { ...NONE, field, before: field?.value ?? '' } : burst;
  return { ...start, text: start.text + event.key, plain: start.plain + plainKey(event), at: event.timeStamp };
}

/** What the key is on a keyboard with Latin letters. */
function plainKey({ code, key }: KeyboardEvent): string {
  const [, sign] = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code) ?? [];
  return sign ?? (code === 'Minus' || code === 'NumpadSubtract' ? '-' : key);
}

function fieldOf(target: EventTarget | null): Field | undefined {
  const isField =
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
  return isField ? target : undefined;
}

/** Changes a field as if somebody had typed. */
function put(field: Field, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}
