/** hmsctl and the hospitals of a running platform, from a shell: login, token, apply, delete, logs. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { HospitalObject } from '@hms/hospitals';
import { demonstrationUser, loadKubeConfig } from '@hms/local';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { platform } from '../../test/platform.ts';
import { codesTo } from '../../test/support/mails.ts';
import { testPerson } from '../../test/support/people.ts';
import { until } from '../../test/support/until.ts';
import { EXIT } from './exit.ts';
import { Hospitals } from './hospitals.ts';
import { freshFolder, type RunOptions, hmsctl as run, startHmsctl, written } from './testing.ts';

const SLOW = 180_000;
const name = `cli-${randomBytes(3).toString('hex')}`;
const other = `${name}-two`;
const env = { HMS_DATA_DIR: platform().dataDir, XDG_CONFIG_HOME: freshFolder() };

const hmsctl = (args: readonly string[], options: RunOptions = {}) => run(args, { ...options, env });
const hospitals = () => new Hospitals(loadKubeConfig(platform().kubeconfig));

function hospital(prefix: string, own = ''): string {
  return `apiVersion: hms.dev/v1
kind: Hospital
metadata: {name: ${prefix}}
spec:
  displayName: Hospital of the Tests
  deletionPolicy: Delete
  owner: {email: owner@${prefix}.example, firstName: Ann, lastName: Owner}
  ${own}
`;
}

async function names(): Promise<string[]> {
  const { stdout } = await hmsctl(['hospital', 'list', '-o', 'json']);
  return (JSON.parse(stdout) as HospitalObject[]).map(({ metadata }) => metadata.name);
}

beforeAll(async () => {
  const applied = await hmsctl(['hospital', 'apply', '-f', '-', '--wait', '-o', 'yaml'], { input: hospital(name) });
  expect(applied.code).toBe(EXIT.ok);
  // And how far it is, if that takes a while.
  expect(applied.stderr).toMatch(new RegExp(`^hospital ${name} created\n(0 of 1 Ready; waiting for ${name} .*\n)*$`));
  expect(parse(applied.stdout)).toMatchObject({ metadata: { name }, status: { phase: 'Ready' } });
}, SLOW);

afterAll(async () => {
  for (const prefix of [name, other]) await hmsctl(['hospital', 'delete', prefix, '--confirm', '--wait']);
}, SLOW);

describe('hmsctl hospital apply', () => {
  it('accepts the output of hmsctl hospital get -o yaml without a change', async () => {
    const { stdout } = await hmsctl(['hospital', 'get', name, '-o', 'yaml']);
    expect(parse(stdout)).not.toHaveProperty('metadata.managedFields');
    expect(await hmsctl(['hospital', 'apply', '-f', '-'], { input: stdout })).toEqual({
      ...{ code: EXIT.ok, stdout: '', stderr: `hospital ${name} unchanged\n` },
    });
  });

  it('accepts the output of an API server unchanged', async () => {
    const { stdout } = await hmsctl(['hospital', 'list', '-o', 'json']);
    const managedFields = [{ manager: 'x', operation: 'Apply', apiVersion: 'hms.dev/v1', fieldsV1: {} }];
    const items = (JSON.parse(stdout) as HospitalObject[])
      .filter(({ metadata }) => metadata.name === name)
      .map((item) => ({ ...item, metadata: { ...item.metadata, managedFields } }));
    const list = { apiVersion: 'v1', kind: 'List', items };
    expect(await hmsctl(['hospital', 'apply', '-f', '-'], { input: JSON.stringify(list) })).toMatchObject({
      code: EXIT.ok,
      stderr: `hospital ${name} unchanged\n`,
    });
  });

  it('removes what kubectl has applied and the manifest no longer has, and diff shows that', async () => {
    const kubectl = { spec: { settings: { country: 'IE' } }, metadata: { labels: { team: 'north' } } };
    await hospitals().change(name, kubectl, { manager: 'kubectl-client-side-apply' });
    const input = hospital(name);
    const diff = await hmsctl(['hospital', 'diff', '-f', '-'], { input });
    expect(diff.stdout).toMatch(/^- +country: IE$/m);
    expect(diff.stdout).toMatch(/^- +team: north$/m);
    expect((await hospitals().get(name)).spec.settings).toMatchObject({ country: 'IE' });
    const applied = await hmsctl(['hospital', 'apply', '-f', '-'], { input });
    expect(applied).toMatchObject({ code: EXIT.ok, stderr: `hospital ${name} changed\n` });
    const { spec, metadata } = await hospitals().get(name);
    expect(spec.settings ?? {}).not.toHaveProperty('country');
    expect(metadata).not.toHaveProperty('labels.team');
    expect((await hmsctl(['hospital', 'diff', '-f', '-'], { input })).code).toBe(EXIT.ok);
  });

  it('applies none if the API server refuses one, and names its file and document', async () => {
    const folder = freshFolder();
    const bad = path.join(folder, 'b.yaml');
    fs.writeFileSync(path.join(folder, 'a.yaml'), hospital(other));
    fs.writeFileSync(bad, `${hospital(`${name}-b`, 'state: Closed')}---\n${hospital(`${name}-c`, 'colour: red')}`);
    const { code, stderr } = await hmsctl(['hospital', 'apply', '-f', folder]);
    expect({ code, stderr }).toMatchObject({
      code: EXIT.failure,
      stderr: expect.stringMatching(/nothing was applied/),
    });
    expect(stderr).toMatch(new RegExp(`^${bad}, document 1: .*spec.state`, 'm'));
    expect(stderr).toMatch(new RegExp(`^${bad}, document 2: .*colour`, 'm'));
    expect(await names()).not.toContain(other);
  });

  it('--wait ends with 130 at Ctrl-C, and with 4 and the conditions at the timeout', async () => {
    const file = path.join(freshFolder(), 'hospital.yaml');
    fs.writeFileSync(file, hospital(other));
    const running = startHmsctl(['hospital', 'apply', '-f', file, '--wait'], { env });
    await written(running, /created/, 'stderr');
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: EXIT.interrupted, stdout: '' });
    // The new generation is not reconciled within a millisecond.
    fs.writeFileSync(file, hospital(other, 'timezone: Africa/Nairobi'));
    expect(await hmsctl(['hospital', 'apply', '-f', file, '--wait', '--timeout', '1ms'])).toMatchObject({
      code: EXIT.timeout,
      stderr: expect.stringContaining(`hospital ${other} is not Ready in time`),
    });
  });
});

describe('hmsctl hospital rotate-key', () => {
  it(
    'with --wait, ends when the realm signs with a new key',
    async () => {
      expect((await hmsctl(['hospital', 'rotate-key', `${name}-none`])).code).toBe(EXIT.notFound);
      const since = async () =>
        /^signing key since (\S+)$/m.exec((await hmsctl(['hospital', 'get', name])).stdout)?.[1];
      const before = await since();
      const { code, stdout } = await hmsctl(['hospital', 'rotate-key', name, '--wait']);
      const after = await since();
      expect({ code, stdout }).toEqual({
        code: EXIT.ok,
        stdout: `hospital ${name} signs with a new key since ${after}\n`,
      });
      expect(Date.parse(after ?? '')).toBeGreaterThan(Date.parse(before ?? ''));
    },
    SLOW,
  );
});

describe('hmsctl hospital delete', () => {
  it(
    'requires --confirm if data would be lost, and with --wait ends when the hospital is deleted',
    async () => {
      if (!(await names()).includes(other)) await hmsctl(['hospital', 'apply', '-f', '-'], { input: hospital(other) });
      expect(await hmsctl(['hospital', 'delete', other, '--wait'])).toMatchObject({
        code: EXIT.usage,
        stderr: expect.stringContaining('Add --confirm'),
      });
      expect(await names()).toContain(other);
      expect(await hmsctl(['hospital', 'delete', other, '--confirm', '--wait'])).toMatchObject({
        code: EXIT.ok,
        stdout: `hospital ${other} is deleted\n`,
      });
      // Checked immediately: a new hmsctl takes a second to start, in which an unawaited deletion may end.
      await expect(hospitals().find(other)).resolves.toBeUndefined();
      expect((await hmsctl(['hospital', 'delete', other])).code).toBe(EXIT.notFound);
    },
    SLOW,
  );
});

describe('hmsctl login', () => {
  it('stores a session, from which hmsctl token prints tokens that modules accept', async () => {
    const { email, password } = await demonstrationUser(platform(), name, 'DOCTOR');
    const login = ['login', '--hospital', name, '--email', email, '--password-stdin'];
    expect(await hmsctl(login, { input: 'wrong\n' })).toMatchObject({ code: EXIT.notLoggedIn, stdout: '' });
    expect((await hmsctl(['token', '--hospital', name])).code).toBe(EXIT.notLoggedIn);
    expect(await hmsctl(login, { input: `${password}\n` })).toMatchObject({
      code: EXIT.ok,
      stderr: expect.stringContaining(`Logged in to ${name} as ${email}`),
    });
    const { stdout } = await hmsctl(['token']);
    expect(await patients(stdout)).toBe(200);
  });
});

describe('hmsctl login of a user of the platform', () => {
  it('asks for the password without showing it, then for the code from the email until it is right', async () => {
    const { email, password, remove } = await testPerson('console');
    const login = ['login', '--hospital', 'console', '--email', email];
    const piped = await hmsctl([...login, '--password-stdin'], { input: password });
    expect(piped).toMatchObject({
      code: EXIT.usage,
      stderr: expect.stringContaining('there is no terminal to ask for it'),
    });

    // Mails are sent after the response, and the code of that login does not fit the next one.
    const codesOf = (logins: number) =>
      until(
        'the code',
        () => codesTo(email),
        ({ length }) => length === logins,
      );
    await codesOf(1);
    const running = startHmsctl(login, { env, terminal: true });
    await written(running, /Password of/);
    running.child.stdin?.write(`${password}\r`);
    await written(running, /A code was sent to p•••@console\.example.*Code \(/s);
    running.child.stdin?.write('12345\r');
    await written(running, /must be the six digits in the e-mail.*Code \(/s);
    running.child.stdin?.write('\r');
    await written(running, /A code was sent a moment ago.*Code \(/s);
    const codes = await codesOf(2);
    running.child.stdin?.write(`${codes.at(-1)}\r`);
    const { code, stdout } = await running.ended;
    expect({ code, stdout }).toEqual({
      code: EXIT.ok,
      stdout: expect.stringContaining(`Logged in to console as ${email}`),
    });
    expect(stdout).not.toContain(password);
    await remove();
  });
});

describe('hmsctl password', () => {
  it(
    'sets a new password with the code, and asks again for one that is refused',
    async () => {
      const { email } = await demonstrationUser(platform(), name, 'NURSE');
      const running = startHmsctl(['password', '--hospital', name, '--email', email], { env, terminal: true });
      const type = (text: string) => running.child.stdin?.write(`${text}\r`);
      const typeTwice = async (first: string, second: string, times: number) => {
        await written(running, new RegExp(`(New password: .*){${times}}`, 's'));
        type(first);
        await written(running, new RegExp(`(New password again: .*){${times}}`, 's'));
        type(second);
      };
      await typeTwice('one', 'another', 1);
      await written(running, /The two passwords differ/);
      await typeTwice('short', 'short', 2);
      const [code] = await until(
        'the code',
        () => codesTo(email),
        ({ length }) => length > 0,
      );
      await written(running, /Code \(/);
      type(code ?? '');
      await written(running, /newPassword is refused: .*minimum length 10/);
      const password = 'a passphrase of the test';
      await typeTwice(password, password, 3);
      const { code: exit, stdout } = await running.ended;
      expect({ exit, stdout }).toEqual({ exit: EXIT.ok, stdout: expect.stringContaining('is changed') });
      expect(stdout).not.toContain(password);
      const login = ['login', '--hospital', name, '--email', email, '--password-stdin'];
      expect((await hmsctl(login, { input: password })).code).toBe(EXIT.ok);
    },
    SLOW,
  );

  it('names an unknown hospital', async () => {
    const running = startHmsctl(['password', '--hospital', 'no-such', '--email', 'a@b.example'], {
      env,
      terminal: true,
    });
    for (const question of [/New password: /, /New password again: /]) {
      await written(running, question);
      running.child.stdin?.write('a passphrase of the test\r');
    }
    const { code, stdout } = await running.ended;
    expect({ code, stdout }).toEqual({ code: EXIT.failure, stdout: expect.stringContaining('no hospital') });
  });
});

describe('hmsctl token --role', () => {
  it('prints a token of a user of the platform, which needs a code', async () => {
    const { code, stdout } = await hmsctl(['token', '--hospital', 'console', '--role', 'PLATFORM_SUPPORT']);
    expect(code).toBe(EXIT.ok);
    expect(await patients(stdout)).toBe(403);
    const wrong = await hmsctl(['token', '--hospital', 'console', '--role', 'DOCTOR']);
    expect(wrong).toMatchObject({ code: EXIT.usage, stderr: expect.stringContaining('PLATFORM_ADMIN') });
  });

  it('prints a token of a demonstration user', async () => {
    const { code, stdout } = await hmsctl(['token', '--hospital', name, '--role', 'DOCTOR']);
    expect(code).toBe(EXIT.ok);
    expect(await patients(stdout)).toBe(200);
  });
});

describe('hmsctl logs', () => {
  it('-f prints a request that arrives meanwhile, until Ctrl-C', async () => {
    const running = startHmsctl(['logs', '-f', '-n', '1', 'gateway'], { env });
    await written(running, /\n/);
    await fetch(`${platform().baseUrl}/from-hmsctl-logs?secret=1`);
    await written(running, / gateway {2}INFO {3}request .*path=\/from-hmsctl-logs status=404/);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(EXIT.interrupted);
    expect(stdout).not.toContain('secret');
  });

  it('prints the lines of all engines ordered by time, each with a level', async () => {
    const { stdout } = await hmsctl(['logs', '-n', '100000', '-o', 'json']);
    const lines = stdout.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Line] : []));
    const dated = lines.flatMap(({ time, process }) => (time ? [{ time, process }] : []));
    // A process with several threads writes some lines out of order itself.
    const swapped = dated.filter(({ time }, index) => time < (dated[index - 1]?.time ?? ''));
    for (const line of swapped) expect(line.process).toBe(dated[dated.indexOf(line) - 1]?.process);
    expect(swapped.length).toBeLessThan(dated.length / 100);
    for (const process of ['gateway', 'operator', 'keycloak', 'postgres', 'kube-apiserver'])
      expect(lines.filter((line) => line.process === process && line.time && line.level).length).toBeGreaterThan(0);
  });
});

interface Line {
  readonly time: string | null;
  readonly process: string;
  readonly level: string | null;
}

async function patients(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token.trim()}` };
  return (await fetch(`${platform().baseUrl}/api/hms/patients`, { headers })).status;
}
