import { generate } from 'selfsigned';

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** A self-signed certificate with its key, both in PEM. */
export async function pair(commonName: string, isAuthority = false): Promise<Pair> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: commonName }], {
    algorithm: 'sha256',
    keySize: 2048,
    notAfterDate: new Date(Date.now() + 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: isAuthority },
      { name: 'subjectAltName', altNames: [{ type: 2, value: commonName }] },
    ],
  });
  return { cert, key };
}
