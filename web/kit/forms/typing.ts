/** When something is done with what somebody types. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';

/**
 * Milliseconds after a key until something is searched. Whoever types with a key each 100 ms, or a scanner, causes
 * one search, with the rest of the 200 ms after the last key for itself. A search that is replaced is cancelled.
 */
const PAUSE_MS = 120;
/** The same after the first search for a text: whoever types with a key each 300 ms would cause one for each of them. */
const LATER_PAUSE_MS = 300;

/** A field of a form is typed to its end, so that it is looked up once. In ms. */
export const FIELD_PAUSE_MS = 400;

/**
 * @param searches how many one text has caused
 * @param gap the shorter one of the last two pauses between keys, in ms. Whoever types quickly and stops for a letter
 * with an accent is still somebody who types quickly.
 */
export function pauseAfter(searches: number, gap: number): number {
  return searches === 0 || gap < PAUSE_MS ? PAUSE_MS : LATER_PAUSE_MS;
}

/** Measures how quickly somebody types. */
class Pace {
  #lastKey = 0;
  #gap = Number.POSITIVE_INFINITY;

  /** To be called at each key. @returns as `gap` of `pauseAfter` */
  key(): number {
    const now = performance.now();
    const gap = now - this.#lastKey;
    const before = this.#gap;
    this.#lastKey = now;
    this.#gap = gap;
    return Math.min(gap, before);
  }
}

/** Whether a text is the beginning of another one than before: whoever types over a text begins with one character. */
function isNew(text: string): boolean {
  return text.length < 2;
}

/** @returns the text, once it has stayed the same for a while. @param pause in ms. Default: that of a search */
export function useAfterPause(typed: string, pause?: number): string {
  const [text, setText] = useState(typed);
  const searches = useRef(0);
  const [pace] = useState(() => new Pace());
  useEffect(() => {
    if (isNew(typed)) searches.current = 0;
    const gap = pace.key();
    const timer = setTimeout(() => {
      if (!isNew(typed)) searches.current += 1;
      setText(typed);
    }, pause ?? pauseAfter(searches.current, gap));
    return () => clearTimeout(timer);
  }, [typed, pause, pace]);
  return text;
}

export interface Report {
  /** Reports the text after the pause of a search, unless another one follows. */
  later(text: string): void;
  /** Reports at once what is waiting. */
  flush(): void;
  /** Forgets what is waiting. */
  cancel(): void;
  /** Reports a text at once. The next one has the pause of a first search. */
  now(text: string): void;
}

/** Reports what somebody types, once it has stayed the same for a while. */
export function useReport(onText: (text: string) => void): Report {
  const tell = useEffectEvent(onText);
  const [report] = useState(() => new Reporter());
  useEffect(() => {
    report.tell = (text) => tell(text);
    return () => report.cancel();
  }, [report]);
  return report;
}

class Reporter implements Report {
  tell: (text: string) => void = () => undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: string | undefined;
  #searches = 0;
  readonly #pace = new Pace();

  later(text: string): void {
    this.cancel();
    if (isNew(text)) this.#searches = 0;
    this.#waiting = text;
    this.#timer = setTimeout(() => this.flush(), pauseAfter(this.#searches, this.#pace.key()));
  }

  flush(): void {
    const text = this.#waiting;
    this.cancel();
    if (text === undefined) return;
    if (!isNew(text)) this.#searches += 1;
    this.tell(text);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#waiting = undefined;
  }

  now(text: string): void {
    this.cancel();
    this.#searches = 0;
    this.tell(text);
  }
}
