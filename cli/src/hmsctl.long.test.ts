/** hmsctl as a process, with the tests' platform instead of this machine's own. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { connect, findHospitalByPrefix, type Hospital, insertHospital, updateHospital } from '@hms/database';
import { describe, expect, it } from '@jest/globals';
import { platform } from '../../test/platform.ts';
import { freshPrefix } from '../../test/support/hospitals.ts';
import { tool } from '../../test/support/tools.ts';
import { until } from '../../test/support/until.ts';
import { EXIT } from './exit.ts';
import { freshFolder, hmsctl as run } from './testing.ts';

const SLOW = 180_000;

async function hmsctl(
  args: readonly string[],
  own: NodeJS.ProcessEnv = {},
): Promise<{ code: unknown; output: string }> {
  const { code, stdout, stderr } = await run(args, { env: { HMS_DATA_DIR: platform().dataDir, ...own } });
  return { code, output: `${stdout}${stderr}` };
}

describe('hmsctl up while the platform is up', () => {
  it(
    'applies the first hospital and prints addresses and a login, as at the first start',
    async () => {
      const { gateway } = platform().ports;
      const { code, output } = await hmsctl(['up'], { HMS_GATEWAY_PORT: String(gateway) });
      expect({ code, output }).toMatchObject({ code: EXIT.ok, output: expect.stringContaining('st-mary Ready') });
      expect(output).toContain('The platform was already up, since ');
      expect(output).toContain(`login       hospital st-mary, doctor@st-mary.example, password Demo-1-`);
      expect(output).toContain(`export KUBECONFIG=${platform().kubeconfig}`);
      const [, password = ''] = /password (Demo-1-\S+)/.exec(output) ?? [];
      const [, others = ''] = /^ +(.+) instead of doctor: the same password$/m.exec(output) ?? [];
      const people = ['doctor', ...others.split(', ')].map((name) => ['st-mary', `${name}@st-mary.example`]);
      expect(people).toHaveLength(9);
      for (const [hospital, email] of [...people, ['console', 'platform-admin@console.example']]) {
        const answer = await fetch(`${platform().baseUrl}/api/auth/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ hospital, email, password }),
        });
        expect([email, answer.status]).toEqual([email, 200]);
      }
    },
    SLOW,
  );

  it('reports that another port needs a restart', async () => {
    const { gateway } = platform().ports;
    const { code, output } = await hmsctl(['up'], { HMS_GATEWAY_PORT: '9999' });
    expect({ code, output }).toEqual({
      code: EXIT.failure,
      output: expect.stringContaining(`HMS_GATEWAY_PORT=9999 (it is ${gateway})`),
    });
    expect(output).toContain('run make down first');
  });
});

describe('hmsctl audit verify', () => {
  it(
    'finds a changed event of a hospital, and its position',
    async () => {
      // Creates the first hospital, unless a test before did.
      await hmsctl(['up'], { HMS_GATEWAY_PORT: String(platform().ports.gateway) });
      const env = { HMS_DATA_DIR: platform().dataDir };
      const token = (await run(['token', '--hospital', 'st-mary', '--role', 'DOCTOR'], { env })).stdout.trim();
      const answer = await fetch(`${platform().baseUrl}/api/hms/patients`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(200);
      const { output } = await until(
        'a sealed event',
        () => hmsctl(['audit', 'verify', 'st-mary']),
        ({ output }) => /^st-mary +[1-9]\d* +0 +0 +- +none$/m.test(output),
      );
      expect(output).toMatch(/^HOSPITAL +SEALED +REMOVED +WAITING +POSITION +PROBLEM$/m);
      const db = connect(platform().databaseUrls.operator, { poolSize: 1 });
      const rename = (from: string, to: string) =>
        db.raw('UPDATE h_st_mary.audit_events SET record = ? WHERE seq = 1 AND record = ?', [to, from]);
      const [{ record }] = await db('h_st_mary.audit_events').where({ seq: 1 }).select('record');
      await rename(record, 'other');
      const changed = await hmsctl(['audit', 'verify']);
      await rename('other', record);
      expect(changed.code).toBe(EXIT.failure);
      expect(changed.output).toMatch(/^st-mary +\d+ +0 +\d+ +\d+ +the event was changed$/m);

      // Without a schema, as while it is created. Then somebody has removed it.
      const ghost = { ...(await findHospitalByPrefix(db, 'st-mary')), id: randomUUID(), prefix: freshPrefix() };
      await insertHospital(db, { ...ghost, issuer: `${ghost.prefix}.example`, state: 'Provisioning' } as Hospital);
      const created = await hmsctl(['audit', 'verify']);
      await updateHospital(db, ghost.prefix, { state: 'Retained' });
      const removed = await hmsctl(['audit', 'verify']);
      await db('platform.hospitals').where({ prefix: ghost.prefix }).delete();
      await db.destroy();
      expect(created.output).toMatch(/^st-mary +\d+ +0 +\d+ +- +none$/m);
      expect(created.output).not.toContain(ghost.prefix);
      expect(removed.code).toBe(EXIT.failure);
      expect(removed.output).toMatch(new RegExp(`^${ghost.prefix} +0 +0 +0 +1 +the audit log is missing$`, 'm'));
      expect((await hmsctl(['audit', 'verify', 'no-such'])).code).toBe(EXIT.notFound);
    },
    SLOW,
  );
});

describe('hmsctl tasks', () => {
  it(
    'shows what failed with its error, and retries and drops it',
    async () => {
      const db = connect(platform().databaseUrls.operator, { poolSize: 1 });
      // No module runs a task of this name.
      const add = async (): Promise<number> => {
        const payload = JSON.stringify({ role: 'h_st_mary' });
        const added = await db.raw("SELECT id FROM graphile_worker.add_job('of-no-module', ?)", [payload]);
        const { id } = added.rows[0];
        await db.raw("SELECT graphile_worker.permanently_fail_jobs(ARRAY[?::bigint], 'the printer is out of paper')", [
          id,
        ]);
        return id;
      };
      const [one, two] = [await add(), await add()];
      const failed = () => hmsctl(['tasks', 'list', 'st-mary', '--state', 'failed']);
      const { output } = await failed();
      expect(output).toMatch(/^ID +HOSPITAL +TASK +STATE +ATTEMPTS +AGE +NEXT +ERROR$/m);
      expect(output).toMatch(
        new RegExp(`^${one} +st-mary +of-no-module +failed +25/25 +\\d+s +- +the printer is out of paper$`, 'm'),
      );
      expect(await hmsctl(['tasks', 'retry', String(one)])).toEqual({ code: EXIT.ok, output: '1 task will run now\n' });
      expect((await failed()).output).not.toMatch(new RegExp(`^${one} `, 'm'));
      expect(await hmsctl(['tasks', 'drop', '--failed', '--hospital', 'st-mary'])).toEqual({
        code: EXIT.ok,
        output: '1 task deleted\n',
      });
      const missing = await hmsctl(['tasks', 'drop', String(one), String(two)]);
      await db.destroy();
      expect(missing.code).toBe(EXIT.notFound);
      expect(missing.output).toContain('1 task deleted');
      expect(missing.output).toContain(`${two}: no such task`);
    },
    SLOW,
  );

  it.each([
    [['tasks', 'retry']],
    [['tasks', 'drop', '1', '--failed']],
    [['tasks', 'drop', '1', '--hospital', 'st-mary']],
  ])('refuses %j, which could mean more than was intended', async (args) => {
    expect((await hmsctl(args)).code).toBe(EXIT.usage);
  });
});

describe('hmsctl doctor on this machine', () => {
  it('checks the cluster and the engines', async () => {
    const { code, output } = await hmsctl(['doctor']);
    expect({ code, output }).toMatchObject({ code: EXIT.ok });
    expect(output).toMatch(/^ok +cluster nodes +none: this API server runs no pods$/m);
    expect(output).toMatch(/^ok +admission policy hospital-deletion\.hms\.dev +is bound$/m);
    expect(output).toMatch(/^ok +keycloak rights +service-account-hms-operator may create realms$/m);
  });

  it('reports an unavailable cluster', async () => {
    const file = path.join(freshFolder(), 'kubeconfig');
    const text = fs.readFileSync(platform().kubeconfig, 'utf8');
    fs.writeFileSync(file, text.replace(/server: .*/, 'server: https://127.0.0.1:1'));
    const { code, output } = await hmsctl(['doctor', '--kubeconfig', file]);
    expect(code).toBe(EXIT.failure);
    expect(output).toMatch(/^failed +cluster API server +https:\/\/127\.0\.0\.1:1: .*\n\nWHAT TO DO\n.*--kubeconfig/m);
  });

  it('reports that nothing is installed', async () => {
    const { code, output } = await hmsctl(['doctor', '--kubeconfig', platform().kubeconfig], {
      HMS_DATA_DIR: freshFolder(),
    });
    expect({ code, output }).toMatchObject({ code: EXIT.ok });
    expect(output).toMatch(/^warning +release +no release hms in namespace hms;/m);
  });
});

