import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, send } from '../testing/harness.ts';
import { fileJournal } from './file-journal.ts';
import { JournalFile } from './journal-file.ts';
import { Store } from './store.ts';

const main = new URL('../main.ts', import.meta.url).pathname;
let folder: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-durability-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

function run(environment: Record<string, string> = {}): ChildProcess {
  const any = {
    GATEWAY_PROXY_LISTEN: '127.0.0.1:0',
    GATEWAY_PROXY_TLS_LISTEN: '127.0.0.1:0',
    GATEWAY_ADMIN_LISTEN: '127.0.0.1:0',
  };
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...any, GATEWAY_DATA_DIR: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

/** Starts a gateway as a process, and waits until it listens. */
async function start(
  environment?: Record<string, string>,
): Promise<{ child: ChildProcess; admin: number; proxy: number }> {
  const child = run(environment);
  let log = '';
  for await (const chunk of child.stdout ?? []) {
    log += chunk;
    const ports = /"ports":(\{[^}]*\})/.exec(log)?.[1];
    if (ports) {
      child.stdout?.resume();
      return { child, ...(JSON.parse(ports) as { admin: number; proxy: number }) };
    }
  }
  throw new Error(`The gateway did not start: ${log}`);
}

async function outcome(child: ChildProcess): Promise<{ code: number | null; text: string }> {
  let text = '';
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

const quiet = { warn: () => undefined };
const json = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe('a process that is killed', () => {
  test('keeps every acknowledged write', async () => {
    const answered: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { child, admin } = await start();
      const exited = once(child, 'exit');
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let number = 0; ; number += 1) {
          const name = `s-${round}-${writer}-${number}`;
          const answer = await send(admin, '/services', { method: 'POST', ...json({ name, host: 'h' }) }).catch(
            () => undefined,
          );
          if (answer?.status !== 201) return;
          answered.push(name);
          if (answered.length >= (round + 1) * 40) child.kill('SIGKILL');
        }
      });
      await Promise.all(writers);
      await exited;
    }
    const { admin } = await start();
    const names = new Set<string>();
    let next: string | null = '/services?size=1000';
    while (next) {
      const page = (await send(admin, next)).json() as { data: { name: string }[]; next: string | null };
      for (const { name } of page.data) names.add(name);
      next = page.next;
    }
    expect(answered.length).toBeGreaterThanOrEqual(120);
    expect(answered.filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('a process that gets SIGTERM', () => {
  test('ends with 0', async () => {
    const { child } = await start();
    child.kill('SIGTERM');
    expect(await outcome(child)).toEqual({ code: 0, text: '' });
  });
});

test('a process without a temporary folder refuses only the bodies that it would store there', async () => {
  const { admin, proxy } = await start({ TMPDIR: join(folder, 'none') });
  const put = (path: string, body: object) => send(admin, path, { method: 'PUT', ...json(body) });
  await put('/services/status', { url: `http://127.0.0.1:${admin}/status` });
  await put('/routes/all', { paths: ['/'], methods: ['GET'], service: { name: 'status' } });
  await send(admin, '/plugins', { method: 'POST', ...json({ name: 'request-size-limiting' }) });
  const ask = (bytes: number) =>
    send(proxy, '/', { headers: { 'transfer-encoding': 'chunked' }, body: Buffer.alloc(bytes) });
  const refused = await ask(200_000);
  expect([refused.status, refused.json()]).toMatchObject([500, { message: 'An unexpected error occurred' }]);
  expect((await ask(10)).status).toBe(200);
});

describe('a process that can’t start', () => {
  test.each(['GATEWAY_PROXY_LISTEN', 'GATEWAY_PROXY_TLS_LISTEN', 'GATEWAY_ADMIN_LISTEN'])(
    'names the port of %s if it is in use',
    async (variable) => {
      const occupied = createServer();
      await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', resolve));
      const { port } = occupied.address() as { port: number };
      const { code, text } = await outcome(run({ [variable]: `127.0.0.1:${port}` }));
      occupied.close();
      expect(code).toBe(1);
      expect(text).toBe(`Port ${port} on 127.0.0.1 is taken; free it, or set ${variable} to another address\n`);
    },
  );

  test('names the folder that another gateway uses, whatever its temporary folder', async () => {
    const { child } = await start();
    const { code, text } = await outcome(run({ TMPDIR: folder }));
    expect(code).toBe(1);
    expect(text).toContain(`The folder ${folder} is in use by another gateway`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await start();
  });

  test('names a missing or invalid setting', async () => {
    expect(await outcome(run({ GATEWAY_DATA_DIR: '' }))).toMatchObject({
      code: 1,
      text: expect.stringContaining('GATEWAY_DATA_DIR'),
    });
    expect(await outcome(run({ GATEWAY_PROXY_LISTEN: '8000' }))).toMatchObject({
      code: 1,
      text: expect.stringContaining('GATEWAY_PROXY_LISTEN'),
    });
  });
});

describe('the journal', () => {
  const path = () => join(folder, 'configuration.jsonl');
  const names = (store: Store) =>
    store
      .all('services')
      .map(({ name }) => name)
      .sort();

  test.each([
    ['half a line', '[{"put":"services","ro'],
    ['zeros instead of a line', '\0\0\0\0\0\n'],
  ])('drops %s at its end', async (_name, torn) => {
    const store = await Store.open(fileJournal(folder, quiet));
    await store.insert('services', { name: 'a', host: 'h' });
    await store.close();
    await appendFile(path(), torn);
    const again = await Store.open(fileJournal(folder, quiet));
    expect(names(again)).toEqual(['a']);
    await again.insert('services', { name: 'b', host: 'h' });
    await again.close();
    const last = await Store.open(fileJournal(folder, quiet));
    expect(names(last)).toEqual(['a', 'b']);
    await last.close();
  });

  test('refuses a broken line in its middle', async () => {
    await writeFile(path(), 'nonsense\n[]\n');
    await expect(Store.open(fileJournal(folder, quiet))).rejects.toThrow(
      /Line 1 of .* is not a commit; restore the file/,
    );
  });

  test('stays small while the same entity changes, and keeps its last state', async () => {
    const store = await Store.open(fileJournal(folder, quiet));
    const { id } = await store.insert('services', { name: 'a', host: 'h', tags: ['x'.repeat(50_000)] });
    for (let round = 0; round < 60; round += 1) await store.update('services', { id }, { retries: round });
    await store.close();
    expect((await stat(path())).size).toBeLessThan(2 * 1024 * 1024);
    const again = await Store.open(fileJournal(folder, quiet));
    expect(again.get('services', id)).toMatchObject({ name: 'a', retries: 59 });
    await again.close();
  });

  describe('contains no name of deleted entities', () => {
    const forget = async (store: Store): Promise<string> => {
      const { id } = await store.insert('consumers', { username: 'gone-hospital' });
      const { id: renamed } = await store.insert('consumers', { username: 'old-name' });
      await store.insert('consumers', { username: 'stays' });
      await store.insert('jwt_secrets', { consumer: { id }, key: 'gone-issuer' });
      await store.remove('consumers', { id });
      await store.update('consumers', { id: renamed }, { username: 'new-name' });
      return readFile(path(), 'utf8');
    };
    const expectForgotten = (content: string) => {
      expect(content).not.toMatch(/gone-|old-name/);
      expect(content).toMatch(/new-name/);
      expect(content).toMatch(/stays/);
    };

    test('after a while, while it is open', async () => {
      const store = await Store.open(fileJournal(folder, { ...quiet, forgetAfterMs: 300 }));
      expect(await forget(store)).toMatch(/gone-hospital/);
      expectForgotten(
        await eventually(
          () => readFile(path(), 'utf8'),
          (content) => !content.includes('gone-'),
        ),
      );
      await store.insert('consumers', { username: 'later' });
      await store.close();
      const again = await Store.open(fileJournal(folder, quiet));
      expect(
        again
          .all('consumers')
          .map(({ username }) => username)
          .sort(),
      ).toEqual(['later', 'new-name', 'stays']);
      await again.close();
    });

    test('once it is closed', async () => {
      const store = await Store.open(fileJournal(folder, quiet));
      await forget(store);
      await store.close();
      expectForgotten(await readFile(path(), 'utf8'));
    });

    test('at the start after a crash', async () => {
      const crashed = await Store.open(fileJournal(folder, quiet));
      await forget(crashed);
      const store = await Store.open(fileJournal(folder, quiet));
      expectForgotten(await readFile(path(), 'utf8'));
      await store.close();
      await crashed.close();
    });
  });

  test('a failed write leaves nothing behind', async () => {
    const { file } = await JournalFile.open(folder);
    await file.append([{ delete: 'services', id: 'a' }]);
    const circular: Record<string, unknown> = { id: 'x' };
    circular.self = circular;
    await expect(file.append([{ put: 'services', row: circular as never }])).rejects.toThrow();
    await file.append([{ delete: 'services', id: 'b' }]);
    await file.close();
    expect((await readFile(path(), 'utf8')).trim().split('\n')).toHaveLength(2);
  });

  test('parallel writes keep unique values unique', async () => {
    const store = await Store.open(fileJournal(folder, quiet));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => store.insert('services', { name: 'a', host: 'h' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await store.close();
  });
});
