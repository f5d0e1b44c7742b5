import { type KubernetesClient, PATCH } from './client.ts';

/** An object as somebody wrote it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

export interface ApplyOptions {
  /** The server checks the object and answers as usual, and changes nothing. */
  readonly dryRun?: boolean;
}

/**
 * Server-side apply of one object of any kind; what others have set in the same fields is taken over.
 * The library's own generic apply sends what its generated models know, and drops `default` and `enum` of a schema.
 *
 * @param manager name under which the fields are owned.
 * @returns the object as it is now.
 * @throws KubernetesError with the server's sentence when the object is refused.
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

/** @returns the object that the manifest names, as it is on the server. */
export async function readManifest<T>(client: KubernetesClient, manifest: Manifest): Promise<T> {
  return client.request('GET', await pathOf(client, manifest));
}

/** Where the object stands: the server says what its kind is called in paths. */
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
