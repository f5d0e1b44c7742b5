/** A client of a Kubernetes API server: server-side apply of manifests of any kind. */
import fs from 'node:fs';
import path from 'node:path';
import { applyManifest, KubernetesClient, readManifest } from '@hms/kubernetes';
import { KubeConfig, type KubernetesObject } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';
import { poll } from './poll.ts';
import { Problem, sentence } from './problem.ts';

export const FIELD_MANAGER = 'hmsctl';

export type Manifest = KubernetesObject & { metadata: { name: string }; kind: string; apiVersion: string };

/** @param file path of a kubeconfig. */
export function loadKubeConfig(file: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromFile(file);
  } catch (error) {
    throw new Problem(
      `The kubeconfig ${file} can't be read (${sentence(error)}): start the platform with make up, or name another one with --kubeconfig.`,
    );
  }
  return config;
}

/** The objects in a YAML file. */
export function readManifests(file: string): Manifest[] {
  return parseManifests(fs.readFileSync(file, 'utf8'), path.basename(file));
}

/** @param source name for error messages. */
export function parseManifests(text: string, source: string): Manifest[] {
  const manifests: Manifest[] = [];
  for (const document of parseAllDocuments(text)) {
    const [error] = document.errors;
    if (error) throw new Problem(`${source} is not YAML: ${error.message.split('\n')[0]}`);
    const object: unknown = document.toJS();
    if (object === null) continue;
    if (!isManifest(object))
      throw new Problem(
        `${source} contains something without apiVersion, kind and metadata.name, which is not a Kubernetes object.`,
      );
    manifests.push(object);
  }
  return manifests;
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false;
  const { apiVersion, kind, metadata } = value as Partial<Manifest>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}

/** Server-side apply, which overrides other managers of the same fields. @returns the objects after the change. */
export async function apply(config: KubeConfig, manifests: readonly Manifest[]): Promise<Manifest[]> {
  const client = new KubernetesClient(config);
  const applied: Manifest[] = [];
  for (const manifest of manifests) applied.push(await applyManifest(client, manifest, FIELD_MANAGER));
  return applied;
}

/** Each start of the platform requests another one, in seconds. */
const TOKEN_SECONDS = 365 * 24 * 3600;

/** A token of a service account, as a pod would get it. */
export async function tokenOfAccount(config: KubeConfig, namespace: string, name: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const { status } = await new KubernetesClient(config).request<{ readonly status: { readonly token: string } }>(
    'POST',
    path,
    {
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: TOKEN_SECONDS },
      },
    },
  );
  return status.token;
}

/** Waits until the API server serves the CustomResourceDefinitions among the objects. */
export async function waitEstablished(
  config: KubeConfig,
  objects: readonly Manifest[],
  signal: AbortSignal,
): Promise<void> {
  const client = new KubernetesClient(config);
  for (const object of objects) {
    if (object.kind !== 'CustomResourceDefinition') continue;
    const { name } = object.metadata;
    const established = await poll(
      async () => hasCondition(await readManifest(client, object), 'Established') || undefined,
      { timeout: 30_000, signal },
    );
    if (!established)
      throw new Problem(
        `The API server does not accept the definition ${name}: see its conditions with kubectl describe crd ${name}.`,
      );
  }
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

export function conditionsOf(object: unknown): Condition[] {
  const { status } = object as { status?: { conditions?: Condition[] } };
  return status?.conditions ?? [];
}

function hasCondition(object: unknown, type: string): boolean {
  return conditionsOf(object).some((condition) => condition.type === type && condition.status === 'True');
}
