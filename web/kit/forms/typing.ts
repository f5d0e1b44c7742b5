/** When something is done with what somebody types. */
import { useEffect, useState } from 'react';

/**
 * Milliseconds after a key until something is searched. Scanners send a key each few milliseconds, so that a code is
 * searched once. Most of the 200 ms after the last key are left for the search. A search that is replaced is cancelled.
 */
export const TYPING_PAUSE_MS = 50;

/** @returns the text, once it has stayed the same for a while. @param pause in ms */
export function useAfterPause(typed: string, pause = TYPING_PAUSE_MS): string {
  const [text, setText] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), pause);
    return () => clearTimeout(timer);
  }, [typed, pause]);
  return text;
}
