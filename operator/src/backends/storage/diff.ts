import type { Change, Tenant } from '../backend.ts';
import { BackendError } from '../errors.ts';

/** What stands in the metadata of a folder's marker object. */
export interface FolderMark {
  readonly hospitalId: string | undefined;
  readonly ownerUid: string | undefined;
}

export interface ObservedFolders {
  /** Marker objects by key. */
  readonly marks: ReadonlyMap<string, FolderMark>;
  /** Whether anything lies in the hospital's folder. */
  readonly inUse: boolean;
}

export interface FolderChange extends Change {
  readonly key: string;
}

/** Keys of the marker objects of a hospital's folders; the first is the hospital's own. Pure. */
export function folderKeys(folder: string, folders: readonly string[]): readonly string[] {
  return [folder, ...folders.map((name) => `${folder}${name}/`)];
}

/** Compares the folders that shall be with those that are. Pure. @throws BackendError Conflict */
export function folderChanges(tenant: Tenant, keys: readonly string[], observed: ObservedFolders): FolderChange[] {
  const [root = ''] = keys;
  const mark = observed.marks.get(root);
  const owned = mark?.hospitalId === tenant.hospitalId;
  // A folder whose own mark is lost is still known by the marks inside it.
  const known =
    owned || (!mark && [...observed.marks.values()].some(({ hospitalId }) => hospitalId === tenant.hospitalId));
  const unowned = mark ? mark.hospitalId === undefined : observed.inUse;
  if (!known && ((mark?.hospitalId !== undefined && !owned) || (unowned && !tenant.adoptUnowned))) {
    throw new BackendError(
      'Conflict',
      `folder ${root} of the bucket has ${unowned ? "files and no owner's mark: move them away or set spec.adoption to IfUnowned" : "another hospital's mark: move it away or choose another name"}`,
    );
  }
  return keys.flatMap((key): FolderChange[] => {
    const found = observed.marks.get(key);
    if (!found) return [{ action: 'create', object: `folder ${key}`, key }];
    const same = found.hospitalId === tenant.hospitalId && found.ownerUid === tenant.uid;
    return same ? [] : [{ action: 'update', object: `folder ${key}`, detail: "owner's mark", key }];
  });
}
