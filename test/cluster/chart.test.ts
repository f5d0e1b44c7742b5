/** The chart on a real cluster, with real pods. `make cluster-test` runs it. docs/development.md says what it needs. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { demonstrationUser } from '@hms/local';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { parseAllDocuments } from 'yaml';
import { until } from '../support/until.ts';
import { buildImage } from './image.ts';
import { load } from './load.ts';
import { CHART, fresh, helm, kubectl, RELEASE, type Scene, serviceAddress, startScene } from './scene.ts';

const SLOW = 600_000;
const ROOT = path.resolve(import.meta.dirname, '../..');
const IMAGE = 'localhost/hms/hms:cluster-test';
const NEXT = 'localhost/hms/hms:cluster-test-next';
const PATIENT = { firstName: 'Siobhán', lastName: 'Murphy', phone: '+35312345678', dateOfBirth: '1990-05-17' };

let scene: Scene;
let gateway: string;
let hospital: string;

beforeAll(async () => {
  await buildImage(IMAGE, ROOT, path.join(ROOT, 'Dockerfile'));
  await buildNext();
  scene = await startScene(IMAGE);
}, SLOW);

afterAll(async () => {
  await helm('uninstall', RELEASE, '-n', RELEASE, '--wait').catch(() => undefined);
  await kubectl('delete', 'namespace', RELEASE, '--ignore-not-found');
  await scene?.stop();
}, SLOW);

describe('helm install', () => {
  it(
    'ends with every pod Ready',
    async () => {
      await helm('install', RELEASE, CHART, '-n', RELEASE, '-f', scene.values, '--wait', '--timeout', '4m');
      for (const pod of await pods()) {
        expect(pod).toMatchObject({ ready: true, restarts: 0 });
      }
      gateway = `http://${await serviceAddress('gateway')}`;
    },
    SLOW,
  );

  it(
    'serves a hospital: login and patient through the Service',
    async () => {
      hospital = await readyHospital('one');
      const token = await login(hospital);
      const created = await call('POST', '/api/hms/patients', token, PATIENT);
      expect(created.status).toBe(201);
      const listed = await call('GET', '/api/hms/patients', token);
      expect(listed.body).toMatchObject({ success: true, data: [{ firstName: 'Siobhán' }] });
    },
    SLOW,
  );

  it('keeps the namespace at the restricted level of Pod Security', async () => {
    const pod = ['run', 'privileged', '-n', RELEASE, `--image=${IMAGE}`, '--privileged', '--restart=Never'];
    await expect(kubectl(...pod)).rejects.toThrow(/violates PodSecurity "restricted:latest"/);
  });

  it('gives the operator exactly the rules of operator/deploy/rbac.yaml', async () => {
    const file = fs.readFileSync(path.join(ROOT, 'operator/deploy/rbac.yaml'), 'utf8');
    const wanted = parseAllDocuments(file)
      .map((document) => document.toJS() as { kind: string; rules?: Rule[] })
      .flatMap(({ rules = [] }) => rules.flatMap(rowsOf));
    const account = `--as=system:serviceaccount:${RELEASE}:${RELEASE}-operator`;
    const nobody = `--as=system:serviceaccount:${RELEASE}:nobody`;
    const may = await rightsOf(account);
    // What every account may query about itself.
    const common = await rightsOf(nobody);
    expect(may.filter((rule) => !common.includes(rule)).sort()).toEqual([...new Set(wanted)].sort());
    expect(await rightsOf(`--as=system:serviceaccount:${RELEASE}:${RELEASE}-hms`)).toEqual(common);
  }, 60_000);
});

describe('deletion of the leader’s pod', () => {
  it(
    'elects another leader, and a hospital that was applied meanwhile becomes Ready',
    async () => {
      const before = await leader();
      const name = fresh('two');
      await apply(name);
      await kubectl('delete', 'pod', before.split('_')[0] ?? '', '-n', RELEASE, '--wait=false');
      await until('another leader', leader, (now) => now !== '' && now !== before, 60_000);
      await whenReady(name);
    },
    SLOW,
  );
});

describe('probes', () => {
  it(
    'a module without its database is not ready, is not restarted, and recovers',
    async () => {
      scene.databases.cut();
      try {
        await until(
          'hms not to be ready',
          () => pods('hms'),
          (all) => all.every(({ ready }) => !ready),
          60_000,
        );
        expect(await endpoints('hms')).toEqual([]);
        // As long as the liveness probe would take to restart it.
        const until40s = Date.now() + 40_000;
        await until(
          'the liveness probe to have had its time',
          async () => Date.now(),
          (now) => now > until40s,
          60_000,
        );
        expect((await pods('hms')).map(({ restarts }) => restarts)).toEqual([0, 0]);
      } finally {
        scene.databases.open();
      }
      await until(
        'hms to be ready again',
        () => pods('hms'),
        (all) => all.every(({ ready }) => ready),
        60_000,
      );
    },
    SLOW,
  );

  it(
    'restart a hanging module',
    async () => {
      const [first] = await pods('crm');
      if (!first) throw new Error('there is no pod of crm');
      freeze(first.container);
      const others = () => pods('crm');
      await until('the pod to be restarted', others, (all) => all.some(({ restarts }) => restarts === 1), 90_000);
      await until('crm to be ready', others, (all) => all.every(({ ready }) => ready), 60_000);
    },
    SLOW,
  );

  it(
    'a starting module gets no traffic before it is ready',
    async () => {
      const before = await endpoints('auth');
      scene.databases.cut();
      try {
        await kubectl('scale', 'deployment', `${RELEASE}-auth`, '-n', RELEASE, '--replicas=3');
        await until(
          'a third pod that runs',
          () => pods('auth'),
          (all) => all.filter(({ started }) => started).length === 3,
          60_000,
        );
        expect((await endpoints('auth')).filter((address) => !before.includes(address))).toEqual([]);
      } finally {
        scene.databases.open();
      }
      await until(
        'the third to be ready',
        () => endpoints('auth'),
        (all) => all.length === 3,
        60_000,
      );
      await kubectl('scale', 'deployment', `${RELEASE}-auth`, '-n', RELEASE, '--replicas=2');
    },
    SLOW,
  );
});

describe('a rolling change under load', () => {
  it(
    'no request fails during an upgrade to an image with another tenant migration, and back',
    async () => {
      const token = await login(hospital);
      const total = async () => {
        const { body } = await call('GET', '/api/hms/patients?limit=1', token);
        return (body as { meta: { total: number } }).meta.total;
      };
      const patients = await total();
      const stop = load(`${gateway}/api/hms/patients`, { authorization: `Bearer ${token}` }, PATIENT);
      const upgrade = ['upgrade', RELEASE, CHART, '-n', RELEASE, '-f', scene.values, '--wait', '--timeout', '4m'];
      await helm(...upgrade, '--set', `image.tag=${NEXT.split(':')[1]}`);
      const version = () => kubectl('get', 'hospital', hospital, '-o', 'jsonpath={.status.schemaVersion}');
      const before = Number(await version());
      await until('the migration', version, (now) => Number(now) === before + 1 || Number(now) === 2, 120_000);
      await helm('rollback', RELEASE, '-n', RELEASE, '--wait', '--timeout', '4m');
      const { requests, created, failures } = await stop();
      process.stderr.write(`  ${requests} requests, ${created} of them creations, ${failures.length} failed\n`);
      expect(failures).toEqual([]);
      expect(requests).toBeGreaterThan(1000);
      expect(await total()).toBe(patients + created);
    },
    SLOW,
  );
});

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** In the format of `kubectl auth can-i --list`, with a row for each resource. */
function rowsOf({ apiGroups, resources, resourceNames = [], verbs }: Rule): string[] {
  return resources.map((resource) => {
    const [name = '', ...sub] = resource.split('/');
    const full = [[name, ...apiGroups.filter(Boolean)].join('.'), ...sub].join('/');
    return `${full} [${resourceNames}] [${verbs.join(' ')}]`;
  });
}

