/** The embedded gateway as a process of its own, with its Admin API. */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface GatewayProcess {
  readonly port: number;
  readonly admin: number;
  readonly pid: number;
  readonly child: ChildProcess;
}

/** Starts it, and waits until it listens. @param folder for its log and data @param settings more of its environment */
export async function startGateway(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const [proxy, tls, admin] = [await freePort(), await freePort(), await freePort()];
  const logFile = path.join(folder, 'gateway.log');
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../../services/gateway/src/main.ts')], {
    env: {
      ...process.env,
      GATEWAY_PROXY_LISTEN: `127.0.0.1:${proxy}`,
      GATEWAY_PROXY_TLS_LISTEN: `127.0.0.1:${tls}`,
      GATEWAY_ADMIN_LISTEN: `127.0.0.1:${admin}`,
      GATEWAY_DATA_DIR: folder,
      LOG_LEVEL: 'info',
      ...settings,
    },
    // A pipe would be read by the process that makes the load.
    stdio: ['ignore', openSync(logFile, 'w'), 'inherit'],
  });
  while (!readFileSync(logFile, 'utf8').includes('The gateway listens')) {
    if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}`);
    await sleep(50);
  }
  return { port: proxy, admin, pid: child.pid ?? 0, child };
}

/** Calls the Admin API. @throws Error with the answer if it refuses. */
export async function call(admin: number, method: string, url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${admin}${url}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
}

/** Memory that a process uses, in kB. */
export function residentKb(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return (Number(pages) * 4096) / 1000;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
