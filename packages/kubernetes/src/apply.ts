import { type KubernetesClient, PATCH } from './client.ts';

/** An object as written in a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

export interface ApplyOptions {
  /** Dry run: the server validates the object and answers as usual, but changes nothing. */
  readonly dryRun?: boolean;
}

/**
 * Server-side apply of one object of any kind. Overrides other managers of the same fields.
 * The library's own generic apply sends only fields of its generated models, and drops `default` and `enum` of a
 * schema.
 *
 * @param manager name under which the fields are owned.
 * @returns the object after the change.
 * @throws KubernetesError with the server's message if the object is refused.
 */
export async function applyManifest<T>(
  client: KubernetesClient,
  manifest: Manifest,
  manager: string,
  { dryRun = false }: ApplyOptions = {},
): Promise<T> {
  return client.request('PATCH', await pathOf(client, manifest), {
    query: { fieldManager: manager, force: true, ...(dryRun ? { dryRun: 'All' } : {}) },
    contentType: PATCH.apply,
    body: manifest,
  });
}

/** @returns the current object that the manifest names. */
export async function readManifest<T>(client: KubernetesClient, manifest: Manifest): Promise<T> {
  return client.request('GET', await pathOf(client, manifest));
}

/** The path of the object. The server returns the plural name of its kind. */
async function pathOf(client: KubernetesClient, { apiVersion, kind, metadata }: Manifest): Promise<string> {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { resources } = await client.request<ResourceList>('GET', group);
  const resource = resources.find((known) => known.kind === kind && !known.name.includes('/'));
  if (!resource) throw new Error(`the API server knows no kind ${kind} in ${apiVersion}`);
  const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
  return `${group}${namespace}/${resource.name}/${metadata.name}`;
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}
