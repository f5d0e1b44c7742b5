/** Reads a stream of server-sent events, as long as something comes. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** The server sends something every 10 s. */
const SILENCE = 45_000;

/**
 * Resolves when the stream ends.
 * @param open the response of an attempt
 * @param onHeard something has come, if only a sign of life
 * @param onRetry how many milliseconds after its end the server wants to be asked again
 */
export async function readEvents(
  open: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
  onEvent: (event: EventSourceMessage) => void,
  onHeard: () => void = () => undefined,
  onRetry: (ms: number) => void = () => undefined,
): Promise<void> {
  const silent = new AbortController();
  const stop = () => silent.abort();
  signal.addEventListener('abort', stop);
  let watchdog = setTimeout(stop, SILENCE);
  try {
    const response = await open(silent.signal);
    const parser = createParser({ onEvent, onRetry });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done || value === undefined) return;
      clearTimeout(watchdog);
      watchdog = setTimeout(stop, SILENCE);
      onHeard();
      parser.feed(value);
    }
  } finally {
    clearTimeout(watchdog);
    signal.removeEventListener('abort', stop);
    stop();
  }
}
