import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { instant } from '../commands/logs.ts';
import { EXIT } from '../exit.ts';
import { freshFolder, hmsctl, startHmsctl, written } from '../testing.ts';
import { EntryReader } from './entry.ts';
import { LogFile } from './file.ts';
import { jsonLine, line } from './format.ts';

const NOW = Date.parse('2026-11-22T11:00:00Z');
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
/** A time in the machine's zone. */
const local = (text: string) => new Date(text).toISOString();

describe('a line', () => {
  it.each<[string, string, string | undefined, string | undefined, string]>([
    [
      'of pino with numbers',
      '{"level":40,"time":1795344195045,"pid":1,"hostname":"vm","name":"gateway","msg":"slow"}',
      '2026-11-22T10:43:15.045Z',
      'warn',
      'slow',
    ],
    [
      'of pino with words',
      '{"level":"error","time":"2026-11-22T10:43:18.222Z","module":"auth","msg":"failed"}',
      '2026-11-22T10:43:18.222Z',
      'error',
      'failed',
    ],
    [
      'of etcd',
      '{"level":"warn","ts":"2026-11-22T10:43:14.019821Z","caller":"embed/config.go:1207","msg":"single port"}',
      '2026-11-22T10:43:14.019Z',
      'warn',
      'single port',
    ],
    [
      'of Keycloak',
      '2026-11-22 10:43:54,133 WARN  [org.keycloak.models] (executor-thread-1) Client not available',
      local('2026-11-22T10:43:54.133'),
      'warn',
      '[org.keycloak.models] (executor-thread-1) Client not available',
    ],
    [
      'of PostgreSQL',
      '2026-11-22 10:43:18.348 UTC [16604] ERROR:  relation "x" does not exist at character 18',
      '2026-11-22T10:43:18.348Z',
      'error',
      'relation "x" does not exist at character 18',
    ],
    [
      'of PostgreSQL with a zone in numbers',
      '2026-11-22 10:43:18.348 +03 [16604] STATEMENT:  select 1',
      '2026-11-22T07:43:18.348Z',
      'info',
      'STATEMENT: select 1',
    ],
    [
      'of the API server',
      'W1122 10:43:15.304656   16201 serving.go:380] Generated a certificate',
      local('2026-11-22T10:43:15.304'),
      'warn',
      'Generated a certificate',
    ],
    [
      'of the API server in December, read in November',
      'I1231 23:59:59.000001   1 a.go:1] old',
      local('2025-12-31T23:59:59.000'),
      'info',
      'old',
    ],
    [
      'of the supervisor',
      '2026-11-22T10:43:13.878Z etcd was started, pid 16133',
      '2026-11-22T10:43:13.878Z',
      undefined,
      'etcd was started, pid 16133',
    ],
    ['without a known format', '\u001b[31mcaught signal\u001b[0m', undefined, undefined, 'caught signal'],
    ['that looks like JSON', '{"level":', undefined, undefined, '{"level":'],
  ])('%s is read', (_what, text, time, level, message) => {
    const entry = new EntryReader('x', () => NOW).read(text);
    expect({ ...entry, time: iso(entry.time) }).toMatchObject({ time, level, message, raw: text });
  });

  it('without a time belongs to the line before it', () => {
    const reader = new EntryReader('x');
    const error = reader.read('{"level":50,"time":1795344195045,"msg":"broken"}');
    expect(reader.read('    at main (main.ts:1:1)')).toMatchObject({ time: error.time, level: 'error' });
  });

  it('is printed in one format, with its fields, and without terminal control sequences', () => {
    const text = JSON.stringify({
      ...{ level: 30, time: 1795344195045, name: 'gateway', msg: 'request\u001b[2J', status: 200, path: '/a b' },
      error: { type: 'Error', message: 'no', stack: 'Error: no\n at x' },
    });
    const entry = new EntryReader('gateway').read(text);
    expect(line(entry, 8)).toBe(
      '2026-11-22T10:43:15.045Z  gateway   INFO   request\\u001b[2J status=200 path="/a b" error="no"',
    );
    expect(JSON.parse(jsonLine(entry))).toMatchObject({ process: 'gateway', level: 'info', raw: JSON.parse(text) });
  });
});

describe('--since', () => {
  it.each([
    ['10m', NOW - 600_000],
    ['2h', NOW - 7_200_000],
    ['2026-11-22T10:43:00Z', NOW - 17 * 60_000],
  ])('accepts %s', (text, expected) => {
    expect(instant(text, NOW)).toBe(expected);
  });

  it.each(['yesterday', '10', '', '-5m'])('refuses %j', (text) => {
    expect(() => instant(text, NOW)).toThrow(/Write a time like 10m/);
  });
});

