/**
 * What the platform's listeners accept without credentials, for example from a web page or another user of the machine.
 */
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { BUILT_MODULES, MODULE_ROLES, processNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Agent, request } from 'undici';
import { platform } from '../../test/platform.ts';
import { layout } from './layout.ts';
import { etcdFiles, readCertificate } from './platform/etcd.ts';

const FOREIGN = 'http://attacker.example';
const dirs = () => layout(platform().dataDir);

async function ask(url: string, options: Parameters<typeof request>[1] = {}, connect: object = {}) {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false, ...connect } });
  try {
    const { statusCode, headers, body } = await request(url, { ...options, dispatcher });
    return { status: statusCode, headers, text: await body.text() };
  } finally {
    await dispatcher.destroy();
  }
}

describe('etcd', () => {
  it.each(['etcd', 'etcdPeer'] as const)('refuses clients without a certificate, on the port %s', async (name) => {
    const port = platform().ports[name];
    const write = { method: 'POST', body: '{"key":"YQ==","value":"YQ=="}', headers: { origin: FOREIGN } } as const;
    for (const scheme of ['http', 'https'])
      await expect(ask(`${scheme}://127.0.0.1:${port}/v3/kv/put`, write)).rejects.toThrow();
  });

  it('answers the holder of its certificate, which only the owner can read', async () => {
    const { status } = await ask(
      `https://127.0.0.1:${platform().ports.etcd}/v3/maintenance/status`,
      { method: 'POST', body: '{}' },
      readCertificate(dirs()),
    );
    expect(status).toBe(200);
    for (const file of Object.values(etcdFiles(dirs()))) expect(fs.statSync(file).mode & 0o077).toBe(0);
  });
});

describe('kube-apiserver', () => {
  it.each(['/api', '/version', '/healthz', '/openapi/v2', '/apis/hms.dev/v1alpha1/hospitals'])(
    'refuses %s without a token',
    async (where) => {
      const { status } = await ask(`https://127.0.0.1:${platform().ports.kubernetes}${where}`);
      expect(status).toBe(401);
    },
  );
});

