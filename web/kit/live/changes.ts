/**
 * Lists that change while one looks at them. One tab of the browser reads the stream of changes, and tells the others.
 * What a page shows stays as it is while the stream is interrupted.
 */
import { useQueryClient } from '@tanstack/react-query';
import { createParser } from 'eventsource-parser';
import { useEffect } from 'react';
import { follow } from '../api/api.ts';

/** Lists are read again this often at most, in ms. */
const PAUSE = 2_000;
/** The server sends something every 15 s. */
const SILENCE = 45_000;
const FIRST_RETRY = 1_000;
const LAST_RETRY = 60_000;

/** Reads the queries of a record again when it changes. @param path of its stream @param key of the queries */
export function useChanges(path: string, key: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const channel = new BroadcastChannel(`hms-changes-${key}`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = () => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          void queries.invalidateQueries({ queryKey: [key] });
        },
        PAUSE * (0.5 + Math.random() / 2),
      );
    };
    channel.onmessage = changed;
    const tell = () => {
      changed();
      channel.postMessage(null);
    };
    navigator.locks
      .request(`hms-changes-${key}`, { signal: stop.signal }, () => readForEver(path, tell, stop.signal))
      .catch(() => undefined);
    return () => {
      stop.abort();
      clearTimeout(timer);
      channel.close();
    };
  }, [queries, path, key]);
}

async function readForEver(path: string, changed: () => void, signal: AbortSignal): Promise<void> {
  let delay = FIRST_RETRY;
  let isFirst = true;
  while (!signal.aborted) {
    try {
      await read(path, signal, (event) => {
        delay = FIRST_RETRY;
        // The list has just been read when the page opened.
        if (event !== 'reset' || !isFirst) changed();
        isFirst = false;
      });
    } catch {
      // Opened again below.
    }
    await new Promise((resolve) => setTimeout(resolve, delay * Math.random()));
    delay = Math.min(delay * 2, LAST_RETRY);
  }
}

async function read(path: string, signal: AbortSignal, onEvent: (name: string) => void): Promise<void> {
  const silent = new AbortController();
  let watchdog = setTimeout(() => silent.abort(), SILENCE);
  try {
    const response = await follow(path, AbortSignal.any([signal, silent.signal]));
    const parser = createParser({ onEvent: ({ event }) => onEvent(event ?? 'message') });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done || value === undefined) return;
      clearTimeout(watchdog);
      watchdog = setTimeout(() => silent.abort(), SILENCE);
      parser.feed(value);
    }
  } finally {
    clearTimeout(watchdog);
    silent.abort();
  }
}
