import { type KubernetesClient, KubernetesError, type KubernetesObject, PATCH } from './client.ts';
import { takeOver, withRemovals } from './take-over.ts';

/** An object as written in a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

export interface ApplyOptions {
  /** Dry run: the server validates the object and answers as usual, but changes nothing. */
  readonly dryRun?: boolean;
  /** Whether the manifest has replaced one that kubectl has applied: fields that only that one had are removed. */
  readonly isWhole?: boolean;
}

/** The operator writes the status of an object at any time. */
const ATTEMPTS = 10;

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
  { dryRun = false, isWhole = false }: ApplyOptions = {},
): Promise<T> {
  const path = await pathOf(client, manifest);
  const query = { fieldManager: manager, ...(dryRun ? { dryRun: 'All' } : {}) };
  const removing = isWhole ? await removals(client, path, manifest, { manager, dryRun }) : undefined;
  if (removing) return client.request('PATCH', path, { query, contentType: PATCH.merge, body: removing });
  return client.request('PATCH', path, { query: { ...query, force: true }, contentType: PATCH.apply, body: manifest });
}

/**
 * Takes over the fields of kubectl. Nothing but their owner changes, so a process that ends afterwards has removed
 * nothing.
 * @returns in a dry run, the merge patch that has the same effect as taking over and applying.
 */
async function removals(
  client: KubernetesClient,
  path: string,
  manifest: Manifest,
  { manager, dryRun }: { readonly manager: string; readonly dryRun: boolean },
): Promise<object | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await find(client, path);
    const { managedFields = [], resourceVersion } = found?.metadata ?? {};
    const taken = takeOver(managedFields, manager);
    if (!taken) return undefined;
    if (dryRun) return withRemovals(manifest, taken.fields);
    try {
      await client.request('PATCH', path, {
        query: { fieldManager: manager },
        contentType: PATCH.merge,
        body: { metadata: { resourceVersion, managedFields: taken.managedFields } },
      });
      return undefined;
    } catch (error) {
      const isChanged = error instanceof KubernetesError && error.status === 409;
      if (!isChanged || attempt === ATTEMPTS) throw error;
    }
  }
}

async function find(client: KubernetesClient, path: string): Promise<KubernetesObject | undefined> {
  try {
    return await client.request<KubernetesObject>('GET', path);
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return undefined;
    throw error;
  }
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
