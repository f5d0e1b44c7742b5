/** The examples for Argo CD and Flux, with real objects of a real operator, and the interpreter of Argo CD. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HospitalObject } from '@hms/hospitals';
import { PLATFORM_NAME, PLATFORMS_PATH } from '@hms/hospitals/platform';
import { applyManifest, type KubernetesObject, PATCH } from '@hms/kubernetes';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import {
  annotate,
  applyHospital,
  freshPrefix,
  HOSPITALS,
  kubernetes,
  readHospital,
  resync,
  whenCondition,
  whenDeleted,
  whenReady,
} from '../support/hospitals.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples', 'gitops');
const SLOW = 120_000;
const prefix = freshPrefix();

interface Health {
  readonly status: string;
  readonly message: string;
}

/** What Argo CD shows of the object. It runs a program in Go, which the first call builds. */
function healthOf(object: KubernetesObject): Health {
  const { data } = parse(readFileSync(join(EXAMPLES, 'argocd', 'argocd-cm.yaml'), 'utf8'));
  const script = data[`resource.customizations.health.hms.dev_${object.kind}`];
  const input = JSON.stringify({ script, objects: [object] });
  const folder = join(import.meta.dirname, '..', 'support', 'lua');
  const [health] = JSON.parse(execFileSync('go', ['run', '.'], { cwd: folder, input }).toString());
  return health;
}

/** The hospital of the examples, with a prefix of its own. */
function manifest() {
  const text = readFileSync(join(EXAMPLES, 'hospitals', 'st-mary.yaml'), 'utf8');
  return parse(text.replaceAll('st-mary', prefix));
}

function change(body: object): Promise<HospitalObject> {
  return kubernetes().request('PATCH', `${HOSPITALS}/${prefix}`, { contentType: PATCH.merge, body });
}

let created: HospitalObject;

beforeAll(async () => {
  created = await applyManifest<HospitalObject>(kubernetes(), manifest(), 'argocd-controller');
}, SLOW);

describe('the health check of a hospital for Argo CD', () => {
  it(
    'is Progressing until the hospital is served, and then Healthy',
    async () => {
      expect(healthOf(created)).toEqual({
        status: 'Progressing',
        message: 'the operator has not reconciled this version yet',
      });
      expect(healthOf(await whenReady(prefix))).toMatchObject({
        status: 'Healthy',
        message: expect.stringContaining('serve the hospital'),
      });
    },
    SLOW,
  );

  it(
    'is Degraded with the reason while something is wrong',
    async () => {
      const other = freshPrefix();
      const host = `${prefix}.example.org`;
      await change({ spec: { gateway: { hosts: [host] } } });
      await whenReady(prefix);
      await applyHospital(other, { gateway: { hosts: [host] } });
      const refused = await whenCondition(other, 'Ready', ({ reason }) => reason === 'Conflict');
      expect(healthOf(refused)).toMatchObject({ status: 'Degraded', message: expect.stringContaining(host) });
      await kubernetes().request('DELETE', `${HOSPITALS}/${other}`);
      await whenDeleted(other);
    },
    SLOW,
  );

  it(
    'is Progressing while a hospital is suspended, and Suspended afterwards',
    async () => {
      expect(healthOf(await change({ spec: { state: 'Suspended' } })).status).toBe('Progressing');
      const suspended = await whenCondition(prefix, 'Suspended', ({ status }) => status === 'True');
      expect(healthOf(suspended)).toMatchObject({ status: 'Suspended', message: expect.stringContaining('closed') });
      await change({ spec: { state: 'Active' } });
      await whenReady(prefix);
    },
    SLOW,
  );

  it(
    'is Suspended while the operator is told to leave it alone',
    async () => {
      await annotate(prefix, { 'hms.dev/paused': 'true' });
      const paused = await whenCondition(prefix, 'Synced', ({ reason }) => reason === 'Paused');
      expect(healthOf(paused).status).toBe('Suspended');
      await change({ metadata: { annotations: { 'hms.dev/paused': null } } });
      await whenReady(prefix);
    },
    SLOW,
  );

  it(
    'is Healthy for a hospital that is only observed',
    async () => {
      await change({ spec: { managementPolicy: 'Observe' } });
      const observed = await whenCondition(prefix, 'Synced', ({ reason }) => reason === 'PlanOnly');
      expect(healthOf(observed).status).toBe('Healthy');
      await change({ spec: { managementPolicy: 'Full' } });
      await whenReady(prefix);
    },
    SLOW,
  );
});

describe('the health check of the platform for Argo CD', () => {
  it(
    'is Healthy, and Suspended while migrations are halted',
    async () => {
      const path = `${PLATFORMS_PATH}/${PLATFORM_NAME}`;
      const platformObject = await kubernetes().request<KubernetesObject>('GET', path);
      expect(healthOf(platformObject)).toMatchObject({
        status: 'Healthy',
        message: expect.stringMatching(/^every engine answers; /),
      });
      const halted = { ...platformObject, spec: { migrations: { state: 'Halted' } } };
      expect(healthOf(halted as KubernetesObject).status).toBe('Suspended');
    },
    SLOW,
  );
});

describe('a hospital from a repository', () => {
  it.each(['argocd-controller', 'kustomize-controller'])(
    'does not differ from its manifest once it is reconciled, so %s changes nothing',
    async (manager) => {
      await applyManifest(kubernetes(), manifest(), manager);
      await resync(prefix);
      const before = await readHospital(prefix);
      for (let round = 0; round < 3; round += 1) {
        await applyManifest(kubernetes(), manifest(), manager);
        await resync(prefix);
        await applyManifest(kubernetes(), manifest(), manager);
      }
      const after = await readHospital(prefix);
      expect(after.metadata.generation).toBe(before.metadata.generation);
      expect(after.spec).toEqual(before.spec);
      const applied = await applyManifest<HospitalObject>(kubernetes(), manifest(), manager);
      expect(applied.metadata.resourceVersion).toBe(after.metadata.resourceVersion);
    },
    SLOW,
  );

  it(
    'keeps what people change beside its manifest',
    async () => {
      await change({ spec: { settings: { slotMinutes: 20 } } });
      await applyManifest(kubernetes(), manifest(), 'argocd-controller');
      expect((await readHospital(prefix)).spec.settings?.slotMinutes).toBe(20);
    },
    SLOW,
  );

  it(
    'is Progressing while it is deleted',
    async () => {
      const deleted = await kubernetes().request<HospitalObject>('DELETE', `${HOSPITALS}/${prefix}`);
      expect(healthOf(deleted).status).toBe('Progressing');
      await whenDeleted(prefix);
    },
    SLOW,
  );
});
