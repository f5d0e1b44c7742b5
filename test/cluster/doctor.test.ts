/** hmsctl install and doctor, and helm test, on a real cluster with real pods. */
import path from 'node:path';
import type { Finding } from '@hms/operator/doctor';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { $ } from 'zx';
import { until } from '../support/until.ts';
import { buildImage } from './image.ts';
import { fresh, helm, kubectl, RELEASE, type Scene, startScene } from './scene.ts';

const SLOW = 600_000;
const ROOT = path.resolve(import.meta.dirname, '../..');
const IMAGE = 'localhost/hms/hms:cluster-test';

let scene: Scene;

beforeAll(async () => {
  await buildImage(IMAGE, ROOT, path.join(ROOT, 'Dockerfile'));
  scene = await startScene(IMAGE);
}, SLOW);

afterAll(async () => {
  await helm('uninstall', RELEASE, '-n', RELEASE, '--wait').catch(() => undefined);
  await kubectl('delete', 'namespace', RELEASE, '--ignore-not-found');
  await scene?.stop();
}, SLOW);

describe('hmsctl install', () => {
  it(
    'creates namespace and signing key, and names the Secrets to create',
    async () => {
      const namespace = fresh('other-');
      try {
        // The definitions may be those of an earlier run, and are not checked here.
        const { code, output } = await hmsctl('install', '-f', scene.values, '-n', namespace, '--take-ownership');
        expect({ code, output }).toMatchObject({ code: 1 });
        expect(output).toContain(
          `kubectl -n ${namespace} create secret generic hms-keycloak --from-literal=client-id=`,
        );
        expect(await kubectl('get', 'secret', 'hms-signing-key', '-n', namespace, '-o', 'name')).toContain('secret/');
        const privileged = ['run', 'x', '-n', namespace, `--image=${IMAGE}`, '--privileged', '--restart=Never'];
        await expect(kubectl(...privileged)).rejects.toThrow(/violates PodSecurity "restricted:latest"/);
      } finally {
        await kubectl('delete', 'namespace', namespace, '--ignore-not-found', '--wait=false');
      }
    },
    SLOW,
  );

  it(
    'starts every deployment, and upgrades when run again',
    async () => {
      for (const _run of ['install', 'upgrade']) {
        const { code, output } = await hmsctl('install', '-f', scene.values, '-n', RELEASE, '--release', RELEASE);
        expect({ code, output }).toMatchObject({ code: 0 });
        expect(output).toContain('Installed. Next: helm test');
      }
    },
    SLOW,
  );

  it(
    'reports why new pods are not ready, even if the old ones serve',
    async () => {
      const values = ['-f', scene.values, '-n', RELEASE, '--release', RELEASE];
      const tooBig = ['--set', 'modules.crm.resources.requests.cpu=1000', '--timeout', '20s'];
      const { code, output } = await hmsctl('install', ...values, ...tooBig);
      expect({ code, output }).toMatchObject({ code: 1 });
      expect(output).toMatch(/warning +deployment hms-crm +2 of 2 available, .*has no node/);
      expect(await hmsctl('install', ...values)).toMatchObject({ code: 0 });
    },
    SLOW,
  );
});

describe('helm test', () => {
  it(
    'creates, uses and deletes a hospital, and leaves neither hospital nor account',
    async () => {
      await helm('test', RELEASE, '-n', RELEASE);
      const log = await kubectl('logs', `${RELEASE}-smoke`, '-n', RELEASE);
      expect(log).toMatch(
        /Ready\n.*user is created in its realm\n.*logs in through the gateway\n.*patient is created\n.*read again\n.*deleted$/,
      );
      const leftovers = ['hospitals', 'clusterroles', 'clusterrolebindings'].join(',');
      expect(await kubectl('get', leftovers, '-o', 'name')).not.toContain('smoke');
    },
    SLOW,
  );
});

describe('hmsctl doctor', () => {
  it(
    'finds no problem, and leaves no Job',
    async () => {
      const findings = await doctor();
      expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
      const names = findings.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining([`deployment ${RELEASE}-operator`, 'keycloak rights', 's3 bucket']));
      expect(await kubectl('get', 'jobs', '-n', RELEASE, '-o', 'name')).not.toContain('doctor');
    },
    SLOW,
  );

  it(
    'names an unavailable engine and the remedy',
    async () => {
      scene.databases.cut();
      try {
        const failed = (await doctor()).filter(({ status }) => status === 'failed');
        expect(failed.find(({ name }) => name === 'postgres login')).toMatchObject({
          remedy: expect.stringContaining('DATABASE_URL'),
        });
        expect(failed.filter(({ name }) => /^(keycloak|s3|smtp)/.test(name))).toEqual([]);
      } finally {
        scene.databases.open();
      }
    },
    SLOW,
  );

  it(
    'reports why a pod does not start',
    async () => {
      await kubectl('set', 'image', `deployment/${RELEASE}-crm`, 'crm=localhost/hms/hms:no-such', '-n', RELEASE);
      await kubectl('scale', 'deployment', `${RELEASE}-crm`, '-n', RELEASE, '--replicas=3');
      try {
        const name = `deployment ${RELEASE}-crm`;
        await until('the reason', doctor, (all) =>
          all.some((one) => one.name === name && /does not get its image/.test(one.observed)),
        );
      } finally {
        await kubectl('rollout', 'undo', `deployment/${RELEASE}-crm`, '-n', RELEASE);
        await kubectl('scale', 'deployment', `${RELEASE}-crm`, '-n', RELEASE, '--replicas=2');
        await kubectl('rollout', 'status', `deployment/${RELEASE}-crm`, '-n', RELEASE);
      }
    },
    SLOW,
  );
});

async function hmsctl(...args: readonly string[]) {
  const program = path.join(ROOT, 'cli/bin/hmsctl.js');
  const { exitCode, stdout, stderr } = await $({ nothrow: true, quiet: true })`${process.execPath} ${program} ${args}`;
  return { code: exitCode, output: stdout + stderr, answer: stdout };
}

async function doctor(): Promise<Finding[]> {
  const { answer, output } = await hmsctl('doctor', '-n', RELEASE, '--release', RELEASE, '-o', 'json');
  if (!answer) throw new Error(output);
  return JSON.parse(answer) as Finding[];
}
