/**
 * Jest's runner in lanes. The suites of `engines` run side by side on the platform, then those of `alone` one after the
 * other. Those of `faults` have platforms of their own and wait most of the time: one at a time runs next to the others
 * from the start. When those of `engines` have ended, the free processor takes those of `unit`, and of `faults` that are
 * left.
 */
import TestRunner from 'jest-runner';

/** Projects whose suites disturb others. */
const ALONE = ['alone', 'cluster'];

export default class Runner extends TestRunner {
  /** Runs one suite at a time, in another process. */
  #one;

  constructor(globalConfig, context) {
    super(globalConfig, context);
    this.#one = new TestRunner({ ...globalConfig, maxWorkers: 1 }, context);
  }

  /** @override */
  on(event, listener) {
    const ends = [super.on(event, listener), this.#one.on(event, listener)];
    return () => {
      for (const end of ends) end();
    };
  }

  /** @override */
  async runTests(tests, watcher, options) {
    const run = (some, serial = options.serial) =>
      some.length > 0 ? super.runTests(some, watcher, { ...options, serial }) : undefined;
    // With --runInBand, or for few quick suites.
    if (options.serial) return run(tests);
    const {
      engines = [],
      alone = [],
      faults = [],
      unit = [],
    } = Object.groupBy(tests, ({ context }) => {
      const { name } = context.config.displayName;
      return ALONE.includes(name) ? 'alone' : name;
    });
    const away = async () => {
      for (let suite = faults.shift(); suite; suite = faults.shift()) {
        await this.#one.runTests([suite], watcher, options);
      }
    };
    const fillUp = async () => {
      await run(unit);
      await away();
    };
    const onPlatform = async () => {
      await run(engines);
      await Promise.all([run(alone, true), fillUp()]);
    };
    await Promise.all([away(), onPlatform()]);
  }
}
