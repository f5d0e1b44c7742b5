/** Secrets and ConfigMaps that a release references but does not contain. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { KubernetesClient, KubernetesError } from '@hms/kubernetes';
import type { KubeConfig } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';

/** An object, with the keys that are read. */
export interface Reference {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
  readonly keys: readonly string[];
  /** The type of a Secret that kubectl creates with another command. */
  readonly type?: 'docker-registry' | 'tls';
  /** The release starts without it. */
  readonly later?: boolean;
}

/** Keys that a release may get made: how, by the name of the chart's volume. */
const MADE: Readonly<Record<string, { readonly what: string; make(): string }>> = {
  'signing-key': {
    what: 'signing key',
    make: () =>
      String(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })),
  },
  'cookie-keys': { what: 'key of cookies', make: () => `${randomBytes(32).toString('base64')}\n` },
};

/** @param manifests what Helm renders: every variable, volume and registry of a pod, and what an Ingress names. */
export function referencesIn(manifests: string): readonly Reference[] {
  const objects = parseAllDocuments(manifests).map((document) => document.toJS() as Named | null);
  const brought = new Set(objects.map((object) => `${object?.kind} ${object?.metadata?.name}`));
  const found = new Map<string, Reference>();
  const need = (reference: Reference) => {
    const { kind, name, keys } = reference;
    const existing = found.get(`${kind} ${name}`);
    if (brought.has(`${kind} ${name}`)) return;
    found.set(`${kind} ${name}`, {
      ...reference,
      ...existing,
      keys: [...new Set([...(existing?.keys ?? []), ...keys])],
    });
  };
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const reference of referencesOf(value as Partial<Fields>)) need(reference);
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const object of objects) {
    // A definition describes fields with these names.
    if (object?.kind === 'CustomResourceDefinition') continue;
    visit(object);
    if (object?.kind !== 'Ingress') continue;
    for (const { secretName: name } of object.spec?.tls ?? [])
      if (name) need({ kind: 'Secret', name, keys: ['tls.crt', 'tls.key'], type: 'tls', later: true });
  }
  return [...found.values()];
}

function referencesOf({ secretKeyRef, secret, configMap, imagePullSecrets }: Partial<Fields>): Reference[] {
  const keysOf = (items: readonly { readonly key: string }[] = []) => items.map(({ key }) => key);
  return [
    ...(secretKeyRef?.name && !secretKeyRef.optional
      ? [{ kind: 'Secret' as const, name: secretKeyRef.name, keys: [secretKeyRef.key] }]
      : []),
    ...(secret?.secretName && !secret.optional
      ? [{ kind: 'Secret' as const, name: secret.secretName, keys: keysOf(secret.items) }]
      : []),
    ...(configMap?.name && !configMap.optional
      ? [{ kind: 'ConfigMap' as const, name: configMap.name, keys: keysOf(configMap.items) }]
      : []),
    ...(Array.isArray(imagePullSecrets) ? imagePullSecrets : []).map(({ name }) => ({
      ...{ kind: 'Secret' as const, name, keys: [], type: 'docker-registry' as const },
    })),
  ];
}

interface Named {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string };
  readonly spec?: { readonly tls?: readonly { readonly secretName?: string }[] };
}

interface Fields {
  readonly secretKeyRef: { readonly name: string; readonly key: string; readonly optional?: boolean };
  readonly secret: {
    readonly secretName: string;
    readonly optional?: boolean;
    readonly items?: readonly { readonly key: string }[];
  };
  readonly configMap: {
    readonly name: string;
    readonly optional?: boolean;
    readonly items?: readonly { readonly key: string }[];
  };
  readonly imagePullSecrets: readonly { readonly name: string }[];
}

/** @returns the Secrets whose key `makeKey` can make, each with the name of its volume. */
export function madeIn(manifests: string): ReadonlyMap<string, string> {
  const volumes = parseAllDocuments(manifests)
    .map((document) => document.toJS() as Workload | null)
    .flatMap((object) => object?.spec?.template?.spec?.volumes ?? []);
  return new Map(
    volumes.flatMap(({ name, secret }) => (name in MADE && secret ? [[secret.secretName, name] as const] : [])),
  );
}

/** What is in a volume, for people. */
export function contentOf(volume: string): string {
  return MADE[volume]?.what ?? volume;
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

/** A reference with missing `keys`. `there` says whether the object itself exists. */
export interface Missing extends Reference {
  readonly there: boolean;
}

/** @returns the missing ones of the needed references. */
export async function missingOf(
  config: KubeConfig,
  namespace: string,
  needed: readonly Reference[],
): Promise<readonly Missing[]> {
  const client = new KubernetesClient(config);
  const missing = needed.map(async (reference) => {
    const data = await dataOf(client, namespace, reference);
    return { ...reference, there: data !== undefined, keys: reference.keys.filter((key) => !data?.[key]) };
  });
  return (await Promise.all(missing)).filter(({ there, keys }) => !there || keys.length > 0);
}

/** @returns the command that creates what is missing, with … for values. */
export function commandFor(namespace: string, { kind, name, keys, type, there }: Missing): string {
  const kubectl = `kubectl -n ${namespace}`;
  if (there) {
    const values = Object.fromEntries(keys.map((key) => [key, '…']));
    const body = JSON.stringify(kind === 'Secret' ? { stringData: values } : { data: values });
    return `${kubectl} patch ${kind.toLowerCase()} ${name} -p '${body}'`;
  }
  if (kind === 'ConfigMap')
    return `${kubectl} create configmap ${name}${keys.map((key) => ` --from-file=${key}='…'`).join('')}`;
  if (type === 'tls') return `${kubectl} create secret tls ${name} --cert='…' --key='…'`;
  if (type === 'docker-registry')
    return `${kubectl} create secret docker-registry ${name} --docker-server='…' --docker-username='…' --docker-password='…'`;
  return `${kubectl} create secret generic ${name}${keys.map((key) => ` --from-literal=${key}='…'`).join('')}`;
}

/** Creates a Secret with a new key. It is never changed, because another key would end all sessions. */
export async function makeKey(
  config: KubeConfig,
  namespace: string,
  { name, key, volume }: { readonly name: string; readonly key: string; readonly volume: string },
): Promise<void> {
  await new KubernetesClient(config).request('POST', `/api/v1/namespaces/${namespace}/secrets`, {
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      stringData: { [key]: MADE[volume]?.make() ?? '' },
    },
  });
}

async function dataOf(client: KubernetesClient, namespace: string, { kind, name }: Reference) {
  try {
    const path = `/api/v1/namespaces/${namespace}/${kind.toLowerCase()}s/${name}`;
    return (await client.request<{ data?: Record<string, string> }>('GET', path)).data ?? {};
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return undefined;
    throw error;
  }
}
