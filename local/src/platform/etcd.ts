/** etcd, which serves only the holder of one certificate. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { generate } from 'selfsigned';
import { readIfThere, writeAtomic } from '../files.ts';
import type { Layout } from '../layout.ts';
import type { AnyStep } from '../process/spec.ts';
import { local } from './addresses.ts';
import type { Platform } from './options.ts';
import { answers } from './probe.ts';
import { processStep } from './step.ts';

export function etcdStep(platform: Platform): AnyStep {
  const { engines, dirs, ports, fast } = platform;
  const client = local(ports.etcd, 'https');
  const peer = local(ports.etcdPeer, 'https');
  const { certificate, key } = etcdFiles(dirs);
  const onlyWithCertificate = (prefix: string) => [
    `--${prefix}cert-file=${certificate}`,
    `--${prefix}key-file=${key}`,
    `--${prefix}trusted-ca-file=${certificate}`,
    `--${prefix}client-cert-auth`,
  ];
  return processStep(platform, {
    name: 'etcd',
    after: [],
    command: engines.kubernetes.etcd,
    args: [
      `--data-dir=${dirs.etcd}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      ...onlyWithCertificate(''),
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      ...onlyWithCertificate('peer-'),
      '--auto-compaction-mode=periodic',
      '--auto-compaction-retention=1h',
      '--log-level=warn',
      ...(fast ? ['--unsafe-no-fsync'] : []),
    ],
    address: client,
    prepare: () => ensureCertificate(dirs),
    ready: (signal) => answers(`${client}/health`, signal, { client: readCertificate(dirs) }),
  });
}

/** The self-signed certificate of etcd and of its only client, kube-apiserver. */
export function etcdFiles({ kubernetes }: Pick<Layout, 'kubernetes'>): { certificate: string; key: string } {
  return { certificate: path.join(kubernetes, 'etcd.crt'), key: path.join(kubernetes, 'etcd.key') };
}

export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The certificate of a client of etcd, in PEM. */
export function readCertificate(dirs: Pick<Layout, 'kubernetes'>): ClientCertificate {
  const { certificate, key } = etcdFiles(dirs);
  return { cert: fs.readFileSync(certificate, 'utf8'), key: fs.readFileSync(key, 'utf8') };
}

/** Creates the certificate, unless there is one that is valid for another month. */
async function ensureCertificate(dirs: Layout): Promise<void> {
  const files = etcdFiles(dirs);
  if (isGood(readIfThere(files.certificate), readIfThere(files.key))) return;
  const generated = await generate([{ name: 'commonName', value: 'etcd' }], {
    algorithm: 'sha256',
    keySize: 2048,
    notAfterDate: new Date(Date.now() + VALID_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  fs.mkdirSync(dirs.kubernetes, { recursive: true, mode: 0o700 });
  writeAtomic(files.key, generated.private);
  writeAtomic(files.certificate, generated.cert);
}

function isGood(certificate: string | undefined, key: string | undefined): boolean {
  if (certificate === undefined || key === undefined) return false;
  const parsed = new X509Certificate(certificate);
  return parsed.validToDate.getTime() > Date.now() + RENEW_MS && parsed.checkPrivateKey(createPrivateKey(key));
}

const DAY_MS = 24 * 3600 * 1000;
const VALID_MS = 3650 * DAY_MS;
const RENEW_MS = 30 * DAY_MS;
