/**
 * Jest's runner in two parts: first the suites of `engines`, side by side. Then those of `alone`, one after the other, and
 * next to them the suites that do not use the platform.
 */
import TestRunner from 'jest-runner';

/** Projects whose suites disturb others. */
const ALONE = ['alone', 'cluster'];

export default class Runner extends TestRunner {
  /** @override */
  async runTests(tests, watcher, options) {
    const run = (some, serial = options.serial) =>
      some.length > 0 ? super.runTests(some, watcher, { ...options, serial }) : undefined;
    // With --runInBand, or for few quick suites.
    if (options.serial) return run(tests);
    const parts = Object.groupBy(tests, ({ context }) => {
      const { name } = context.config.displayName;
      return ALONE.includes(name) ? 'alone' : name === 'engines' ? 'together' : 'apart';
    });
    await run(parts.together ?? []);
    await Promise.all([run(parts.alone ?? [], true), run(parts.apart ?? [])]);
  }
}
