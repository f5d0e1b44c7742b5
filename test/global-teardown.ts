/** Stops the platform of the test run and deletes its data. HMS_TEST_KEEP=1 keeps data and logs for inspection. */
import fs from 'node:fs';

export default async function teardown(): Promise<void> {
  const platform = globalThis.hmsTestPlatform;
  if (!platform) return;
  await platform.stop();
  const { dataDir } = platform.state;
  if (process.env.HMS_TEST_KEEP) process.stderr.write(`The tests' data and logs are in ${dataDir}\n`);
  else fs.rmSync(dataDir, { recursive: true, force: true });
}
