/** Jest's reporter that tells test/run/jest.ts what each suite came to, as soon as it has ended. */
import fs from 'node:fs';

/** What one suite came to. */
export interface Outcome {
  /** Its absolute path. */
  readonly file: string;
  readonly passed: number;
  /** A suite that can't be loaded counts as one failed test. */
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  /** Each failed test with its message. */
  readonly errors: readonly string[];
}

/** The part of Jest's TestResult that is used here. */
interface TestResult {
  readonly testFilePath: string;
  readonly numPassingTests: number;
  readonly numFailingTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly perfStats: { readonly runtime: number };
  readonly testExecError?: unknown;
  readonly failureMessage?: string | null;
  readonly testResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

export default class OutcomeReporter {
  onTestResult(_test: unknown, result: TestResult): void {
    const tests = result.testResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`);
    const isBroken = Boolean(result.testExecError) || (tests.length === 0 && Boolean(result.failureMessage));
    const outcome: Outcome = {
      file: result.testFilePath,
      passed: result.numPassingTests,
      failed: result.numFailingTests + (isBroken ? 1 : 0),
      skipped: result.numPendingTests + result.numTodoTests,
      seconds: result.perfStats.runtime / 1000,
      errors: isBroken ? [...tests, result.failureMessage ?? 'the suite could not be run'] : tests,
    };
    const target = process.env.HMS_TEST_OUTCOMES;
    if (target) fs.appendFileSync(target, `${JSON.stringify(outcome)}\n`);
  }
}
