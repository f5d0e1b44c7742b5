import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Command } from 'commander';
import { hospitalsIn } from './commands/hospital.ts';
import { EXIT } from './exit.ts';
import { main, program } from './main.ts';
import { milliseconds } from './options.ts';
import { freshFolder } from './testing.ts';

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

function commandsOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(commandsOf);
}

describe('hmsctl', () => {
  it.each([
    [['frobnicate'], /unknown command/],
    [['hospital', 'get'], /missing required argument 'prefix'/],
    [['orphans', 'finish'], /missing required argument 'prefix'/],
    [['hospital', 'apply'], /required option '-f, --filename <file>'/],
    [['hospital', 'list', '-o', 'xml'], /Allowed choices are table, json, yaml/],
    [['token', '--role', 'SURGEON'], /Allowed choices are OWNER/],
    [['logs', '-n', 'all'], /Write a whole number/],
    [['hospital', 'delete', 'x', '--timeout', 'soon'], /Write a time like 90s/],
    [['token', '--role', 'DOCTOR'], /--role needs --hospital/],
  ])('%j is wrong usage, and it says why', async (args, why) => {
    expect(await hmsctl(...args)).toBe(EXIT.usage);
    expect(written).toMatch(why);
  });

  it.each([[['--help']], [['hospital', 'apply', '--help']]])('explains its exit codes: %j', async (args) => {
    expect(await hmsctl(...args)).toBe(EXIT.ok);
    expect(written).toContain('Exit codes:');
  });

  it('tells its version', async () => {
    expect(await hmsctl('--version')).toBe(EXIT.ok);
    expect(written).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('takes the output format before and after the command', () => {
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

  it.each(commandsOf(program()).filter((command) => command.name() !== 'help'))(
    'shows examples in the help of each command',
    async (command) => {
      const parent = command.parent?.name() ?? 'hmsctl';
      const line = [...(parent === 'hmsctl' ? [] : [parent]), command.name(), '--help'];
      expect(await hmsctl(...line)).toBe(EXIT.ok);
      expect(written).toMatch(/Examples:\n {2}\S/);
    },
  );
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

describe('a manifest', () => {
  function manifest(text: string): string {
    const file = path.join(freshFolder(), 'hospital.yaml');
    fs.writeFileSync(file, text);
    return file;
  }

  it('may hold several hospitals', () => {
    const hospital = (name: string) => `apiVersion: hms.dev/v1\nkind: Hospital\nmetadata: {name: ${name}}\n`;
    expect(
      hospitalsIn(manifest(`${hospital('a-one')}---\n${hospital('b-two')}---\n`)).map(({ metadata }) => metadata.name),
    ).toEqual(['a-one', 'b-two']);
  });

  it.each([
    ['a: [', /is not YAML/],
    ['', /holds no hospital/],
    ['kind: Hospital', /without apiVersion, kind and metadata.name/],
    ['apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}', /applies Hospitals of hms.dev\/v1 only/],
  ])('%j is refused with a sentence', (text, why) => {
    expect(() => hospitalsIn(manifest(text))).toThrow(why);
  });

  it('that is not there is wrong usage', () => {
    expect(() => hospitalsIn('/no/such/file.yaml')).toThrow(/\/no\/such\/file.yaml can't be read \(ENOENT\)/);
  });
});
