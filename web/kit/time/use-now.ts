import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** The time in ms, read again when a minute begins. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), MINUTE_MS - (now % MINUTE_MS));
    return () => clearTimeout(timer);
  }, [now]);
  return now;
}
