import { type Kind, kinds, schemas } from '../entities/index.ts';

/** What a path of the Admin API names. */
export type Place =
  | { readonly type: 'collection'; readonly kind: Kind }
  | { readonly type: 'entity'; readonly kind: Kind; readonly key: string }
  /** The children of one parent. */
  | { readonly type: 'children'; readonly kind: Kind; readonly field: string; readonly parent: Parent }
  | {
      readonly type: 'child';
      readonly kind: Kind;
      readonly field: string;
      readonly parent: Parent;
      readonly key: string;
    }
  /** The parent of an entity: `/routes/{r}/service`. */
  | {
      readonly type: 'parent';
      readonly kind: Kind;
      readonly key: string;
      readonly field: string;
      readonly parentKind: Kind;
    };

export interface Parent {
  readonly kind: Kind;
  readonly key: string;
}

/** Resolves a path by the declarations of the entities. */
export function placeOf(segments: readonly string[]): Place | undefined {
  const [first, key, second, childKey, ...rest] = segments;
  const kind = kinds.find((candidate) => schemas[candidate].path === first);
  if (kind === undefined || rest.length > 0) return undefined;
  if (key === undefined) return { type: 'collection', kind };
  if (second === undefined) return { type: 'entity', kind, key };
  const nested = nestedUnder(kind, second);
  if (nested && childKey === undefined) return { type: 'children', ...nested, parent: { kind, key } };
  if (nested && childKey !== undefined) return { type: 'child', ...nested, parent: { kind, key }, key: childKey };
  const link = schemas[kind].fields[second];
  const parentKind = link?.type === 'foreign' ? kinds.find((candidate) => candidate === link.reference) : undefined;
  return parentKind && childKey === undefined ? { type: 'parent', kind, key, field: second, parentKind } : undefined;
}

export const METHODS: Readonly<Record<Place['type'], readonly string[]>> = {
  collection: ['GET', 'HEAD', 'OPTIONS', 'POST'],
  children: ['GET', 'HEAD', 'OPTIONS', 'POST'],
  entity: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT'],
  child: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT'],
  // DELETE is always refused, but only after the path is resolved.
  parent: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT'],
};

function nestedUnder(parent: Kind, path: string): { kind: Kind; field: string } | undefined {
  for (const kind of kinds) {
    const relation = schemas[kind].nested.find((nested) => nested.under === parent && nested.path === path);
    if (relation) return { kind, field: relation.field };
  }
  return undefined;
}
