/** What the process of the gateway writes to its standard output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { eventually, send } from './testing/harness.ts';
import { useClosing } from './testing/setup.ts';

const closeLater = useClosing();

interface Line {
  readonly msg: string;
  readonly ports?: { readonly proxy: number };
  readonly [field: string]: unknown;
}

test('each line is JSON in the form of the modules’ lines, and none is lost at the end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-log-'));
  const listen = '127.0.0.1:0';
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      GATEWAY_PROXY_LISTEN: listen,
      GATEWAY_PROXY_TLS_LISTEN: listen,
      GATEWAY_ADMIN_LISTEN: listen,
      GATEWAY_DATA_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closeLater(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  const lines: Line[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  const find = (msg: string) => lines.find((line) => line.msg === msg);
  const listening = await eventually(
    () => find('The gateway listens'),
    (line) => line !== undefined,
    30_000,
  );
  const answer = await send(listening?.ports?.proxy ?? 0, '/nowhere?jwt=secret');
  const request = await eventually(
    () => find('request'),
    (line) => line !== undefined,
  );
  expect(request).toMatchObject({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    module: 'gateway',
    requestId: answer.headers['x-kong-request-id'],
    path: '/nowhere',
    status: 404,
  });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await eventually(
    () => find('The gateway stops'),
    (line) => line !== undefined,
  );
  expect(JSON.stringify(lines)).not.toContain('secret');
}, 60_000);
