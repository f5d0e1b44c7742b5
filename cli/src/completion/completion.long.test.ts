/** Completion in real shells, and manual pages. */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { tool } from '../../../test/support/tools.ts';
import { until } from '../../../test/support/until.ts';
import { freshFolder, hmsctl } from '../testing.ts';

const BIN = path.resolve(import.meta.dirname, '../../../bin');
const folder = freshFolder();
const SLOW = 60_000;

function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...{ PATH: `${BIN}:${process.env.PATH}`, KUBECONFIG: platform().kubeconfig, HOME: folder, TERM: 'dumb', PS1: '$ ' },
  };
}

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish'])
    fs.writeFileSync(path.join(folder, shell), (await hmsctl(['completion', shell])).stdout);
  const manifest = 'apiVersion: hms.dev/v1\nkind: Hospital\nmetadata: {name: tab-hospital}\nspec: {displayName: Tab}\n';
  await hmsctl(['hospital', 'apply', '-f', '-'], { input: manifest, env: { KUBECONFIG: platform().kubeconfig } });
}, SLOW);

/** Types a line and Tab at the prompt of a shell in a terminal. @returns what the terminal shows when it has the text. */
async function typed(start: string, prepare: string, line: string, expected: RegExp): Promise<string> {
  const child = spawn('script', ['-qfec', start, '/dev/null'], { env: environment() });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const show = (pattern: RegExp) =>
    until(
      `${pattern} in the terminal`,
      async () => shown,
      (text) => pattern.test(text),
    );
  child.stdin.write(`${prepare}; echo prepa''red\n`);
  await show(/^prepared/m);
  shown = '';
  child.stdin.write(`${line}\t\t`);
  try {
    return await show(expected);
  } finally {
    child.kill('SIGKILL');
  }
}

const LINES: [line: string, expected: RegExp][] = [
  ['hmsctl hospital desc', /describe/],
  ['hmsctl hospital get tab-', /tab-hospital/],
  ['hmsctl -o custom', /custom-columns=/],
  ['hmsctl hospital wait --for=condition=Susp', /condition=Suspended/],
];

describe('completion in bash', () => {
  it.each(LINES)(
    'completes %s',
    async (line, expected) => {
      await typed('bash --norc -i', `source ${folder}/bash`, line, expected);
    },
    SLOW,
  );
});

describe('completion in zsh', () => {
  it.each(LINES)(
    'completes %s',
    async (line, expected) => {
      const prepare = `autoload -U compinit && compinit -u -D; source ${folder}/zsh`;
      await typed(`${tool('zsh')} -f -i`, prepare, line, expected);
    },
    SLOW,
  );
});

describe('completion in fish', () => {
  it.each(LINES)(
    'completes %s',
    async (line, expected) => {
      const script = `source ${folder}/fish; complete -C ${JSON.stringify(line)}`;
      expect(
        execFileSync(tool('fish'), ['--no-config', '-c', script], { env: environment(), encoding: 'utf8' }),
      ).toMatch(expected);
    },
    SLOW,
  );
});

describe('the plugin of kubectl', () => {
  it(
    'is called as kubectl calls it, and completes',
    async () => {
      const run = (file: string, args: string[]) =>
        execFileSync(path.join(BIN, file), args, { env: environment(), encoding: 'utf8' });
      expect(run('kubectl-hms', ['hospital', 'get', '--help'])).toMatch(
        /Usage: kubectl hms hospital get .*kubectl hms hospital get st-mary/s,
      );
      expect(run('kubectl_complete-hms', ['hospital', 'get', 'tab-'])).toBe('tab-hospital\n:4\n');
    },
    SLOW,
  );
});

describe('manual pages', () => {
  it(
    'exist for each command, and man shows them without a warning',
    async () => {
      await hmsctl(['man', '--dir', `${folder}/man`]);
      const files = fs.readdirSync(`${folder}/man`);
      expect(files).toEqual(expect.arrayContaining(['hmsctl.1', 'hmsctl-hospital-edit.1', 'hmsctl-onboard.1']));
      for (const name of files) {
        const page = execFileSync('sh', ['-c', 'man -l --warnings "$1" 2>&1', 'sh', `${folder}/man/${name}`], {
          encoding: 'utf8',
        });
        expect(page).toMatch(/^NAME\n/m);
        expect(page).not.toMatch(/warning:/i);
      }
    },
    SLOW,
  );
});
