import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import type { Change, Tenant } from '../backend.ts';
import { BackendError } from '../errors.ts';

/** The metadata of a folder's marker object. */
export interface FolderMark {
  readonly hospitalId: string | undefined;
  readonly ownerUid: string | undefined;
  /** What else the object has, as text. */
  readonly added?: readonly string[];
}

/** Metadata of a marker object. */
export const HOSPITAL_ID = 'hospital-id';
export const OWNER_UID = 'owner-uid';
export const MARKER_TYPE = 'application/x-directory';

/** Reads a marker object from its metadata. Pure. */
export function markOf(object: HeadObjectCommandOutput): FolderMark {
  const { [HOSPITAL_ID]: hospitalId, [OWNER_UID]: ownerUid, ...metadata } = object.Metadata ?? {};
  const added: Readonly<Record<string, unknown>> = {
    ...metadata,
    content: object.ContentLength,
    'content type': object.ContentType !== MARKER_TYPE,
    'content encoding': object.ContentEncoding,
    'content disposition': object.ContentDisposition,
    'content language': object.ContentLanguage,
    'cache control': object.CacheControl,
    expiry: object.ExpiresString,
    redirect: object.WebsiteRedirectLocation,
    tags: object.TagCount,
    'legal hold': object.ObjectLockLegalHoldStatus === 'ON',
  };
  return { hospitalId, ownerUid, added: Object.keys(added).filter((name) => added[name]) };
}

const KEPT = ['tags', 'legal hold'] as const;
export type Kept = (typeof KEPT)[number];

/** Marker objects by key. */
export type FolderMarks = ReadonlyMap<string, FolderMark>;

export interface ObservedFolders {
  readonly marks: FolderMarks;
  /** Whether the hospital's folder contains anything. */
  readonly inUse: boolean;
}

export interface FolderChange extends Change {
  readonly key: string;
  /** What the object has and a server may keep when it is overwritten. */
  readonly kept?: readonly Kept[];
}

/** Keys of the marker objects of a hospital's folders, starting with the hospital's own. Pure. */
export function folderKeys(folder: string, folders: readonly string[]): readonly string[] {
  return [folder, ...folders.map((name) => `${folder}${name}/`)];
}

/**
 * The owner of a folder: by its own mark, or, if that is lost, by the inner marks, none of which may be another's.
 * Pure.
 */
export function ownerOf(
  hospitalId: string,
  [root = '', ...inside]: readonly string[],
  marks: FolderMarks,
): 'ours' | 'others' | 'nobody' {
  const own = marks.get(root)?.hospitalId;
  const owners = own ? [own] : inside.flatMap((key) => marks.get(key)?.hospitalId ?? []);
  if (owners.some((owner) => owner !== hospitalId)) return 'others';
  return owners.length > 0 ? 'ours' : 'nobody';
}

/** Compares the desired and the observed folders. Pure. @throws BackendError Conflict */
export function folderChanges(tenant: Tenant, keys: readonly string[], observed: ObservedFolders): FolderChange[] {
  const [root = ''] = keys;
  const owner = ownerOf(tenant.hospitalId, keys, observed.marks);
  if (owner === 'others' || (owner === 'nobody' && observed.inUse && !tenant.adoptUnowned)) {
    throw new BackendError(
      'Conflict',
      `folder ${root} of the bucket has ${owner === 'nobody' ? "files and no owner's mark: move them away or set spec.adoption to IfUnowned" : "another hospital's mark: move it away or choose another name"}`,
    );
  }
  return keys.flatMap((key): FolderChange[] => {
    const found = observed.marks.get(key);
    if (!found) return [{ action: 'create', object: `folder ${key}`, key }];
    const isMarked = found.hospitalId === tenant.hospitalId && found.ownerUid === tenant.uid;
    const differing = [...(isMarked ? [] : ["owner's mark"]), ...(found.added ?? [])];
    if (differing.length === 0) return [];
    const kept = KEPT.filter((name) => found.added?.includes(name));
    return [{ action: 'update', object: `folder ${key}`, detail: differing.join(', '), key, kept }];
  });
}