async function rightsOf(account: string): Promise<string[]> {
  const rows: string[] = [];
  for (const namespace of ['default', RELEASE, 'kube-system']) {
    const text = await kubectl('auth', 'can-i', '--list', '--no-headers', '-n', namespace, account);
    for (const line of text.split('\n')) {
      const match = /^(\S+)\s+\[\]\s+\[([^\]]*)\]\s+\[([^\]]*)\]$/.exec(line.trim());
      if (match) rows.push(`${match[1]} [${match[2]}] [${match[3]}]`);
    }
  }
  return [...new Set(rows)];
}

interface Pod {
  readonly name: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restarts: number;
  readonly container: string;
}

async function pods(component?: string): Promise<Pod[]> {
  const selector = component ? ['-l', `app.kubernetes.io/component=${component}`] : [];
  const { items } = JSON.parse(await kubectl('get', 'pods', '-n', RELEASE, ...selector, '-o', 'json')) as {
    items: {
      metadata: { name: string; deletionTimestamp?: string };
      status: {
        containerStatuses?: { ready: boolean; started: boolean; restartCount: number; containerID?: string }[];
      };
    }[];
  };
  return items
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ metadata, status }) => {
      const container = status.containerStatuses?.[0];
      return {
        name: metadata.name,
        ready: container?.ready ?? false,
        started: container?.started ?? false,
        restarts: container?.restartCount ?? 0,
        container: container?.containerID?.replace(/^.*\/\//, '') ?? '',
      };
    });
}

