import fs from 'node:fs';
import path from 'node:path';
import { layout, type PlatformState } from '@hms/local';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Command } from 'commander';
import { startTimeOf } from '../../local/src/process/table.ts';
import { statusProblem } from './commands/platform.ts';
import { EXIT } from './exit.ts';
import { main, program } from './main.ts';
import { milliseconds } from './options.ts';
import { freshFolder, hmsctl as hmsctlProcess } from './testing.ts';

type ChildStatus = PlatformState['processes'][number];

let written = '';
beforeEach(() => {
  written = '';
  const keep = (chunk: unknown) => {
    written += String(chunk);
    return true;
  };
  jest.spyOn(process.stderr, 'write').mockImplementation(keep);
  jest.spyOn(process.stdout, 'write').mockImplementation(keep);
});
afterEach(() => {
  jest.restoreAllMocks();
});

function hmsctl(...args: string[]): Promise<number> {
  return main(['node', 'hmsctl', ...args]);
}

/** The words of each command, groups and hmsctl itself included. */
function commandLines(command: Command, words: readonly string[] = []): string[][] {
  const below = command.commands.flatMap((child) => commandLines(child, [...words, child.name()]));
  return [[...words], ...below];
}

describe('hmsctl', () => {
  it.each([
    [['frobnicate'], /unknown command/],
    [['hospital', 'get'], /missing required argument 'prefix'/],
    [['orphans', 'finish'], /missing required argument 'prefix'/],
    [['hospital', 'apply'], /required option '-f, --filename <file>'/],
    [['hospital', 'list', '-o', 'xml'], /-o xml is no output format: write table, wide, name, json, yaml, jsonpath=/],
    [['token', '--role', 'SURGEON'], /Allowed choices are OWNER/],
    [['logs', '-n', 'all'], /Write a whole number/],
    [['hospital', 'delete', 'x', '--timeout', 'soon'], /Write a time like 90s/],
    [['token', '--role', 'DOCTOR'], /--role needs --hospital/],
    [['token', '--role', 'DOCTOR', '--hospital', '../x'], /can't be a hospital's prefix/],
    [['login', '--hospital', 'a', '--email', 'b', '--server', 'nowhere'], /Write an address such as https/],
    [['hospital', 'delete', ''], /"" can't be a hospital's prefix/],
    [['hospital', 'delete', '--confirm', '../orphans/x'], /can't be a hospital's prefix/],
    [['hospital', 'get', 'x\u001b[31m\u0007'], /x\\u001b\[31m\\u0007/],
    [['hospital', 'get', 'st-mary?watch=1'], /can't be a hospital's prefix/],
    [['doctor', '-n', '../../version'], /Write lower-case letters, digits and hyphens/],
    [['install', '-f', 'x', '--release', ''], /Write lower-case letters, digits and hyphens/],
    [['orphans', 'finish', ''], /"" can't be a hospital's prefix/],
    [['hospital', 'apply', '-f', '-', '-f', '-'], /use -f - once/],
  ])('%j is a usage error with a reason', async (args, why) => {
    expect(await hmsctl(...args)).toBe(EXIT.usage);
    expect(written).toMatch(why);
  });

  it.each([[['--help']], [['hospital', 'apply', '--help']]])('explains its exit codes: %j', async (args) => {
    expect(await hmsctl(...args)).toBe(EXIT.ok);
    expect(written).toContain('Exit codes:');
  });

  it('prints its version', async () => {
    expect(await hmsctl('--version')).toBe(EXIT.ok);
    expect(written).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('accepts the output format before and after the command', () => {
    for (const argv of [
      ['-o', 'json', 'status'],
      ['status', '-o', 'json'],
    ]) {
      const root = program();
      const status = root.commands.find((command) => command.name() === 'status');
      let output: unknown;
      status?.action((_options: unknown, command: Command) => {
        output = command.optsWithGlobals().output;
      });
      root.parse(['node', 'hmsctl', ...argv]);
      expect(output).toBe('json');
    }
  });

  it.each(commandLines(program()).map((words) => [words]))('shows examples in the help of %j', async (words) => {
    expect(await hmsctl(...words, '--help')).toBe(EXIT.ok);
    expect(written).toMatch(/Examples:\n {2}\S/);
  });
});

describe('the state of the platform', () => {
  const process = (name: string, state: ChildStatus['state']) => ({ name, state }) as ChildStatus;

  it('is a problem while a process is down, and while it starts', () => {
    const [keycloak, crm] = [process('keycloak', 'running'), process('crm', 'restarting')];
    expect(statusProblem({ phase: 'running', processes: [keycloak] })).toBeUndefined();
    expect(statusProblem({ phase: 'running', processes: [keycloak, crm] })).toBe(
      'crm is restarting: hmsctl logs crm shows why.',
    );
    expect(statusProblem({ phase: 'starting', processes: [process('crm', 'waiting')] })).toBe(
      'the platform is starting; crm is waiting',
    );
  });
});

describe('hmsctl status', () => {
  it('names the processes that outlive a killed supervisor', async () => {
    const folder = freshFolder();
    const file = layout(folder).state;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const ended = { pid: process.pid, startTime: 'long ago' };
    const gone = { name: 'crm', ...ended };
    const left = { name: 'keycloak', pid: process.pid, startTime: startTimeOf(process.pid) };
    fs.writeFileSync(file, JSON.stringify({ supervisor: ended, processes: [gone, left] }));
    const status = await hmsctlProcess(['status'], { env: { HMS_DATA_DIR: folder } });
    expect(status).toMatchObject({
      code: EXIT.failure,
      stderr: expect.stringMatching(/the supervisor has ended, but these processes still run: keycloak\. hmsctl up/),
    });
  });
});

describe('hmsctl reset', () => {
  const elsewhere = (folder: string) => hmsctlProcess(['reset', '--yes'], { env: { HMS_DATA_DIR: folder } });

  it('deletes only the data folder of a platform, also after hmsctl down', async () => {
    const folder = freshFolder();
    fs.writeFileSync(path.join(folder, 'thesis.txt'), 'x');
    await hmsctlProcess(['down'], { env: { HMS_DATA_DIR: folder } });
    expect(await elsewhere(folder)).toMatchObject({
      code: EXIT.usage,
      stderr: expect.stringContaining(`${folder} is not the data folder of a platform`),
    });
    expect(fs.readdirSync(folder)).toEqual(['thesis.txt']);
  });

  it('reports that there is nothing to delete', async () => {
    expect(await elsewhere('/no/such/folder')).toMatchObject({
      code: EXIT.ok,
      stdout: expect.stringContaining('There is nothing to delete'),
    });
  });

  it('does not ask without a terminal', async () => {
    expect(await hmsctlProcess(['reset'])).toMatchObject({ code: EXIT.usage, stderr: expect.stringMatching(/--yes/) });
  });
});

describe('hmsctl login --password-stdin', () => {
  const login = ['login', '--hospital', 'a', '--email', 'b', '--password-stdin', '--server', 'http://127.0.0.1:9'];

  it.each([
    ['is empty', '\n', /the password is empty/],
    ['is too large', 'x'.repeat(1_000_000), /standard input is larger than 4 KB/],
  ])('sends nothing if standard input %s', async (_what, input, why) => {
    expect(await hmsctlProcess(login, { input })).toMatchObject({
      code: EXIT.usage,
      stderr: expect.stringMatching(why),
    });
  });

  // As from a program that asks somebody for the password first.
  it('waits for a pipe that is still empty', async () => {
    expect(await hmsctlProcess(login, { input: 'secret\n', inputAfter: 2_000 })).toMatchObject({
      code: EXIT.failure,
      stderr: expect.stringContaining('http://127.0.0.1:9'),
    });
  });
});

describe('milliseconds', () => {
  it.each([
    ['90', 90_000],
    ['90s', 90_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['250ms', 250],
  ])('reads %s', (text, expected) => {
    expect(milliseconds(text)).toBe(expected);
  });
});