describe('hmsctl install', () => {
  it('needs a cluster that runs pods', async () => {
    const { code, output } = await hmsctl(['install', '-f', 'values.yaml']);
    expect({ code, output }).toEqual({ code: EXIT.usage, output: expect.stringContaining('runs no pods') });
  });

  it('reads values from standard input', async () => {
    const folder = freshFolder();
    const install = await run(['install', '-f', '-', '--kubeconfig', platform().kubeconfig], {
      input: 'image: {tga: 0.2.0}\n',
      // Because this is not the machine's own platform, hmsctl treats it as a cluster that runs pods.
      env: { HMS_DATA_DIR: folder, HELM: tool('helm') },
    });
    expect(install).toMatchObject({ code: EXIT.failure, stderr: expect.stringContaining("'tga' not allowed") });
  });

  it('says where to get Helm', async () => {
    const { code, output } = await hmsctl(['install', '-f', 'x', '--kubeconfig', platform().kubeconfig], {
      HMS_DATA_DIR: freshFolder(),
      HELM: '/no/such/helm',
    });
    expect({ code, output }).toEqual({ code: EXIT.failure, output: expect.stringContaining('helm.sh/docs') });
  });
});

describe('the exit code of not found', () => {
  it.each([
    [['hospital', 'get', 'nope'], /there is no hospital nope/],
    [['token', '--hospital', 'nope', '--role', 'DOCTOR'], /there is no hospital nope/],
    [['logs', 'nope'], /there is no log of nope; there are: .*supervisor/],
  ])('is returned by %j', async (args, why) => {
    expect(await hmsctl(args)).toEqual({ code: EXIT.notFound, output: expect.stringMatching(why) });
  });

  it.each([[['status']], [['hospital', 'list']], [['token', '--hospital', 'st-mary', '--role', 'DOCTOR']]])(
    'is also returned by %j if no platform runs',
    async (args) => {
      expect(await hmsctl(args, { HMS_DATA_DIR: freshFolder() })).toEqual({
        code: EXIT.notFound,
        output: expect.stringContaining('not running'),
      });
    },
  );
});
