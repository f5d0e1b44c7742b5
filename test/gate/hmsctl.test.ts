/** hmsctl as a platform administrator uses it in a shell: a hospital is applied, listed, used and deleted. */
import { randomBytes } from 'node:crypto';
import type { HospitalObject } from '@hms/hospitals';
import { demonstrationUser } from '@hms/local';
import { beforeAll, expect, it } from '@jest/globals';
import { EXIT } from '../../cli/src/exit.ts';
import { freshFolder, type RunOptions, hmsctl as run } from '../../cli/src/testing.ts';
import { platform } from '../platform.ts';
import { call } from '../support/gateway.ts';

const SLOW = 120_000;
const name = `cli-${randomBytes(3).toString('hex')}`;
const env = { HMS_DATA_DIR: platform().dataDir, XDG_CONFIG_HOME: freshFolder() };
const hmsctl = (args: readonly string[], options: RunOptions = {}) => run(args, { ...options, env });
const manifest = (more = '') => `apiVersion: hms.dev/v1
kind: Hospital
metadata: {name: ${name}}
spec: {displayName: Hospital of the Tests, deletionPolicy: Delete${more}}
`;

beforeAll(async () => {
  const applied = await hmsctl(['hospital', 'apply', '-f', '-', '--wait'], { input: manifest() });
  expect(applied).toMatchObject({ code: EXIT.ok, stderr: expect.stringContaining(`hospital ${name} created\n`) });
}, SLOW);

it(
  'lists the hospital, and shows it',
  async () => {
    const { stdout } = await hmsctl(['hospital', 'list', '-o', 'json']);
    const listed = (JSON.parse(stdout) as HospitalObject[]).find(({ metadata }) => metadata.name === name);
    expect(listed).toMatchObject({ status: { phase: 'Ready' } });
    const shown = await hmsctl(['hospital', 'get', name]);
    expect(shown).toMatchObject({ code: EXIT.ok, stdout: expect.stringContaining(name) });
  },
  SLOW,
);

it(
  'refuses a wrong manifest with the name of its field, and changes nothing',
  async () => {
    const { code, stderr } = await hmsctl(['hospital', 'apply', '-f', '-'], { input: manifest(', state: Closed') });
    expect({ code, stderr }).toMatchObject({ code: EXIT.failure, stderr: expect.stringMatching(/spec\.state/) });
  },
  SLOW,
);

it(
  'logs in, and prints tokens that modules accept',
  async () => {
    const { email, password } = await demonstrationUser(platform(), name, 'DOCTOR');
    const login = ['login', '--hospital', name, '--email', email, '--password-stdin'];
    expect(await hmsctl(login, { input: `${password}\n` })).toMatchObject({
      code: EXIT.ok,
      stderr: expect.stringContaining(`Logged in to ${name} as ${email}`),
    });
    const { stdout } = await hmsctl(['token']);
    expect((await call('GET', '/api/hms/patients', { token: stdout.trim() })).status).toBe(200);
  },
  SLOW,
);

it(
  'shows the processes of the platform',
  async () => {
    const { code, stdout } = await hmsctl(['status']);
    expect(code).toBe(EXIT.ok);
    for (const process of ['postgres', 'keycloak', 'gateway', 'operator', 'hms-1', 'queue-1'])
      expect(stdout).toMatch(new RegExp(`^${process} +running`, 'm'));
  },
  SLOW,
);

it(
  'deletes the hospital only with --confirm, and waits until it is deleted',
  async () => {
    expect(await hmsctl(['hospital', 'delete', name])).toMatchObject({
      code: EXIT.usage,
      stderr: expect.stringContaining('Add --confirm'),
    });
    expect(await hmsctl(['hospital', 'delete', name, '--confirm', '--wait'])).toMatchObject({
      code: EXIT.ok,
      stdout: `hospital ${name} is deleted\n`,
    });
    expect((await hmsctl(['hospital', 'get', name])).code).toBe(EXIT.notFound);
  },
  SLOW,
);
