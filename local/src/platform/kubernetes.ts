/** kube-apiserver behind etcd, the kubeconfigs, and the manifests that the platform needs. */
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { madeOnce, readIfThere, writeAtomic } from '../files.ts';
import { PROJECT } from '../layout.ts';
import { poll } from '../poll.ts';
import type { AnyStep } from '../process/spec.ts';
import { local } from './addresses.ts';
import { etcdFiles, etcdStep } from './etcd.ts';
import type { Platform } from './options.ts';
import { answers } from './probe.ts';
import { processStep } from './step.ts';

export function kubernetesSteps(platform: Platform): AnyStep[] {
  const { engines, dirs, ports, secrets } = platform;
  const etcd = etcdFiles(dirs);
  const inside = (name: string) => path.join(dirs.kubernetes, name);
  const apiserver = processStep(platform, {
    name: 'kube-apiserver',
    after: ['etcd'],
    command: engines.kubernetes.apiserver,
    args: [
      `--etcd-servers=${local(ports.etcd, 'https')}`,
      `--etcd-cafile=${etcd.certificate}`,
      `--etcd-certfile=${etcd.certificate}`,
      `--etcd-keyfile=${etcd.key}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${ports.kubernetes}`,
      `--cert-dir=${inside('certificates')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${inside('service-accounts.pub')}`,
      `--service-account-signing-key-file=${inside('service-accounts.key')}`,
      `--token-auth-file=${inside('tokens.csv')}`,
      '--anonymous-auth=false',
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.96.0.0/16',
      // There are no nodes and no pods, so nothing would maintain the endpoints of the API's own service.
      '--endpoint-reconciler-type=none',
    ],
    // The collector runs more often, which has no noticeable cost here and saves a third of the memory.
    env: { GOGC: '50' },
    address: local(ports.kubernetes, 'https'),
    prepare: () => prepare(platform),
    ready: (signal) =>
      answers(`${local(ports.kubernetes, 'https')}/readyz`, signal, {
        headers: { authorization: `Bearer ${secrets.kubernetesAdmin}` },
      }),
    stopTimeout: 15_000,
  });
  const manifests: AnyStep = {
    kind: 'task',
    name: 'manifests',
    after: ['kube-apiserver'],
    run: (signal) => applyManifests(platform, signal),
  };
  return [etcdStep(platform), apiserver, manifests];
}

/** Keys of service accounts and the tokens of the two users. An old serving certificate is deleted. */
function prepare({ dirs, secrets }: Platform): void {
  fs.mkdirSync(dirs.kubernetes, { recursive: true, mode: 0o700 });
  const inside = (name: string) => path.join(dirs.kubernetes, name);
  if (readIfThere(inside('service-accounts.pub')) === undefined) {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeAtomic(inside('service-accounts.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    writeAtomic(inside('service-accounts.pub'), publicKey.export({ type: 'spki', format: 'pem' }).toString());
  }
  writeAtomic(
    inside('tokens.csv'),
    `${secrets.kubernetesAdmin},admin,1,system:masters\n${secrets.kubernetesOperator},hms-operator,2\n`,
  );
  const certificate = readIfThere(inside('certificates/apiserver.crt'));
  const month = 30 * 24 * 3600 * 1000;
  if (certificate !== undefined && new X509Certificate(certificate).validToDate.getTime() < Date.now() + month) {
    fs.rmSync(inside('certificates'), { recursive: true });
  }
}

async function applyManifests(platform: Platform, signal: AbortSignal): Promise<void> {
  const { dirs, secrets } = platform;
  const certificate = await poll(() => readIfThere(path.join(dirs.kubernetes, 'certificates', 'apiserver.crt')), {
    timeout: 10_000,
    signal,
  });
  const write = (file: string, user: string, token: string) =>
    writeAtomic(file, kubeconfig(platform, user, token, certificate ?? ''));
  write(dirs.kubeconfig, 'admin', secrets.kubernetesAdmin);
  write(dirs.operatorKubeconfig, 'hms-operator', secrets.kubernetesOperator);
  // Loaded lazily: it is large, and the resident supervisor does not need it.
  const { apply, loadKubeConfig, readManifests, waitEstablished } = await import('../kube.ts');
  const config = loadKubeConfig(dirs.kubeconfig);
  const crds = await apply(config, manifestFiles('crds').flatMap(readManifests));
  await waitEstablished(config, crds, signal);
  await apply(
    config,
    [
      ...manifestFiles('crds/policies'),
      ...['operator/deploy', 'services/console/deploy']
        .flatMap(manifestFiles)
        .filter((file) => path.basename(file) === 'rbac.yaml'),
    ].flatMap(readManifests),
  );
  const { tokenOfAccount } = await import('../kube.ts');
  write(dirs.consoleKubeconfig, 'hms-console', await tokenOfAccount(config, 'default', 'hms-console'));
}

/** The YAML files directly in a folder of the project. */
function manifestFiles(folder: string): string[] {
  const full = path.join(PROJECT, folder);
  if (!fs.existsSync(full)) return [];
  return fs
    .readdirSync(full)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => path.join(full, name));
}

function kubeconfig({ ports }: Platform, user: string, token: string, certificate: string): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'hms',
        cluster: {
          server: local(ports.kubernetes, 'https'),
          'certificate-authority-data': Buffer.from(certificate).toString('base64'),
        },
      },
    ],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: 'hms', context: { cluster: 'hms', user } }],
    'current-context': 'hms',
  });
}

/** The private key that the auth module signs with: RSA 2048, PKCS#8. */
export function ensureSigningKey(file: string): Promise<string> {
  return madeOnce(file, () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
}
