/** Fifty hospitals from one CSV file, while the operator is killed twice. */
import fs from 'node:fs';
import path from 'node:path';
import type { HospitalObject } from '@hms/hospitals';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EXIT } from '../../cli/src/exit.ts';
import { freshFolder, hmsctl, startHmsctl, written } from '../../cli/src/testing.ts';
import { platform } from '../platform.ts';
import { Scene, SETTING_MS } from './scene.ts';

const COUNT = 50;
const ONBOARDING_MS = 900_000;

let scene: Scene;
let env: NodeJS.ProcessEnv;
const file = path.join(freshFolder(), 'hospitals.csv');

beforeAll(async () => {
  scene = await Scene.set();
  env = { KUBECONFIG: platform().kubeconfig };
  const rows = Array.from({ length: COUNT }, (_, index) => {
    const prefix = `csv-${String(index + 1).padStart(2, '0')}`;
    return `${prefix};"Hospital; ${index + 1}";Europe/Dublin;EUR;owner@${prefix}.example;Ann;Byrne\r\n`;
  });
  fs.writeFileSync(
    file,
    `\uFEFFprefix;displayName;timezone;currency;ownerEmail;ownerFirstName;ownerLastName\r\n${rows.join('')}`,
  );
}, SETTING_MS);

afterAll(() => scene?.strike(), SETTING_MS);

async function versions(): Promise<Map<string, string | undefined>> {
  const { stdout } = await hmsctl(['hospital', 'list', '-o', 'json'], { env });
  return new Map(
    (JSON.parse(stdout) as HospitalObject[]).map(({ metadata }) => [metadata.name, metadata.resourceVersion] as const),
  );
}

it(
  'makes all of them Ready, and a second run has nothing to do',
  async () => {
    const running = startHmsctl(['onboard', '-f', file], { env });
    for (const ready of [/^[1-9]\d* of 50 Ready/m, /^[2-4]\d of 50 Ready/m]) {
      await written(running, ready, 'stderr');
      await scene.operator.stop('SIGKILL');
      await scene.operator.start();
    }
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout, stderr }).toMatchObject({ code: EXIT.ok, stdout: '50 created; all are Ready\n' });

    const before = await versions();
    expect(before.size).toBe(COUNT);
    const again = await hmsctl(['onboard', '-f', file], { env });
    expect(again).toMatchObject({ code: EXIT.ok, stdout: '50 unchanged; all are Ready\n' });
    expect(again.stderr).not.toMatch(/created|changed/);
    expect(await versions()).toEqual(before);
  },
  ONBOARDING_MS,
);
