/** Secrets and ConfigMaps that a release references but does not contain. */
import { generateKeyPairSync } from 'node:crypto';
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

/** Name of the chart's volume with the auth module's key. */
const SIGNING_KEY = 'signing-key';

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

/** @returns the name of the Secret with the auth module's signing key. */
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

/** Creates the auth module's signing key. It is never changed, because another key would invalidate all sessions. */
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

async function dataOf(client: KubernetesClient, namespace: string, { kind, name }: Reference) {
  try {
    const path = `/api/v1/namespaces/${namespace}/${kind.toLowerCase()}s/${name}`;
    return (await client.request<{ data?: Record<string, string> }>('GET', path)).data ?? {};
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return undefined;
    throw error;
  }
}
