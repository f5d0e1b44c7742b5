/** hmsctl edits, compares, suspends, waits for, describes and watches a hospital of a running platform. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { HospitalObject } from '@hms/hospitals';
import { loadKubeConfig } from '@hms/local';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../test/platform.ts';
import { until } from '../../test/support/until.ts';
import { EXIT } from './exit.ts';
import { Hospitals } from './hospitals.ts';
import { freshFolder, type RunOptions, hmsctl as run, startHmsctl, written } from './testing.ts';

const SLOW = 180_000;
const name = `life-${randomBytes(3).toString('hex')}`;
const observed = `${name}-plan`;
const nobody = `${name}-none`;
const env = { HMS_DATA_DIR: platform().dataDir, XDG_CONFIG_HOME: freshFolder() };
const hospitals = new Hospitals(loadKubeConfig(platform().kubeconfig));

const hmsctl = (args: readonly string[], options: RunOptions = {}) =>
  run(args, { ...options, env: { ...env, ...options.env } });
const hospital = (...args: readonly string[]) => hmsctl(['hospital', ...args]);
const apply = (manifest: string, ...args: readonly string[]) =>
  hmsctl(['hospital', 'apply', '-f', '-', ...args], { input: manifest });

const manifestOf = (prefix: string, spec = '') =>
  `apiVersion: hms.dev/v1\nkind: Hospital\nmetadata: {name: ${prefix}}\nspec: {displayName: Life, deletionPolicy: Delete${spec}}\n`;

beforeAll(async () => {
  expect(await apply(manifestOf(name), '--wait')).toMatchObject({ code: EXIT.ok });
}, SLOW);

afterAll(async () => {
  for (const prefix of [name, observed]) await hospital('delete', prefix, '--confirm', '--wait');
}, SLOW);

/** An editor that runs a script with the file as its first argument. */
function editor(script: string): NodeJS.ProcessEnv {
  const file = path.join(freshFolder(), 'editor.sh');
  fs.writeFileSync(file, script);
  return { KUBE_EDITOR: `sh ${file}` };
}
const edit = (script: string, prefix = name) => hmsctl(['hospital', 'edit', prefix], { env: editor(script) });
const specOf = async () => (await hospitals.get(name)).spec;
const setField = (field: string, value: string) => `sed -i 's|^  ${field}: .*|  ${field}: ${value}|' "$1"`;

/** The file in which hmsctl says that it keeps the text. */
function kept(stderr: string): string {
  const [, file = ''] = /^The edited text is kept in (.*)\.$/m.exec(stderr) ?? [];
  return fs.readFileSync(file, 'utf8');
}

