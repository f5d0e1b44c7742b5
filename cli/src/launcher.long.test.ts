/** bin/hmsctl: how people start it from the project's folder. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '@hms/local';
import { describe, expect, it } from '@jest/globals';
import { freshFolder } from './testing.ts';

const run = promisify(execFile);
const HMSCTL = path.join('bin', 'hmsctl');

describe('bin/hmsctl', () => {
  it('runs from any folder, with the Node of the project', async () => {
    const cwd = freshFolder();
    // An older Node, which comes first on the path of this machine.
    const old = path.join(cwd, 'node');
    fs.writeFileSync(old, '#!/bin/sh\necho too old\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${cwd}:${process.env.PATH}` };
    const { stdout } = await run(path.join(PROJECT, HMSCTL), ['--version'], { cwd, env });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('says that it needs its packages, and downloads none', async () => {
    const project = freshFolder();
    for (const folder of ['bin', 'cli']) {
      fs.cpSync(path.join(PROJECT, folder), path.join(project, folder), { recursive: true });
    }
    const before = fs.readdirSync(project);
    await expect(run(path.join(project, HMSCTL), ['--version'])).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: `hmsctl needs its packages: run npm ci in ${fs.realpathSync(project)}\n`,
    });
    expect(fs.readdirSync(project)).toEqual(before);
  });
});

it.each([
  'README.md',
  'Makefile',
  'docs/**/*.md',
  'charts/hms/templates/*.*',
  'local/src/**/*.ts',
  'cli/src/**/!(launcher.test).ts',
])('%s starts hmsctl in no way that may download another package of its name', (pattern) => {
  const files = fs.globSync(pattern, { cwd: PROJECT });
  expect(files).not.toEqual([]);
  const wrong = files.filter((file) =>
    /np(x|m exec)\b.*\bhmsctl/.test(fs.readFileSync(path.join(PROJECT, file), 'utf8')),
  );
  expect(wrong).toEqual([]);
});
