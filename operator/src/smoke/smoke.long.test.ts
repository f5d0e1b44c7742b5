/** The smoke test on real engines. */
import path from 'node:path';
import { operatorEnv } from '@hms/local';
import { describe, expect, it } from '@jest/globals';
import { $ } from 'zx';
import { platform } from '../../../test/platform.ts';

const MAIN = path.join(import.meta.dirname, 'main.ts');

async function run(args: readonly string[], own: NodeJS.ProcessEnv): Promise<{ code: unknown; output: string }> {
  const env = { ...process.env, ...own };
  const { exitCode, stdout, stderr } = await $({ env, nothrow: true, quiet: true })`${process.execPath} ${args}`;
  return { code: exitCode, output: stdout + stderr };
}

function smoke(own: NodeJS.ProcessEnv = {}) {
  // With a person's kubeconfig, because the operator itself may neither create nor delete hospitals.
  const { kubeconfig, ports } = platform();
  return run([MAIN], { ...operatorEnv(platform(), ports), KUBECONFIG: kubeconfig, ...own });
}

async function hospitals(): Promise<string> {
  const hmsctl = path.join(import.meta.dirname, '../../../cli/bin/hmsctl.js');
  const { output } = await run([hmsctl, 'hospital', 'list'], { KUBECONFIG: platform().kubeconfig });
  expect(output).toContain('PREFIX');
  return output;
}

describe('the smoke test', () => {
  it('runs all steps and leaves nothing behind', async () => {
    const { code, output } = await smoke();
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toMatch(
      /smoke-\w+ is applied\n.*Ready\n.*user is created.*\n.*logs in.*\n.*patient.*\n.*read again\n.*deleted\n$/,
    );
    expect(await hospitals()).not.toContain('smoke-');
  }, 120_000);

  it('reports the failed step, and still deletes its hospital', async () => {
    const { code, output } = await smoke({ KONG_PROXY_URL: platform().s3.endpoint });
    expect({ code, output }).toMatchObject({ code: 1 });
    expect(output).toMatch(/deleted after the failure/);
    expect(output).toMatch(/the user logs in through the gateway: failed after .*\/api\/auth\/login answered \d+/);
    expect(await hospitals()).not.toContain('smoke-');
  }, 120_000);
});
