/** Moves files between this computer and the storage. */
import { ApiError, api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { REVOKE_MS } from '../../../kit/api/pdf.ts';

export type UploadedKind = NonNullable<Schemas['NewDocument']['kind']>;

/** The storage of files does not answer, or does not have the file. */
export class FileUnavailable extends Error {
  override readonly name = 'FileUnavailable';
}

interface Label {
  readonly kind: UploadedKind;
  readonly title?: string | undefined;
}

/** Announces the file with its hash, sends it to the storage, and has it checked. @returns its id. @throws ApiError */
export async function uploadDocument(patientId: string, file: File, { kind, title }: Label): Promise<string> {
  const params = { path: { id: patientId }, header: { 'Idempotency-Key': crypto.randomUUID() } };
  const { id: docId, upload } = await dataOf(
    api.POST('/api/hms/patients/{id}/documents', {
      params,
      body: {
        kind,
        ...(title ? { title } : {}),
        fileName: file.name.slice(0, 255),
        contentType: file.type || 'application/octet-stream',
        size: file.size,
        sha256: await sha256(file),
      },
    }),
  );
  const sent = await fetch(upload.url, { method: upload.method, headers: upload.headers, body: file });
  if (!sent.ok) throw new ApiError(sent, await sent.text());
  const path = { id: patientId, docId };
  await dataOf(api.POST('/api/hms/patients/{id}/documents/{docId}/complete', { params: { path } }));
  return docId;
}

/** @throws ApiError, FileUnavailable */
export async function readDocument(patientId: string, docId: string): Promise<Blob> {
  const { url } = await dataOf(
    api.GET('/api/hms/patients/{id}/documents/{docId}/url', { params: { path: { id: patientId, docId } } }),
  );
  try {
    const file = await fetch(url, { credentials: 'omit' });
    if (file.ok) return await file.blob();
    throw new Error(`the storage answered ${file.status}`);
  } catch (cause) {
    throw new FileUnavailable('the file could not be fetched', { cause });
  }
}

/** Saves the file on this computer. It is never opened as a page, where its content could act for the person. */
export async function downloadDocument(patientId: string, docId: string, name: string): Promise<void> {
  saveFile(await readDocument(patientId, docId), name);
}

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_MS);
}

const POLLS = 20;
const POLL_MS = 1_000;

/** Waits until a document is rendered. @throws ApiError if it is not after some time. */
export async function waitForDocument(patientId: string, docId: string): Promise<void> {
  for (let poll = 1; ; poll += 1) {
    try {
      const params = { path: { id: patientId, docId } };
      await dataOf(api.GET('/api/hms/patients/{id}/documents/{docId}/url', { params }));
      return;
    } catch (error) {
      if (poll === POLLS || !(error instanceof ApiError) || error.status !== 404) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

async function sha256(file: File): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
