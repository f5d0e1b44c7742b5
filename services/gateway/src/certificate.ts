import { X509Certificate } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The certificate of the TLS listener: self-signed, and kept in the data folder until a month before it expires. */
export async function developmentCertificate(folder: string): Promise<Certificate> {
  const path = join(folder, 'proxy-certificate.json');
  const stored = await readStored(path);
  if (stored) return stored;
  const generated = await generate([{ name: 'commonName', value: 'localhost' }], {
    algorithm: 'sha256',
    keySize: 2048,
    notAfterDate: new Date(Date.now() + VALID_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 2, value: '*.localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  const certificate = { cert: generated.cert, key: generated.private };
  const file = await open(`${path}.new`, 'w', 0o600);
  await file.writeFile(JSON.stringify(certificate));
  await file.sync();
  await file.close();
  await rename(`${path}.new`, path);
  return certificate;
}

async function readStored(path: string): Promise<Certificate | undefined> {
  try {
    const stored = JSON.parse(await readFile(path, 'utf8')) as Certificate;
    const end = Date.parse(new X509Certificate(stored.cert).validTo);
    return end > Date.now() + RENEW_MS && typeof stored.key === 'string' ? stored : undefined;
  } catch {
    return undefined;
  }
}

const DAY_MS = 86_400_000;
const VALID_MS = 800 * DAY_MS;
const RENEW_MS = 30 * DAY_MS;
