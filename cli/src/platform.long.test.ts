/** hmsctl status, down and reset with a separate small platform, so that the tests' platform stays up. */
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { freePorts, layout, livingState, type PlatformState, PROJECT, poll, startPlatform } from '@hms/local';
import { expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { EXIT } from './exit.ts';
import { freshFolder, hmsctl as run } from './testing.ts';

const SAMPLE = path.join(PROJECT, 'crds', 'samples', 'st-mary.yaml');

it('hmsctl status fails while a process is down, down stops all of it, and reset deletes its data', async () => {
  const dataDir = path.join(freshFolder(), 'data');
  fs.mkdirSync(dataDir);
  const hmsctl = (...args: string[]) => run(args, { env: { HMS_DATA_DIR: dataDir } });
  const { state } = await startPlatform({ dataDir, ports: await freePorts(), fast: true, only: ['s3', 'mail'] });
  expect(await hmsctl('status')).toMatchObject({ code: EXIT.ok, stderr: '' });

  // Another process uses the port, so that mail dies at each start.
  process.kill(pidOf(dataDir, 'mail'), 'SIGKILL');
  const squatter = await poll(() => listener(state.ports.mail), { timeout: 5_000, interval: 5 });
  const down = await hmsctl('status', '-o', 'json');
  expect(down).toMatchObject({
    code: EXIT.failure,
    stderr: expect.stringMatching(/^hmsctl: mail is (re)?starting: hmsctl logs mail shows why\.\n$/),
  });
  expect(JSON.parse(down.stdout)).toMatchObject({ phase: 'running' });
  squatter?.close();
  expect(await hmsctl('down')).toMatchObject({ code: EXIT.ok, stdout: expect.stringMatching(/^The platform is down/) });
  expect(livingState(dataDir)).toBeUndefined();
  expect(await hmsctl('down')).toMatchObject({ code: EXIT.ok, stdout: 'The platform was not running.\n' });
  expect((await hmsctl('status')).code).toBe(EXIT.notFound);
  expect(fs.existsSync(path.join(dataDir, 's3'))).toBe(true);
  expect((await hmsctl('reset')).code).toBe(EXIT.usage);
  expect(await hmsctl('reset', '--yes')).toMatchObject({ code: EXIT.ok, stdout: `${dataDir} is deleted.\n` });
  expect(fs.existsSync(dataDir)).toBe(false);
}, 120_000);

it('hmsctl says what a cluster lacks, and reset --yes stops a platform that runs', async () => {
  const dataDir = path.join(freshFolder(), 'data');
  fs.mkdirSync(dataDir);
  const { state } = await startPlatform({ dataDir, ports: await freePorts(), fast: true, only: ['kube-apiserver'] });
  const token = fs.readFileSync(path.join(layout(dataDir).kubernetes, 'tokens.csv'), 'utf8').split(',')[0] ?? '';
  const env = { HMS_DATA_DIR: dataDir, KUBECONFIG: kubeconfig(state, token) };
  for (const args of [['list'], ['get', 'st-mary'], ['apply', '-f', SAMPLE], ['delete', 'st-mary']])
    expect(await run(['hospital', ...args], { env })).toMatchObject({
      code: EXIT.failure,
      stderr: expect.stringMatching(/^hmsctl: https:\/\/127\.0\.0\.1:\d+ has no hospitals: install the platform/),
    });
  expect(await run(['hospital', 'list', '--kubeconfig', kubeconfig(state, 'of-nobody')], { env })).toMatchObject({
    code: EXIT.notLoggedIn,
    stderr: expect.stringContaining('refuses the credentials of the kubeconfig'),
  });
  const pid = pidOf(dataDir, 'kube-apiserver');
  expect(await run(['reset', '--yes'], { env })).toMatchObject({ code: EXIT.ok });
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(fs.existsSync(dataDir)).toBe(false);
}, 120_000);

/** @returns undefined while another process uses the port. */
function listener(port: number): Promise<net.Server | undefined> {
  const server = net.createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** The step `manifests` writes the usual one, together with the definitions. */
function kubeconfig({ dataDir, ports }: PlatformState, token: string): string {
  const file = path.join(freshFolder(), 'kubeconfig');
  const ca = path.join(layout(dataDir).kubernetes, 'certificates', 'apiserver.crt');
  const cluster = { server: `https://127.0.0.1:${ports.kubernetes}`, 'certificate-authority': ca };
  const config = {
    'current-context': 'x',
    clusters: [{ name: 'x', cluster }],
    users: [{ name: 'x', user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
  };
  fs.writeFileSync(file, stringify(config));
  return file;
}

function pidOf(dataDir: string, name: string): number {
  const pid = livingState(dataDir)?.processes.find((process) => process.name === name)?.pid;
  if (pid === undefined) throw new Error(`${name} does not run in ${dataDir}`);
  return pid;
}
