/**
 * Fields that kubectl has applied from a manifest. Server-side apply removes a field only from its own manager, so a
 * field that was removed from the manifest would stay for ever, owned by kubectl. Before another tool applies the
 * manifest, it takes over what kubectl owns.
 */
import type { KubernetesObject } from './client.ts';

type ManagedFields = NonNullable<KubernetesObject['metadata']['managedFields']>;
type Entry = ManagedFields[number];
/** Fields as the API server lists them: `f:` before each name, down to empty objects. */
interface Fields {
  readonly [field: string]: Fields;
}

/** The manager and the operation with which kubectl records `apply`, `apply --server-side` and `create`. */
const KUBECTL: readonly (readonly [string, string])[] = [
  ['kubectl-client-side-apply', 'Update'],
  ['kubectl', 'Apply'],
  ['kubectl-create', 'Update'],
];

export interface TakeOver {
  /** What kubectl has owned. */
  readonly fields: Fields;
  readonly managedFields: ManagedFields;
}

/** @returns the managers of an object after `manager` has what kubectl owned. Undefined if kubectl owns nothing. Pure. */
export function takeOver(managedFields: ManagedFields, manager: string): TakeOver | undefined {
  const isKubectl = ({ manager: name, operation, subresource }: Entry) =>
    !subresource && KUBECTL.some(([known, with_]) => known === name && with_ === operation);
  const isOwn = ({ manager: name, operation, subresource }: Entry) =>
    !subresource && name === manager && operation === 'Apply';
  const [first, ...others] = managedFields.filter(isKubectl);
  if (!first) return undefined;
  const fields = [first, ...others].map(fieldsOf).reduce(union);
  const own = managedFields.find(isOwn);
  const taken = {
    ...(own ?? first),
    manager,
    operation: 'Apply',
    fieldsV1: own ? union(fieldsOf(own), fields) : fields,
  };
  return { fields, managedFields: [...managedFields.filter((entry) => !isKubectl(entry) && !isOwn(entry)), taken] };
}

/** The manifest as a merge patch that removes the fields that it no longer has. Pure. */
export function withRemovals(manifest: object, fields: Fields): object {
  const patch: Record<string, unknown> = { ...manifest };
  for (const [field, below] of Object.entries(fields)) {
    // Items of lists (`k:`, `v:`) and the object itself (`.`) have no name: a list is replaced whole.
    if (!field.startsWith('f:')) continue;
    const name = field.slice('f:'.length);
    const value = patch[name];
    if (value === undefined) patch[name] = null;
    else if (isObject(value)) patch[name] = withRemovals(value, below);
  }
  return patch;
}

function union(one: Fields, other: Fields): Fields {
  const fields: Record<string, Fields> = { ...one };
  for (const [name, below] of Object.entries(other)) fields[name] = union(fields[name] ?? {}, below);
  return fields;
}

function fieldsOf({ fieldsV1 }: Entry): Fields {
  return (fieldsV1 ?? {}) as Fields;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
