/** The Secrets that a release refers to. */
import { generateKeyPairSync } from 'node:crypto';
import { KubernetesClient, KubernetesError } from '@hms/kubernetes';
import type { KubeConfig } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';

/** Name of a Secret to the keys that are read of it. */
export type SecretKeys = ReadonlyMap<string, ReadonlySet<string>>;

/** Name that the chart gives the volume with the auth module's key. */
const SIGNING_KEY = 'signing-key';

/** @param manifests what Helm renders: every variable and volume that is taken from a Secret counts. */
export function secretsIn(manifests: string): SecretKeys {
  const found = new Map<string, Set<string>>();
  const need = (name: string, keys: readonly string[]) => {
    const known = found.get(name) ?? new Set();
    found.set(name, new Set([...known, ...keys]));
  };
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { secretKeyRef, secret } = value as Partial<References>;
    if (secretKeyRef?.name && !secretKeyRef.optional) need(secretKeyRef.name, [secretKeyRef.key]);
    if (secret?.secretName && !secret.optional) need(secret.secretName, secret.items?.map(({ key }) => key) ?? []);
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const document of parseAllDocuments(manifests)) {
    const object = document.toJS() as { kind?: string } | null;
    // A definition describes fields of these names.
    if (object?.kind !== 'CustomResourceDefinition') visit(object);
  }
  return found;
}

interface References {
  readonly secretKeyRef: { readonly name: string; readonly key: string; readonly optional?: boolean };
  readonly secret: {
    readonly secretName: string;
    readonly optional?: boolean;
    readonly items?: readonly { readonly key: string }[];
  };
}

/** @returns the name of the Secret with the key by which the auth module signs. */
export function signingKeyIn(manifests: string): string | undefined {
  return parseAllDocuments(manifests)
    .map((document) => document.toJS() as Workload | null)
    .flatMap((object) => object?.spec?.template?.spec?.volumes ?? [])
    .find(({ name }) => name === SIGNING_KEY)?.secret?.secretName;
}

interface Workload {
  readonly spec?: {
    readonly template?: {
      readonly spec?: {
        readonly volumes?: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
      };
    };
  };
}

/** @returns of those that are needed, what is not there. `there` says whether the Secret itself is. */
export async function missingSecrets(
  config: KubeConfig,
  namespace: string,
  needed: SecretKeys,
): Promise<{ name: string; keys: string[]; there: boolean }[]> {
  const client = new KubernetesClient(config);
  const all = [...needed].map(async ([name, keys]) => {
    const data = await dataOf(client, namespace, name);
    return { name, there: data !== undefined, keys: [...keys].filter((key) => !data?.[key]) };
  });
  return (await Promise.all(all)).filter(({ there, keys }) => !there || keys.length > 0);
}

/** @returns the command that makes what is missing, with … where a value belongs. */
export function commandFor(
  namespace: string,
  secret: { name: string; keys: readonly string[]; there: boolean },
): string {
  const { name, keys, there } = secret;
  if (!there) {
    const values = keys.map((key) => ` --from-literal=${key}='…'`).join('');
    return `kubectl -n ${namespace} create secret generic ${name}${values}`;
  }
  const stringData = Object.fromEntries(keys.map((key) => [key, '…']));
  return `kubectl -n ${namespace} patch secret ${name} -p '${JSON.stringify({ stringData })}'`;
}

/** Makes the key by which the auth module signs. It is never changed: another one would refuse all who are logged in. */
export async function makeSigningKey(config: KubeConfig, namespace: string, name: string, key: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await new KubernetesClient(config).request('POST', `/api/v1/namespaces/${namespace}/secrets`, {
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      stringData: { [key]: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) },
    },
  });
}

async function dataOf(client: KubernetesClient, namespace: string, name: string) {
  try {
    const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
    return (await client.request<{ data?: Record<string, string> }>('GET', path)).data ?? {};
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return undefined;
    throw error;
  }
}
