/** Jest's environment of Node, which also notes how much processor time a suite took in its own process. */
import fs from 'node:fs';
import { TestEnvironment } from 'jest-environment-node';

type Arguments = ConstructorParameters<typeof TestEnvironment>;

export default class MeasuredEnvironment extends TestEnvironment {
  readonly #file: string;
  readonly #before = process.cpuUsage();

  constructor(config: Arguments[0], context: Arguments[1]) {
    super(config, context);
    this.#file = context.testPath;
  }

  override async teardown(): Promise<void> {
    const { user, system } = process.cpuUsage(this.#before);
    const target = process.env.HMS_TEST_CPU;
    if (target) fs.appendFileSync(target, `${JSON.stringify({ file: this.#file, seconds: (user + system) / 1e6 })}\n`);
    await super.teardown();
  }
}
