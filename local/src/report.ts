/** Progress reports for people. */
import { sentence } from './problem.ts';

export interface Report {
  /** Prints a line about an event. */
  note(text: string): void;
  /**
   * Runs the work, and reports the activity, its progress and its duration.
   * @param otherwise what happens if the work fails, reported with the reason.
   */
  during<T>(doing: string, work: (progress: Progress) => Promise<T>, otherwise?: string): Promise<T>;
}

/** Sets the function that returns the progress of long work, such as `41 of 160 MB`. */
export type Progress = (now: () => string) => void;

export const silent: Report = {
  note: () => undefined,
  during: (_doing, work) => work(() => undefined),
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
const LONGEST_PROGRESS = 100;

/** Writes lines, and repeatedly reports the progress of a long step. */
export function lineReport(write: (line: string) => void, heartbeatMs = HEARTBEAT_MS): Report {
  return {
    note: (text) => write(`  … ${text}`),
    async during(doing, work, otherwise) {
      const start = performance.now();
      const after = () => duration(performance.now() - start);
      let progress = () => '';
      write(`  … ${doing}`);
      const heartbeat = setInterval(() => {
        const now = progress().trim().slice(0, LONGEST_PROGRESS);
        write(`  … still ${doing} (${after()})${now ? `: ${now}` : ''}`);
      }, heartbeatMs);
      try {
        const result = await work((now) => {
          progress = now;
        });
        write(`  ✓ ${doing}  ${after()}`);
        return result;
      } catch (error) {
        const next = otherwise ? `; next: ${otherwise}` : '';
        write(`  – ${doing}: not possible here, after ${after()}: ${sentence(error)}${next}`);
        throw error;
      } finally {
        clearInterval(heartbeat);
      }
    },
  };
}
