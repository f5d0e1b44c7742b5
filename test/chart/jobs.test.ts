/**
 * The jobs around an upgrade: when, how long and where they run, and what Kong's jobs do in each state of its tables.
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BUILT_MODULES } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { everyModule, merge, REQUIRED, type Values } from './combinations.ts';
import { type Chart, packChart, podIn, type Rendered } from './helm.ts';

const KONG = { gateway: { kind: 'kong', kong: { database: { host: 'db', secret: { name: 'kong' } } } } };

let chart: Chart;
let folder: string;
beforeAll(async () => {
  chart = await packChart();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hms-jobs-'));
}, 300_000);
afterAll(() => {
  chart.remove();
  fs.rmSync(folder, { recursive: true, force: true });
});

const render = (values: Values = {}) => chart.render(merge(merge(REQUIRED, KONG), values));
const jobsIn = (objects: readonly Rendered[]) => objects.filter(({ kind }) => kind === 'Job');

describe('jobs', () => {
  it('run at install and upgrade, are deleted after success, and kept for a day after a failure', async () => {
    const jobs = jobsIn(await render());
    const when = Object.fromEntries(
      jobs.map(({ metadata }) => [metadata.name, metadata.annotations?.['helm.sh/hook']]),
    );
    expect(when).toEqual({
      'hms-migrate': 'pre-install,pre-upgrade',
      'hms-gateway-migrations-up': 'pre-install,pre-upgrade',
      'hms-gateway-migrations-finish': 'post-install,post-upgrade',
    });
    for (const { metadata, spec } of jobs) {
      // Helm waits for 300 s.
      expect(spec?.activeDeadlineSeconds).toBe(270);
      expect(metadata.annotations?.['helm.sh/hook-delete-policy']).toBe('before-hook-creation,hook-succeeded');
      expect(spec?.ttlSecondsAfterFinished).toBe(86_400);
    }
  });
});

describe('every pod of the release', () => {
  it('has the nodes, annotations and resources of its values', async () => {
    const placed = {
      podAnnotations: { 'example/annotation': 'true' },
      nodeSelector: { 'example/pool': 'hms' },
      tolerations: [{ key: 'hms', operator: 'Exists' }],
      resources: { limits: { memory: '333Mi' } },
    };
    const objects = await render({
      operator: placed,
      gateway: placed,
      jobs: placed,
      modules: everyModule(placed),
      web: placed,
    });
    const pods = objects.flatMap((object) => podIn(object) ?? []);
    expect(pods).toHaveLength(7 + BUILT_MODULES.length);
    for (const pod of pods)
      expect(pod).toMatchObject({
        metadata: { annotations: placed.podAnnotations },
        spec: {
          nodeSelector: placed.nodeSelector,
          tolerations: placed.tolerations,
          containers: [{ resources: placed.resources }],
        },
      });
  });
});

describe("the job before Kong's new nodes", () => {
  const NEW = 'New migrations available:\ncore: 024_380_to_390';
  it.each<[string, number, string, string[]]>([
    ['up to date', 0, 'Executed migrations:', []],
    ['behind', 5, NEW, ['up']],
    ['left unfinished by an earlier upgrade, and behind', 4, `Pending migrations:\n${NEW}`, ['finish', 'up']],
    ['left unfinished by this upgrade', 4, 'Pending migrations:', []],
    ['unreadable', 1, 'Error: connection refused', ['exit 1']],
  ])('handles tables that are %s', async (_what, code, said, expected) => {
    expect(await upWith(code, said)).toEqual(['bootstrap', 'list', ...expected]);
  });
});

/** @returns the commands of the job for this result of `migrations list`, and how it fails, if it does. */
async function upWith(code: number, said: string): Promise<string[]> {
  const up = jobsIn(await render()).find(({ metadata }) => metadata.name.endsWith('-migrations-up')) as Rendered;
  const [container] = podIn(up)?.spec.containers ?? [];
  const { command = [], args = [] } = container as unknown as { command?: string[]; args?: string[] };
  const log = path.join(folder, 'asked');
  fs.writeFileSync(log, '');
  const lines = ['#!/bin/sh', 'echo "$2" >> "$ASKED"', '[ "$2" != list ] || { echo "$SAID"; exit "$CODE"; }'];
  fs.writeFileSync(path.join(folder, 'kong'), `${lines.join('\n')}\n`, { mode: 0o755 });
  const [program = '', ...rest] = [...command, ...args];
  const env = { PATH: `${folder}:${process.env.PATH}`, ASKED: log, SAID: said, CODE: String(code) };
  const ended = await new Promise<string[]>((resolve) => {
    execFile(program, rest, { env }, (error) => resolve(error ? [`exit ${error.code}`] : []));
  });
  return [...fs.readFileSync(log, 'utf8').trim().split('\n'), ...ended];
}
