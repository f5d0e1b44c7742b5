/** The module as a process: how it starts, what it logs and how it ends. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { connect } from '@hms/database';
import { moduleEnv } from '@hms/local';
import { createIssuer, createTestHospital, type Issuer, type TestHospital } from '@hms/service/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../../test/platform.ts';

const { databaseUrls } = platform();
const operator = connect(databaseUrls.operator, { poolSize: 2 });
let issuer: Issuer;
let mary: TestHospital;

beforeAll(async () => {
  issuer = await createIssuer();
  mary = await createTestHospital(operator, issuer);
});
afterAll(async () => {
  await Promise.all([operator.destroy(), issuer.close()]);
});

const children: ChildProcessWithoutNullStreams[] = [];
// A failed test leaves its process behind, which would keep the test run alive.
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(environment: Readonly<Record<string, string>> = {}): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url))], {
    env: {
      PORT: '0',
      ...moduleEnv(platform()),
      BASE_URL: issuer.baseUrl,
      KEYCLOAK_URL: issuer.keycloakUrl,
      ...environment,
    },
  });
  children.push(child);
  return child;
}

interface Line {
  readonly msg: string;
  readonly port?: number;
  readonly requestId?: string;
}

/** Collects the log. `line` waits for a message. */
function follow(child: ChildProcessWithoutNullStreams) {
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const lines = (): Line[] =>
    log
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  return {
    all: () => log,
    async line(matches: (line: Line) => boolean): Promise<Line> {
      for (;;) {
        const found = lines().find(matches);
        if (found) return found;
        if (child.exitCode !== null) throw new Error(`the module ended with ${child.exitCode}: ${log}`);
        await once(child.stdout, 'data');
      }
    },
  };
}

describe('a module as a process', () => {
  it('reads a head as large as the gateway accepts', async () => {
    const child = start();
    const { port } = await follow(child).line(({ msg }) => msg === 'listening');
    const large = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`x-large-${index}`, 'x'.repeat(7_000)]));
    const answer = await fetch(`http://127.0.0.1:${port}/api/hms/patients`, {
      headers: { ...large, authorization: `Bearer ${await mary.token(['DOCTOR'])}` },
    });
    expect(answer.status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('logs each request in one line of JSON without token, query and body', async () => {
    const child = start();
    const log = follow(child);
    const { port } = await log.line(({ msg }) => msg === 'listening');
    const id = randomUUID();
    const token = await mary.token(['DOCTOR'], { claims: { sub: 'jane' } });
    const body = { firstName: 'Secretname', lastName: 'Doe', phone: '+6281234567890', dateOfBirth: '1990-05-17' };
    await fetch(`http://127.0.0.1:${port}/api/hms/patients?jwt=${token}&q=secretquery`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Request-ID': id,
        'X-Forwarded-For': '198.51.100.1, 203.0.113.7',
      },
      body: JSON.stringify(body),
    });
    const line = await log.line(({ msg, requestId }) => msg === 'request' && requestId === id);
    expect(line).toEqual({
      level: 'info',
      time: expect.any(String),
      module: 'hms',
      requestId: id,
      client: '203.0.113.7',
      method: 'POST',
      path: '/api/hms/patients',
      status: 201,
      duration: expect.any(Number),
      hospital: mary.hospital.prefix,
      sub: 'jane',
      msg: 'request',
    });
    const [raw = ''] = log
      .all()
      .split('\n')
      .filter((one) => one.includes('"msg":"request"'));
    const keys = [...raw.matchAll(/"(\w+)":/g)].map(([, key]) => key);
    expect(keys).toEqual([...new Set(keys)]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    for (const secret of [token, 'Secretname', 'secretquery']) expect(log.all()).not.toContain(secret);
  });

  it('finishes a running request after SIGTERM, is not ready for new ones, and ends with 0', async () => {
    const child = start();
    const log = follow(child);
    const { port = 0 } = await log.line(({ msg }) => msg === 'listening');
    const token = await mary.token(['DOCTOR']);
    const body = '{"firstName":"Jane","lastName":"Doe","phone":"+6281234567890","dateOfBirth":"1990-05-17"}';
    const head = `POST /api/hms/patients HTTP/1.1\r\nHost: hms\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const socket = openSocket(port, '127.0.0.1');
    socket.write(`${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`);
    // "100 Continue": the module has started the request.
    await once(socket, 'data');
    child.kill('SIGTERM');
    await log.line(({ msg }) => msg === 'stopping');
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(503);
    const answer = text(socket);
    socket.write(body);
    expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('reports in a sentence why it can not start', async () => {
    const child = start({ DATABASE_URL: 'mysql://somewhere', PORT: '' });
    const [problem] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(child.exitCode).toBe(1);
    expect(problem).toMatch(/PORT is not set.*\n.*DATABASE_URL is wrong.*like postgres:/);
    expect(problem).not.toContain('mysql://somewhere');
  });

  it('names the port that another process uses', async () => {
    const { port } = new URL(issuer.keycloakUrl);
    const child = start({ PORT: port });
    const [problem] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(child.exitCode).toBe(1);
    expect(problem).toBe(
      `hms: Port ${port} on 127.0.0.1 is in use by another process: stop that process or set PORT to another one.\n`,
    );
  });
});
