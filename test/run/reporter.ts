/** Jest's reporter: prints a line for each suite, and tells test/run/jest.ts what it came to, as soon as it has ended. */
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './suites.ts';

/** What one suite came to. */
export interface Outcome {
  /** Relative to the root, with slashes. */
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
  /** All errors, for people. */
  readonly failureMessage?: string | null;
  readonly console?: readonly { readonly message: string }[] | null;
  readonly testResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly duration?: number | null;
    readonly failureMessages: readonly string[];
  }[];
}

/** With so few suites, each test has a line too. */
const FEW = 3;

export default class OutcomeReporter {
  readonly #target = process.env.HMS_TEST_OUTCOMES;
  #suites = 0;
  #ended = 0;

  onRunStart({ numTotalTestSuites }: { readonly numTotalTestSuites: number }): void {
    this.#suites = numTotalTestSuites;
  }

  onTestResult(_test: unknown, result: TestResult): void {
    this.#ended += 1;
    const outcome = outcomeOf(result);
    const text =
      this.#suites <= FEW ? [...lines(outcome, this.#count()), ...details(result)] : lines(outcome, this.#count());
    if (outcome.failed > 0) text.push(...printed(result), result.failureMessage ?? '');
    process.stderr.write(text.map((line) => `${line}\n`).join(''));
    if (this.#target) fs.appendFileSync(this.#target, `${JSON.stringify(outcome)}\n`);
  }

  #count(): string {
    return `${String(this.#ended).padStart(4)} of ${this.#suites}`;
  }
}

function outcomeOf(result: TestResult): Outcome {
  const tests = result.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`);
  const isBroken = Boolean(result.testExecError) || (tests.length === 0 && Boolean(result.failureMessage));
  return {
    file: path.relative(ROOT, result.testFilePath).split(path.sep).join('/'),
    passed: result.numPassingTests,
    failed: result.numFailingTests + (isBroken ? 1 : 0),
    skipped: result.numPendingTests + result.numTodoTests,
    seconds: result.perfStats.runtime / 1000,
    errors: isBroken ? [...tests, result.failureMessage ?? 'the suite could not be run'] : tests,
  };
}

function lines({ file, failed, seconds }: Outcome, count: string): string[] {
  return [`${failed > 0 ? '✗' : '✓'}${count}  ${seconds.toFixed(1).padStart(6)} s  ${file}`];
}

function details({ testResults }: TestResult): readonly string[] {
  return testResults
    .filter(({ status }) => status !== 'pending')
    .map(
      ({ status, fullName, duration }) => `    ${status === 'passed' ? '✓' : '✗'} ${fullName} (${duration ?? 0} ms)`,
    );
}

/** What the tests have printed. */
function printed({ console }: TestResult): readonly string[] {
  return (console ?? []).map(({ message }) => message);
}
