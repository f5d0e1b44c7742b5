/** What a person is told while something takes long. */

export interface Report {
  /** A line about something that is happening. */
  note(text: string): void;
  /** Runs the work, and tells what is being done and how long it took. */
  during<T>(doing: string, work: () => Promise<T>): Promise<T>;
}

export const silent: Report = {
  note: () => undefined,
  during: (_doing, work) => work(),
};

/** Milliseconds for people: `840 ms`, `12.3 s`, `3 min 20 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const tenths = Math.round(milliseconds / 100) / 10;
  if (tenths < 60) return `${tenths.toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const HEARTBEAT_MS = 15_000;

/** Writes lines; says every 15 s that a long step is still going on. */
export function lineReport(write: (line: string) => void): Report {
  return {
    note: (text) => write(`  … ${text}`),
    async during(doing, work) {
      const start = performance.now();
      write(`  … ${doing}`);
      const heartbeat = setInterval(
        () => write(`  … still ${doing} (${duration(performance.now() - start)})`),
        HEARTBEAT_MS,
      );
      try {
        const result = await work();
        write(`  ✓ ${doing}  ${duration(performance.now() - start)}`);
        return result;
      } catch (error) {
        write(`  – ${doing}: not possible here, after ${duration(performance.now() - start)}`);
        throw error;
      } finally {
        clearInterval(heartbeat);
      }
    },
  };
}