/** Ready addresses of the Service. */
async function endpoints(name: string): Promise<string[]> {
  const path = `-l kubernetes.io/service-name=${RELEASE}-${name}`.split(' ');
  const { items } = JSON.parse(await kubectl('get', 'endpointslices', '-n', RELEASE, ...path, '-o', 'json')) as {
    items: { endpoints?: { addresses: string[]; conditions: { ready?: boolean } }[] }[];
  };
  return items
    .flatMap(({ endpoints: all }) => all ?? [])
    .filter(({ conditions }) => conditions.ready)
    .flatMap(({ addresses }) => addresses);
}

/** Stops the processes of a container, which then do not answer. They are also processes of this machine. */
function freeze(container: string): void {
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (fs.readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(container)) process.kill(Number(pid), 'SIGSTOP');
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function leader(): Promise<string> {
  return kubectl('get', 'lease', 'hms-operator', '-n', RELEASE, '-o', 'jsonpath={.spec.holderIdentity}');
}

async function apply(name: string): Promise<void> {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'hms-')), 'hospital.yaml');
  const limits = { minute: 1_000_000, hour: 100_000_000 };
  const spec = { displayName: `Hospital ${name}`, gateway: { rateLimits: { hms: limits } } };
  fs.writeFileSync(file, JSON.stringify({ apiVersion: 'hms.dev/v1', kind: 'Hospital', metadata: { name }, spec }));
  await kubectl('apply', '-f', file);
}

function whenReady(name: string): Promise<string> {
  return kubectl('wait', `hospital/${name}`, '--for=condition=Ready', '--timeout=90s');
}

async function readyHospital(prefix: string): Promise<string> {
  const name = fresh(prefix);
  await apply(name);
  await whenReady(name);
  return name;
}

async function login(name: string): Promise<string> {
  const user = await demonstrationUser(scene.engines, name, 'DOCTOR');
  const { status, body } = await call('POST', '/api/auth/login', undefined, user);
  if (status !== 200) throw new Error(`login: ${status} ${JSON.stringify(body)}`);
  return (body as { data: { accessToken: string } }).data.accessToken;
}

async function call(
  method: 'GET' | 'POST',
  url: string,
  token?: string,
  sent?: object,
): Promise<{ status: number; body: unknown }> {
  const { statusCode, body } = await request(gateway + url, {
    method,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), 'content-type': 'application/json' },
    ...(sent ? { body: JSON.stringify(sent) } : {}),
  });
  return { status: statusCode, body: await body.json() };
}

/** The same code with another tenant migration. */
async function buildNext(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hms-next-'));
  const migrations = path.join(ROOT, 'packages/database/migrations/tenant');
  const number = String(fs.readdirSync(migrations).length + 1).padStart(3, '0');
  fs.writeFileSync(path.join(folder, `${number}_more.sql`), 'ALTER TABLE patients ADD COLUMN more text;\n');
  fs.writeFileSync(
    path.join(folder, 'Dockerfile'),
    `FROM ${IMAGE}\nCOPY ${number}_more.sql /app/packages/database/migrations/tenant/\n`,
  );
  await buildImage(NEXT, folder, path.join(folder, 'Dockerfile'));
  fs.rmSync(folder, { recursive: true });
}