describe('the mail catcher', () => {
  const at = (where: string) => `${platform().mail.webUrl}${where}`;

  it.each<[string, Record<string, string>]>([
    ['another origin', { origin: FOREIGN }],
    ['an opaque origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['a foreign name that resolves to this machine', { host: 'attacker.example' }],
  ])('refuses pages of %s', async (_who, headers) => {
    for (const method of ['GET', 'DELETE', 'OPTIONS'] as const) {
      const answer = await ask(at('/api/email'), { method, headers });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    }
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const key = { 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
    expect(await upgraded('/socket.io/?EIO=4&transport=websocket', { ...upgrade, ...key, ...headers })).toContain(
      ' 403 ',
    );
  });

  it('survives clients that reset the connection of an upgrade', async () => {
    for (const host of ['localhost', 'attacker.example']) {
      const socket = net.connect(platform().ports.mail, '127.0.0.1');
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, () =>
        socket.resetAndDestroy(),
      );
      await once(socket, 'close');
    }
    expect((await ask(at('/api/email'))).status).toBe(200);
  });

  it('serves its own pages and programs', async () => {
    expect((await ask(at('/api/email'))).status).toBe(200);
    const own = { origin: platform().mail.webUrl, 'sec-fetch-site': 'same-origin' };
    expect((await ask(at('/api/email'), { headers: own })).status).toBe(200);
    expect((await ask(at('/'), { headers: { accept: 'text/html' } })).text).toContain('<html');
  });

  it('does not accept the request of a page as mail', async () => {
    const mail = 'HELO page\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\n';
    const { port } = new URL(`http://127.0.0.1:${platform().mail.smtpPort}`);
    const received = await responseTo(
      Number(port),
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n\r\n${mail}`,
    );
    expect(received).not.toMatch(/^250/m);
  });

  function upgraded(where: string, headers: Record<string, string>): Promise<string> {
    const { port, host } = new URL(platform().mail.webUrl);
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    return responseTo(Number(port), `GET ${where} HTTP/1.1\r\n${lines.join('')}\r\n`);
  }
});

describe('PostgreSQL', () => {
  it.each(['postgres', 'hms_operator', ...MODULE_ROLES, 'keycloak'])('refuses %s without a password', async (user) => {
    const { postgres: port } = platform().ports;
    const client = new pg.Client({ host: '127.0.0.1', port, user, database: 'postgres', password: 'guessed' });
    await expect(client.connect()).rejects.toThrow('password authentication failed');
  });
});

describe('the S3 server', () => {
  it('refuses requests without a signature, and reads by pages', async () => {
    const { endpoint, bucket } = platform().s3;
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS'] as const) {
      const answer = await ask(`${endpoint}/${bucket}/x`, { method, headers: { origin: FOREIGN } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('a page of another site', () => {
  const HTTP = ['gateway', 'gatewayAdmin', 'keycloak', 's3', 'mail', 'operator'] as const;

  it.each([...HTTP, ...BUILT_MODULES.flatMap(processNames)])('reads no response of %s', async (name) => {
    const url = `http://127.0.0.1:${platform().ports[name]}`;
    for (const where of ['/', '/health', '/metrics', '/auth/metrics', '/api/hms/patients']) {
      const headers = { origin: FOREIGN };
      const answer = await ask(`${url}${where}`, { headers }).catch(isRefused);
      expect(answer?.headers['access-control-allow-origin']).not.toBe(FOREIGN);
      expect(answer?.headers['access-control-allow-origin']).not.toBe('*');
    }
  });
});

describe("Keycloak's management interface", () => {
  it('has only health, because Keycloak lets the pages of every site read it', async () => {
    const url = `http://127.0.0.1:${platform().ports.keycloakManagement}`;
    for (const where of ['/metrics', '/auth/metrics']) {
      const answer = await ask(url + where).catch(isRefused);
      expect(answer?.status ?? 404).toBe(404);
    }
  });
});

/** In a run with only some of the engines. */
function isRefused(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ECONNREFUSED') throw error;
}

describe('another user of the machine', () => {
  it('reads no file of the platform', () => {
    const open: string[] = [];
    for (const name of fs.readdirSync(dirs().dataDir, { recursive: true, encoding: 'utf8' })) {
      const file = path.join(dirs().dataDir, name);
      const stat = fs.lstatSync(file, { throwIfNoEntry: false });
      if (stat && (stat.mode & 0o077) !== 0 && !isShut(path.dirname(file))) open.push(name);
    }
    expect(open).toEqual([]);
  });

  it('sees no password in a list of processes', () => {
    const secrets = Object.values(JSON.parse(fs.readFileSync(dirs().secrets, 'utf8')) as Record<string, string>);
    const lines = ownProcesses().map((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
  });

  it('finds listeners of the platform only on 127.0.0.1 and on named ports', () => {
    const inodes = new Set(ownProcesses().flatMap(socketsOf));
    const listeners = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listenersIn(table, inodes));
    expect(listeners.length).toBeGreaterThan(1);
    const expectedPorts = new Set<number>(Object.values(platform().ports));
    expect(listeners.filter(({ address, port }) => !LOOPBACK.test(address) || !expectedPorts.has(port))).toEqual([]);
  });
});

/** Whether the folder or one above it, up to the data folder, is closed to others. */
function isShut(folder: string): boolean {
  if (folder === dirs().dataDir) return false;
  return (fs.lstatSync(folder).mode & 0o077) === 0 || isShut(path.dirname(folder));
}

/** All processes of the groups that the supervisor has created. */
function ownProcesses(): number[] {
  const leaders = new Set(platform().processes.map(({ pid }) => pid));
  const all = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((pid) => {
    try {
      const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return leaders.has(Number(fields[2]));
    } catch {
      return false;
    }
  });
}

function socketsOf(pid: number): string[] {
  return fs.readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(fs.readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
}

/** 127.0.0.1 in /proc/net/tcp, and its IPv6 form in /proc/net/tcp6. */
const LOOPBACK = /^(0000000000000000FFFF0000)?0100007F$/;

function listenersIn(table: string, inodes: ReadonlySet<string>): { address: string; port: number }[] {
  const rows = fs.readFileSync(table, 'utf8').trim().split('\n').slice(1);
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    return state === '0A' && inodes.has(inode) ? [{ address, port: Number.parseInt(port, 16) }] : [];
  });
}

/** The response to raw bytes until the other side ends or becomes idle. */
function responseTo(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = net.connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('data', (data: Buffer) => (received = `${received}${data}`));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}