describe('hmsctl hospital edit', () => {
  it('saves what the editor has saved', async () => {
    const { code, stderr } = await edit(setField('displayName', 'Edited'));
    expect([code, stderr]).toEqual([EXIT.ok, `hospital ${name} changed\n`]);
    expect((await specOf()).displayName).toBe('Edited');
  });

  it('sends nothing if nothing is changed', async () => {
    const before = (await hospitals.get(name)).metadata.generation;
    const { code, stderr } = await edit('true');
    expect([code, stderr]).toEqual([EXIT.ok, `hospital ${name} unchanged: nothing was edited\n`]);
    expect((await hospitals.get(name)).metadata.generation).toBe(before);
  });

  it('opens the text again with the field that is wrong', async () => {
    const seen = path.join(freshFolder(), 'seen');
    const script = `if grep -q Mars "$1"; then cp "$1" ${seen}; ${setField('timezone', 'Asia/Jakarta')}; else ${setField('timezone', 'Mars')}; fi`;
    const { code, stderr } = await edit(script);
    expect([code, stderr]).toEqual([EXIT.ok, `hospital ${name} changed\n`]);
    expect(fs.readFileSync(seen, 'utf8')).toMatch(
      /^# .*spec\.timezone: .*"Mars" is not a time zone: write an IANA name/m,
    );
    expect((await specOf()).timezone).toBe('Asia/Jakarta');
  });

  it('keeps a text that stays wrong, and changes nothing', async () => {
    const before = await specOf();
    const { code, stderr } = await edit(setField('currency', 'shells'));
    expect(code).toBe(EXIT.failure);
    expect(stderr).toMatch(/nothing was saved, because the text is still refused: .*"shells" is not a currency/);
    expect(kept(stderr)).toContain('currency: shells');
    expect(await specOf()).toEqual(before);
  });

  it('opens the text again if it is no hospital, or another one', async () => {
    for (const [script, why] of [
      ['echo "{" > "$1"', /the text/],
      [setField('name', 'another'), /metadata\.name can't be changed: write /],
    ] as const) {
      const { code, stderr } = await edit(`grep -q "^# Change" "$1" && ${script}`);
      expect(code).toBe(EXIT.failure);
      expect(stderr).toMatch(why);
    }
    expect(await hospital('get', 'another')).toMatchObject({ code: EXIT.notFound });
  });

  it('overwrites no change of somebody else, and keeps the text', async () => {
    const folder = freshFolder();
    const [open, go] = [path.join(folder, 'open'), path.join(folder, 'go')];
    const script = `touch ${open}; while [ ! -e ${go} ]; do sleep 0.05; done; ${setField('displayName', 'Mine')}`;
    const editing = startHmsctl(['hospital', 'edit', name], { env: { ...env, ...editor(script) } });
    await until('the editor', async () => fs.existsSync(open), Boolean);
    await hospitals.change(name, { spec: { displayName: 'Theirs' } });
    fs.writeFileSync(go, '');
    const { code, stderr } = await editing.ended;
    expect(code).toBe(EXIT.failure);
    expect(stderr).toMatch(new RegExp(`somebody else has changed hospital ${name} meanwhile, and nothing was saved`));
    expect(kept(stderr)).toContain('displayName: Mine');
    expect((await specOf()).displayName).toBe('Theirs');
  });

  it('opens no editor for a hospital that is not there', async () => {
    const { code, stderr } = await edit('echo opened >&2', nobody);
    expect(code).toBe(EXIT.notFound);
    expect(stderr).not.toMatch(/opened|is kept in/);
  });

  it('says how to name another editor if one fails', async () => {
    const { code, stderr } = await edit('exit 3');
    expect(code).toBe(EXIT.failure);
    expect(stderr).toMatch(/ended with 3: name another one with KUBE_EDITOR\.$/m);
    expect(stderr).not.toContain('is kept in');
  });
});

describe('hmsctl hospital diff', () => {
  const diff = (manifest: string) => hmsctl(['hospital', 'diff', '-f', '-'], { input: manifest });

  it('shows what would change, ends with 1, and changes nothing', async () => {
    const before = await specOf();
    const { code, stdout } = await diff(manifestOf(name, ', settings: {country: IE}'));
    expect(code).toBe(EXIT.failure);
    expect(stdout).toMatch(/^\+ .*country: IE$/m);
    expect(await specOf()).toEqual(before);
  });

  it('ends with 0 and without a word if nothing would change', async () => {
    const { stdout: now } = await hospital('get', name, '-o', 'yaml');
    expect(await diff(now)).toEqual({ code: EXIT.ok, stdout: '', stderr: '' });
  });

  it('shows a new hospital as a whole, which is not created', async () => {
    const { code, stdout } = await diff(manifestOf(nobody));
    expect([code, stdout]).toEqual([EXIT.failure, expect.stringMatching(/^\+ .*displayName: Life$/m)]);
    expect(await hospitals.find(nobody)).toBeUndefined();
  });

  it('ends with 6 if there is no diff, and names the field that is wrong', async () => {
    const { code, stderr } = await diff(manifestOf(name, ', timezone: Mars'));
    expect([code, stderr]).toEqual([EXIT.noDiff, expect.stringMatching(/spec\.timezone.*"Mars" is not a time zone/)]);
  });
});

describe('hmsctl hospital suspend and resume', () => {
  it('close a hospital and open it again, and say so if there is nothing to do', async () => {
    const done = (stdout: string) => ({ code: EXIT.ok, stdout });
    const dry = await hospital('suspend', name, '--dry-run');
    expect(dry.stdout).toMatch(new RegExp(`^hospital ${name} is being suspended.+`));
    expect((await specOf()).state).toBe('Active');
    expect(await hospital('suspend', name, '--wait')).toMatchObject(
      done(`hospital ${name} is suspended: nobody can log in or work there\n`),
    );
    expect(await hospital('suspend', name)).toMatchObject(done(`hospital ${name} is suspended already\n`));
    expect(await hospital('wait', name, '--for=condition=Suspended')).toMatchObject(
      done(`hospital ${name} has Suspended\n`),
    );
    expect(await hospital('resume', name, '--wait')).toMatchObject(done(`hospital ${name} is served again\n`));
    expect(await hospital('resume', name)).toMatchObject(done(`hospital ${name} is not suspended\n`));
  });

  it('change none of several hospitals if one is not there', async () => {
    const { code, stderr } = await hospital('suspend', name, nobody);
    expect([code, stderr]).toEqual([EXIT.notFound, expect.stringContaining(nobody)]);
    expect((await specOf()).state).toBe('Active');
  });
});

describe('hmsctl hospital wait', () => {
  it('ends with 4 if the hospital does not get there in time', async () => {
    const { code, stderr } = await hospital('wait', name, '--for=condition=Suspended', '--timeout', '1s');
    expect([code, stderr]).toEqual([EXIT.timeout, expect.stringContaining(name)]);
  });

  it('takes a hospital that is not there for deleted, and not for Ready', async () => {
    expect(await hospital('wait', nobody, '--for=delete')).toMatchObject({
      ...{ code: EXIT.ok, stdout: `hospital ${nobody} is deleted\n` },
    });
    expect((await hospital('wait', nobody, '--timeout', '1s')).code).toBe(EXIT.notFound);
  });

  it.each([[[]], [[name, '--all']], [[name, '--for=ready']]])('with %j says what to write', async (args) => {
    const { code, stderr } = await hospital('wait', ...args);
    expect([code, stderr]).toEqual([EXIT.usage, expect.stringMatching(/--all for all of them|condition=Ready/)]);
  });
});

describe('hmsctl hospital describe', () => {
  it('shows facts, conditions, engines and events', async () => {
    const { code, stdout } = await hospital('describe', name);
    expect(code).toBe(EXIT.ok);
    expect(stdout).toMatch(new RegExp(`^Prefix +${name}$`, 'm'));
    expect(stdout).toMatch(/^ {2}Ready +True /m);
    expect(stdout).toMatch(/^ {2}database +Ready /m);
    expect(stdout).toMatch(/^ {2}\S+ +Normal +Created /m);
  });

  it('is text for people, of a hospital that is there', async () => {
    expect(await hospital('describe', name, '-o', 'json')).toMatchObject({ code: EXIT.usage, stdout: '' });
    expect(await hospital('describe', nobody)).toMatchObject({ code: EXIT.notFound, stdout: '' });
  });
});

describe('hmsctl events', () => {
  it('shows those of one hospital, as a table and as objects', async () => {
    const { stdout } = await hmsctl(['events', name]);
    expect(stdout).toMatch(new RegExp(`^LAST +TYPE +REASON +HOSPITAL .*\n(.* ${name} .*\n?)+$`));
    const events = JSON.parse((await hmsctl(['events', name, '-o', 'json'])).stdout) as { kind: string }[];
    expect(events.map(({ kind }) => kind)).toEqual(events.map(() => 'Event'));
    expect(await hmsctl(['events', nobody])).toMatchObject({ code: EXIT.ok, stdout: 'There are no events.\n' });
  });

  it('prints what happens with -w, until Ctrl-C', async () => {
    const watching = startHmsctl(['events', name, '-w'], { env });
    await written(watching, /Normal +Created/);
    expect(watching.output.stdout).not.toMatch(/hand-made/);
    const at = new Date().toISOString().replace(/\.\d+/, '');
    await hospitals.cluster.ask(async (client) =>
      client.request('POST', '/api/v1/namespaces/default/events', {
        body: {
          ...{ apiVersion: 'v1', kind: 'Event' },
          metadata: { generateName: `${name}.` },
          involvedObject: { apiVersion: 'hms.dev/v1', kind: 'Hospital', name, uid: (await uidOf()) ?? '' },
          ...{
            type: 'Warning',
            reason: 'Tested',
            message: 'hand-made \u001b[31mred',
            source: { component: 'hms-operator' },
          },
          ...{ firstTimestamp: at, lastTimestamp: at, count: 1 },
        },
      }),
    );
    await written(watching, /Warning +Tested +.*hand-made/);
    // Whoever writes an event can't control the terminal.
    expect(watching.output.stdout).not.toContain('\u001b[31m');
    watching.child.kill('SIGINT');
    expect((await watching.ended).code).toBe(EXIT.interrupted);
  });

  it('can only be watched as text or as objects', async () => {
    expect(await hmsctl(['events', '-w', '-o', 'yaml'])).toMatchObject({ code: EXIT.usage, stdout: '' });
  });
});

async function uidOf(): Promise<string | undefined> {
  return (await hospitals.get(name)).metadata.uid;
}

describe('hmsctl top', () => {
  it('shows what a hospital holds', async () => {
    const { code, stdout } = await hmsctl(['top', name, '-o', 'json']);
    expect(code).toBe(EXIT.ok);
    expect(JSON.parse(stdout)).toMatchObject([{ hospital: name, state: 'Active', patients: 0 }]);
    expect((JSON.parse(stdout) as { size: number }[])[0]?.size).toBeGreaterThan(100_000);
    expect((await hmsctl(['top', name])).stdout).toMatch(new RegExp(`^HOSPITAL .*\n${name} +Active +\\d+\\.\\d MB `));
  });

  it('names a hospital that is not there', async () => {
    const { code, stderr } = await hmsctl(['top', nobody]);
    expect([code, stderr]).toEqual([EXIT.notFound, expect.stringContaining(`there is no hospital ${nobody}`)]);
  });
});

describe('hmsctl hospital plan', () => {
  it('shows what the operator would do for a hospital that it only observes', async () => {
    await apply(manifestOf(observed, ', managementPolicy: Observe'));
    const plan = await until(
      'the plan',
      async () => hospital('plan', observed, '-o', 'json'),
      ({ code, stdout }) => code === EXIT.ok && stdout.includes('identity'),
    );
    const lines = JSON.parse(plan.stdout) as string[];
    expect(lines).toContain(`identity: create realm ${observed}`);
    expect((await hospital('plan', observed)).stdout).toContain(lines[0] ?? '-');
    // It has done none of it.
    expect((await hospitals.get(observed)) as HospitalObject).not.toHaveProperty('status.schemaVersion');
  });

  it('is for hospitals that are only observed', async () => {
    const { code, stderr } = await hospital('plan', name);
    expect([code, stderr]).toEqual([EXIT.usage, expect.stringMatching(/managementPolicy Full.*hospital diff -f/)]);
  });
});