describe('a log file', () => {
  it('is read back as far as needed, also into the rotated part', () => {
    const file = path.join(freshFolder(), 'x.log');
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `line ${from + index} ${'x'.repeat(60)}\n`).join('');
    fs.writeFileSync(`${file}.1`, lines(0, 9000));
    fs.writeFileSync(file, lines(9000, 10_000));
    const some = new LogFile(file, 'x').last((entries) => entries.length >= 2000);
    expect(some.length).toBeGreaterThanOrEqual(2000);
    expect(some.at(-1)?.message).toMatch(/^line 9999 /);
    expect(some.every(({ message }) => /^line \d+ x{60}$/.test(message))).toBe(true);
    expect(new LogFile(file, 'x').last(() => false)).toHaveLength(10_000);
  });

  it('that was truncated is read from its start, and a line only when it is complete', () => {
    const file = path.join(freshFolder(), 'x.log');
    fs.writeFileSync(file, 'one\ntw');
    const log = new LogFile(file, 'x');
    expect(log.last(() => true).map(({ message }) => message)).toEqual(['one']);
    fs.appendFileSync(file, 'o\n');
    expect(log.added().map(({ message }) => message)).toEqual(['two']);
    fs.truncateSync(file);
    fs.appendFileSync(file, 'new\n');
    expect(log.added(NOW)).toMatchObject([{ message: 'new', time: NOW }]);
  });
});

describe('hmsctl logs', () => {
  const LOGS = {
    gateway: '{"level":30,"time":1795344195045,"msg":"listens"}\n{"level":50,"time":1795344198000,"msg":"fails"}\n',
    postgres: '2026-11-22 10:43:16.000 UTC [1] LOG:  ready\n\tcontinued\n',
    supervisor: '2026-11-22T10:43:14.000Z etcd was started\n',
    'build-s3': 'go: downloading\n',
  };
  let env: NodeJS.ProcessEnv = {};
  let logs = '';
  beforeEach(() => {
    const folder = freshFolder();
    logs = path.join(folder, 'logs');
    fs.mkdirSync(logs);
    for (const [name, text] of Object.entries(LOGS)) fs.writeFileSync(path.join(logs, `${name}.log`), text);
    env = { HMS_DATA_DIR: folder };
  });

  it('prints all processes ordered by time, with colours only for terminals', async () => {
    const plain = await hmsctl(['logs'], { env });
    expect(plain.stdout).toBe(
      [
        '2026-11-22T10:43:14.000Z  supervisor  -      etcd was started',
        '2026-11-22T10:43:15.045Z  gateway     INFO   listens',
        '2026-11-22T10:43:16.000Z  postgres    INFO   ready',
        '2026-11-22T10:43:16.000Z  postgres    INFO       continued',
        '2026-11-22T10:43:18.000Z  gateway     ERROR  fails',
        '',
      ].join('\n'),
    );
    expect((await hmsctl(['logs'], { env: { ...env, FORCE_COLOR: '1' } })).stdout).toContain('\u001b[31mERROR');
  });

  it.each<[string[], RegExp]>([
    [['-n', '2'], /^\S+ {2}postgres .*continued\n\S+ {2}gateway .*fails\n$/],
    [['--since', '2026-11-22T10:43:17Z'], /^\S+ {2}gateway .*fails\n$/],
    [['--since', '2026-11-22T10:43:00Z', '-n', '1', 'gateway'], /^\S+ {2}gateway .*fails\n$/],
    [['-n', '0'], /^$/],
    [['gateway', '-n', '1', '-o', 'json'], /"raw":\{"level":50,"time":1795344198000,"msg":"fails"\}\}\n$/],
    [['build-s3'], /go: downloading/],
  ])('%j', async (args, expected) => {
    expect(await hmsctl(['logs', ...args], { env })).toMatchObject({
      code: EXIT.ok,
      stdout: expect.stringMatching(expected),
    });
  });

  it('-f prints new lines, also of a process that starts later, until Ctrl-C', async () => {
    const running = startHmsctl(['logs', '-f', '-n', '1'], { env });
    await written(running, /fails/);
    fs.appendFileSync(path.join(logs, 'postgres.log'), '2026-11-22 10:43:20.000 UTC [1] LOG:  later\n');
    fs.writeFileSync(path.join(logs, 'mail.log'), 'started\n');
    await written(running, /later/);
    await written(running, /started/);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: EXIT.interrupted, stderr: '' });
  });
});
