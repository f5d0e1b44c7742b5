/** hmsctl as a process: how it ends. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EXIT } from './exit.ts';
import { freshFolder, hmsctl, OLD_NODE, startHmsctl, written } from './testing.ts';

let env: NodeJS.ProcessEnv;
beforeAll(() => {
  const folder = freshFolder();
  fs.mkdirSync(path.join(folder, 'logs'));
  const line = '2026-11-22T10:43:14.000Z etcd was started\n';
  fs.writeFileSync(path.join(folder, 'logs', 'supervisor.log'), line.repeat(30_000));
  env = { HMS_DATA_DIR: folder };
});

describe('hmsctl', () => {
  it.each([
    ['SIGINT', [], EXIT.interrupted],
    ['SIGTERM', [], EXIT.terminated],
    ['SIGHUP', [], EXIT.hungUp],
    ['SIGTERM', OLD_NODE, EXIT.terminated],
    ['SIGHUP', OLD_NODE, EXIT.hungUp],
  ] as const)('that gets %s (Node arguments %j) ends with %d', async (signal, node, code) => {
    const running = startHmsctl(['logs', '-f'], { env, node });
    await written(running, /etcd was started/);
    running.child.kill(signal);
    expect(await running.ended).toMatchObject({ code, stderr: '' });
  });

  it('that an older Node started ends with 130 when Ctrl-C reaches both', async () => {
    const running = startHmsctl(['logs', '-f'], { env, node: OLD_NODE, detached: true });
    await written(running, /etcd was started/);
    process.kill(-(running.child.pid ?? 0), 'SIGINT');
    expect(await running.ended).toMatchObject({ code: EXIT.interrupted, stderr: '' });
  });

  it('that an older Node started ends as its child does when that is killed', async () => {
    const running = startHmsctl(['logs', '-f'], { env, node: OLD_NODE });
    await written(running, /etcd was started/);
    const child = execFileSync('pgrep', ['-P', String(running.child.pid)], { encoding: 'utf8' });
    process.kill(Number(child), 'SIGKILL');
    expect((await running.ended).code).toBe(137);
  });

  it('is content when its reader has observed enough', async () => {
    const { child, ended } = startHmsctl(['logs', '-n', '30000'], { env });
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await ended).toMatchObject({ code: EXIT.ok, stderr: '' });
  });

  it('passes exit codes on where an older Node started it', async () => {
    expect(await hmsctl(['hospital'], { node: OLD_NODE })).toMatchObject({ code: EXIT.usage, stdout: '' });
  });
});
