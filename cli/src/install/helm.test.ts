import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EXIT } from '../exit.ts';
import { freshFolder } from '../testing.ts';
import { unfinishedRemedy } from './helm.ts';

const updated = '2026-01-02T03:04:05Z';

describe('a release that another Helm has left unfinished', () => {
  it('rolls back to the last successful revision, not to a failed one', () => {
    const history = ['superseded', 'deployed', 'failed', 'pending-upgrade'].map((status, index) => ({
      ...{ revision: index + 1, status, updated },
    }));
    expect(unfinishedRemedy('blue', 'care', history)).toMatch(
      /^release blue is pending-upgrade since 2026-01-02T03:04:05Z: .* helm rollback blue 2 -n care --wait, /,
    );
  });

  it('that was never complete is uninstalled', () => {
    const history = [{ revision: 1, status: 'pending-install', updated }];
    expect(unfinishedRemedy('blue', 'care', history)).toContain('helm uninstall blue -n care, ');
  });
});

describe('Helm', () => {
  it('ends before hmsctl when that is interrupted', async () => {
    const program = path.join(freshFolder(), 'helm');
    const script = "#!/bin/sh\ntrap 'echo recorded; kill $!; exit 1' TERM\nsleep 60 &\necho begun\nwait\n";
    fs.writeFileSync(program, script, { mode: 0o755 });
    const of = (file: string) => JSON.stringify(path.join(import.meta.dirname, file));
    const code = `
      const { exitOnSignals } = await import(${of('../signals.ts')});
      const { Helm } = await import(${of('helm.ts')});
      exitOnSignals();
      await new Helm().run(['upgrade']);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      env: { ...process.env, HELM: program },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      if (output === 'begun\n') child.kill('SIGTERM');
    });
    const [exitCode] = await once(child, 'exit');
    expect({ exitCode, output }).toEqual({ exitCode: EXIT.terminated, output: 'begun\nrecorded\n' });
  });
});
