/** Prints the slowest suites before Jest's own summary. */
import path from 'node:path';

const SHOWN = 10;

interface SuiteResult {
  readonly testFilePath: string;
  readonly perfStats: { readonly runtime: number };
}

export default class SlowestReporter {
  onRunComplete(_contexts: unknown, { testResults }: { readonly testResults: readonly SuiteResult[] }): void {
    if (testResults.length <= SHOWN) return;
    const slowest = testResults
      .map(({ perfStats, testFilePath }) => ({
        seconds: perfStats.runtime / 1000,
        file: path.relative('.', testFilePath),
      }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN);
    const lines = slowest.map(({ seconds, file }) => `${seconds.toFixed(1).padStart(7)} s  ${file}\n`);
    process.stderr.write(`\nSlowest suites:\n${lines.join('')}`);
  }
}
