import {
  DeleteObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { HOSPITAL_FOLDERS } from '@hms/tenancy';
import {
  type Backend,
  type DeletionPolicy,
  type Descriptor,
  describe,
  listed,
  type Owned,
  type Tenant,
} from '../backend.ts';
import { BackendError } from '../errors.ts';
import type { Bucket } from './client.ts';
import {
  type FolderChange,
  type FolderMark,
  type FolderMarks,
  folderChanges,
  folderKeys,
  HOSPITAL_ID,
  type Kept,
  MARKER_TYPE,
  markOf,
  type ObservedFolders,
  OWNER_UID,
  ownerOf,
} from './diff.ts';
import { emptyFolder, isEmpty } from './empty-folder.ts';

const EMPTY = Buffer.alloc(0);

/** Files are reachable only through the other backends. */
export const STORAGE: Descriptor = {
  name: 'storage',
  condition: 'StorageReady',
  part: 'folder',
  needs: [],
  budget: { concurrency: 16, perSecond: 200 },
};

/** The hospital's folders in the bucket: zero-byte objects whose metadata names their owner. */
export class StorageBackend implements Backend<ObservedFolders, FolderChange> {
  readonly descriptor = STORAGE;
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  ping(): Promise<void> {
    return this.#bucket.ping();
  }

  externalId({ names }: Tenant): string {
    return `${this.#bucket.name}/${names.folder}`;
  }

  wanted(tenant: Tenant) {
    return { keys: keysOf(tenant), metadata: metadataOf(tenant) };
  }

  async observe(tenant: Tenant): Promise<ObservedFolders> {
    const keys = keysOf(tenant);
    const [marks, inUse] = await Promise.all([this.#readMarks(keys), this.#inUse(tenant.names.folder)]);
    return { marks, inUse };
  }

  diff(tenant: Tenant, observed: ObservedFolders): readonly FolderChange[] {
    return folderChanges(tenant, keysOf(tenant), observed);
  }

  async apply(tenant: Tenant, changes: readonly FolderChange[]): Promise<void> {
    const Bucket = this.#bucket.name;
    const having = (name: Kept) => changes.filter(({ kept }) => kept?.includes(name));
    await this.#bucket.call('write', async (s3) => {
      for (const { key: Key } of having('tags')) await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key }));
      for (const { key: Key } of having('legal hold'))
        await s3.send(new PutObjectLegalHoldCommand({ Bucket, Key, LegalHold: { Status: 'OFF' } }));
    });
    await this.#mark(
      changes.map(({ key }) => key),
      metadataOf(tenant),
    );
    if (changes.every(({ action }) => action === 'create')) return;
    const left = this.diff(tenant, await this.observe(tenant));
    if (left.length > 0)
      throw new BackendError('Invalid', `the bucket does not let the operator restore: ${listed(left.map(describe))}`);
  }

  async remove(owned: Owned, policy: DeletionPolicy): Promise<readonly string[]> {
    if (policy === 'Retain') return [];
    const keys = keysOf(owned);
    const { folder } = owned.names;
    const marks = await this.#readMarks(keys);
    if (ownerOf(owned.hospitalId, keys, marks) === 'ours') {
      // With only the inner marks, the folder would have no owner once they are deleted, and the rest would remain.
      if (!marks.get(folder)?.hospitalId) await this.#mark([folder], { [HOSPITAL_ID]: owned.hospitalId });
      await emptyFolder(this.#bucket, folder);
      return [];
    }
    if (await isEmpty(this.#bucket, folder)) return [];
    return [
      `folder ${folder} of the bucket, which does not have the hospital's mark and contains files, older versions or unfinished uploads`,
    ];
  }

  async #mark(keys: readonly string[], Metadata: Record<string, string>): Promise<void> {
    const Bucket = this.#bucket.name;
    await this.#bucket.call('write', async (s3) => {
      // One after the other: a leader that is frozen here has checked its lease for one request at most.
      for (const Key of keys)
        await s3.send(new PutObjectCommand({ Bucket, Key, Metadata, Body: EMPTY, ContentType: MARKER_TYPE }));
    });
  }

  async #readMarks(keys: readonly string[]): Promise<FolderMarks> {
    const marks = await Promise.all(keys.map(async (key) => [key, await this.#readMark(key)] as const));
    return new Map(marks.flatMap(([key, mark]) => (mark ? [[key, mark] as const] : [])));
  }

  #readMark(key: string): Promise<FolderMark | undefined> {
    return this.#bucket.call('read', async (s3) => {
      try {
        return markOf(await s3.send(new HeadObjectCommand({ Bucket: this.#bucket.name, Key: key })));
      } catch (error) {
        if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
        throw error;
      }
    });
  }

  async #inUse(folder: string): Promise<boolean> {
    const { KeyCount } = await this.#bucket.call('read', (s3) =>
      s3.send(new ListObjectsV2Command({ Bucket: this.#bucket.name, Prefix: folder, MaxKeys: 1 })),
    );
    return (KeyCount ?? 0) > 0;
  }
}

function metadataOf({ hospitalId, uid }: Tenant): Record<string, string> {
  return { [HOSPITAL_ID]: hospitalId, [OWNER_UID]: uid };
}

function keysOf({ names }: Owned): readonly string[] {
  return folderKeys(names.folder, HOSPITAL_FOLDERS);
}
