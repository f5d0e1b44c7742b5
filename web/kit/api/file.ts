/** Saves a file that a module makes. */
import { follow } from './api.ts';
import { REVOKE_MS } from './pdf.ts';

/** A long list takes its time. */
const PATIENCE_MS = 120_000;

/** Saves what is at a path, under the name that the module gives it. @throws ApiError */
export async function saveFile(path: string): Promise<void> {
  const file = await follow(path, AbortSignal.timeout(PATIENCE_MS));
  const [, name = ''] = /filename="([^"]+)"/.exec(file.headers.get('Content-Disposition') ?? '') ?? [];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await file.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_MS);
}
