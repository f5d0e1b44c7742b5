/**
 * Files of hospitals in S3. Each call names the hospital, and a key relative to the hospital's folder: no call can reach
 * another hospital's object. People up- and download with presigned URLs, never through a module.
 */
import { Readable } from 'node:stream';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
  type _Object as S3Object,
} from '@aws-sdk/client-s3';
import { Upload as MultipartUpload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { FILE_FOLDERS, hospitalNames } from '@hms/tenancy';
import { create as contentDisposition } from 'content-disposition';
import { isMissing, unavailable } from './errors.ts';
import { objectKey } from './keys.ts';
import type { S3Settings } from './settings.ts';

/** Part of a registry row, which comes from the verified token. */
export interface HospitalOfFiles {
  readonly prefix: string;
  readonly state: string;
}

export interface StoredObject {
  /** In bytes. */
  readonly size: number;
  readonly contentType: string | undefined;
  /** SHA-256 in hexadecimal digits. Undefined if it was stored without one. */
  readonly sha256: string | undefined;
}

/** What the folder of a hospital takes up. */
export interface FolderSize {
  readonly files: number;
  /** Without former versions. */
  readonly bytes: number;
}

export interface Upload {
  /** In bytes. */
  readonly size: number;
  readonly contentType: string;
  /** SHA-256 of the content, in hexadecimal digits. */
  readonly sha256: string;
  /** Seconds until the URL expires. */
  readonly expiresIn: number;
}

/** A request that a browser may send once or several times until it expires. */
export interface UploadRequest {
  readonly url: string;
  readonly method: 'PUT';
  /** To be sent as they are. `Content-Length` is not among them: browsers set it, and forbid to set it. */
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: Date;
}

export interface Download {
  /** What the file is called when it is saved. Any text: it is made safe. */
  readonly fileName: string;
  readonly contentType: string;
  /** Whether a browser shows the file or saves it. Default: it saves it. */
  readonly disposition?: 'attachment' | 'inline';
  /** Seconds until the URL expires. */
  readonly expiresIn: number;
}

export interface SignedUrl {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Milliseconds that a call may take, with its retry. People wait for it. */
const DEADLINE_MS = 5_000;
const CONNECT_MS = 2_000;

/** Of a stored stream, in bytes. S3 takes 10,000 parts. */
const PART_SIZE = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

const SHA256_HEADER = 'x-amz-checksum-sha256';

/** The files of all hospitals, in one bucket. */
export class FileStorage {
  readonly #bucket: string;
  readonly #client: S3Client;
  /** Signs URLs for browsers. It sends nothing. */
  readonly #signer: S3Client;
  readonly #deadline: number;

  /** @param deadline milliseconds that a call may take. */
  constructor(settings: S3Settings, deadline = DEADLINE_MS) {
    const { S3_ENDPOINT, S3_PUBLIC_ENDPOINT = S3_ENDPOINT, S3_REGION, S3_BUCKET } = settings;
    const options = {
      region: S3_REGION,
      forcePathStyle: true,
      maxAttempts: 2,
      credentials: { accessKeyId: settings.S3_ACCESS_KEY_ID, secretAccessKey: settings.S3_SECRET_ACCESS_KEY },
      // The SDK would add a CRC32 of the empty body to each presigned upload.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: deadline, throwOnRequestTimeout: true },
    } as const;
    this.#bucket = S3_BUCKET;
    this.#client = new S3Client({ ...options, endpoint: S3_ENDPOINT });
    this.#signer = new S3Client({ ...options, endpoint: S3_PUBLIC_ENDPOINT });
    this.#deadline = deadline;
  }

  /** Stores an object, or replaces it. The server verifies the content. @throws StorageUnavailable */
  async put(
    hospital: HospitalOfFiles,
    key: string,
    bytes: Uint8Array,
    { contentType }: { readonly contentType: string },
  ): Promise<void> {
    const target = this.#target(hospital, key);
    await this.#call((abortSignal) =>
      this.#client.send(
        new PutObjectCommand({ ...target, Body: bytes, ContentType: contentType, ChecksumAlgorithm: 'SHA256' }),
        { abortSignal },
      ),
    );
  }

  /**
   * Stores an object whose size is not known before its end. Parts are sent as they come, and some are kept in memory.
   * @param signal ends it, without an object.
   * @returns its size in bytes. @throws StorageUnavailable, and whatever `pieces` throws.
   */
  async putStream(
    hospital: HospitalOfFiles,
    key: string,
    pieces: AsyncIterable<string>,
    { contentType, signal }: { readonly contentType: string; readonly signal: AbortSignal },
  ): Promise<number> {
    const target = this.#target(hospital, key);
    let size = 0;
    let failed: unknown;
    const counted = async function* () {
      try {
        for await (const piece of pieces) {
          const bytes = Buffer.from(piece);
          size += bytes.length;
          yield bytes;
        }
      } catch (error) {
        failed = error;
        throw error;
      }
    };
    const upload = new MultipartUpload({
      client: this.#client,
      params: { ...target, Body: Readable.from(counted(), { objectMode: false }), ContentType: contentType },
      ...{ queueSize: PARTS_AT_ONCE, partSize: PART_SIZE },
    });
    const abort = () => void upload.abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await upload.done();
      return size;
    } catch (error) {
      signal.throwIfAborted();
      if (failed !== undefined) throw failed;
      throw unavailable(error);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Proves that the S3 server accepts this module's key for the hospital's files. @throws StorageUnavailable */
  async prove(hospital: HospitalOfFiles): Promise<void> {
    await this.head(hospital, `${FILE_FOLDERS[0]}/of-no-record`);
  }

  /** @returns undefined if there is no such object. @throws StorageUnavailable */
  async head(hospital: HospitalOfFiles, key: string): Promise<StoredObject | undefined> {
    const target = this.#target(hospital, key);
    const found = await this.#found((abortSignal) =>
      this.#client.send(new HeadObjectCommand({ ...target, ChecksumMode: 'ENABLED' }), { abortSignal }),
    );
    if (!found) return undefined;
    const { ContentLength = 0, ContentType, ChecksumSHA256 } = found;
    return {
      size: ContentLength,
      contentType: ContentType,
      sha256: ChecksumSHA256 && Buffer.from(ChecksumSHA256, 'base64').toString('hex'),
    };
  }

  /** The first `count` bytes, or fewer if the object is smaller. @returns undefined if there is no such object. */
  async firstBytes(hospital: HospitalOfFiles, key: string, count: number): Promise<Uint8Array | undefined> {
    const target = this.#target(hospital, key);
    return this.#found(async (abortSignal) => {
      const { Body } = await this.#client.send(new GetObjectCommand({ ...target, Range: `bytes=0-${count - 1}` }), {
        abortSignal,
      });
      return Body?.transformToByteArray();
    });
  }

  /**
   * Allows an upload with exactly this size, type and content, because all three are signed.
   * @throws Error unless the hospital is active.
   */
  async uploadUrl(hospital: HospitalOfFiles, key: string, upload: Upload): Promise<UploadRequest> {
    const { size, contentType, sha256, expiresIn } = upload;
    const target = this.#signable(hospital, key);
    const headers = { 'Content-Type': contentType, [SHA256_HEADER]: Buffer.from(sha256, 'hex').toString('base64') };
    const command = new PutObjectCommand({
      ...target,
      ContentLength: size,
      ContentType: contentType,
      ChecksumSHA256: headers[SHA256_HEADER],
    });
    const signed = await this.#sign(command, expiresIn, {
      signableHeaders: new Set(['content-type']),
      unhoistableHeaders: new Set([SHA256_HEADER]),
    });
    return { ...signed, method: 'PUT', headers };
  }

  /** Allows to download the object. @throws Error unless the hospital is active. */
  downloadUrl(hospital: HospitalOfFiles, key: string, download: Download): Promise<SignedUrl> {
    const { fileName, contentType, disposition = 'attachment', expiresIn } = download;
    const command = new GetObjectCommand({
      ...this.#signable(hospital, key),
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDisposition(safeFileName(fileName), { type: disposition }),
    });
    return this.#sign(command, expiresIn);
  }

  /**
   * Deletes an object with all its versions, so that nothing of it is left. Succeeds if there is none.
   * @throws StorageUnavailable. Some versions may be deleted then: repeat it.
   */
  async delete(hospital: HospitalOfFiles, key: string): Promise<void> {
    const { Bucket, Key } = this.#target(hospital, key);
    await this.#call(async (abortSignal) => {
      for (;;) {
        const listing = new ListObjectVersionsCommand({ Bucket, Prefix: Key });
        const { Versions = [], DeleteMarkers = [], IsTruncated } = await this.#client.send(listing, { abortSignal });
        // Other keys may begin like this one, and come after it.
        const Objects = [...Versions, ...DeleteMarkers]
          .filter((version) => version.Key === Key)
          .map(({ VersionId }) => ({ Key, VersionId }));
        if (Objects.length === 0) return;
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
        const { Errors: [failed] = [] } = await this.#client.send(command, { abortSignal });
        if (failed) throw new Error(`${failed.Code}: ${failed.Message}`);
        if (!IsTruncated) return;
      }
    });
  }

  /**
   * Lists the whole folder, which takes about a tenth of a second for a thousand files.
   * @param signal ends it. @param page files of one request. @throws StorageUnavailable
   */
  async folderSize(hospital: HospitalOfFiles, signal: AbortSignal, page = LARGEST_PAGE): Promise<FolderSize> {
    const listing = { Bucket: this.#bucket, Prefix: hospitalNames(hospital.prefix).folder, MaxKeys: page };
    let size: FolderSize = { files: 0, bytes: 0 };
    let next: string | undefined;
    do {
      const command = new ListObjectsV2Command({ ...listing, ...(next ? { ContinuationToken: next } : {}) });
      const { Contents = [], NextContinuationToken } = await this.#call((deadline) =>
        this.#client.send(command, { abortSignal: AbortSignal.any([signal, deadline]) }),
      );
      size = Contents.reduce(addFile, size);
      next = NextContinuationToken;
    } while (next);
    return size;
  }

  end(): void {
    this.#client.destroy();
    this.#signer.destroy();
  }

  #target(hospital: HospitalOfFiles, key: string) {
    return { Bucket: this.#bucket, Key: objectKey(hospital, key) };
  }

  /** A URL is good until it expires, whatever happens meanwhile. */
  #signable(hospital: HospitalOfFiles, key: string) {
    if (hospital.state !== 'Active') throw new Error(`${hospital.prefix} is ${hospital.state}: it gets no URL`);
    return this.#target(hospital, key);
  }

  async #sign(
    command: PutObjectCommand | GetObjectCommand,
    expiresIn: number,
    options: { readonly signableHeaders?: Set<string>; readonly unhoistableHeaders?: Set<string> } = {},
  ): Promise<SignedUrl> {
    // A signature has whole seconds.
    const signingDate = new Date(Math.floor(Date.now() / 1000) * 1000);
    const url = await getSignedUrl(this.#signer, command, { ...options, expiresIn, signingDate });
    return { url, expiresAt: new Date(signingDate.getTime() + expiresIn * 1000) };
  }

  async #found<T>(work: (abortSignal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    return this.#call(async (abortSignal) => {
      try {
        return await work(abortSignal);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });
  }

  async #call<T>(work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await work(AbortSignal.timeout(this.#deadline));
    } catch (error) {
      throw unavailable(error);
    }
  }
}

/** Of S3. */
const LARGEST_PAGE = 1000;

function addFile({ files, bytes }: FolderSize, { Key, Size = 0 }: S3Object): FolderSize {
  // The operator marks each folder with an empty object.
  return { files: files + (Key?.endsWith('/') ? 0 : 1), bytes: bytes + Size };
}

/** A name without folders, control characters and a leading dot, which hides files. */
function safeFileName(name: string): string {
  const safe = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}/\\]/gu, '_')
    .replace(/^[.\s]+/, '');
  return safe === '' ? 'file' : safe;
}
