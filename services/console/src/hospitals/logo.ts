/** The logo of a hospital: a file in its folder, and its key in the theme. */
import { createHash } from 'node:crypto';
import type { HospitalObject } from '@hms/hospitals';
import { Problem } from '@hms/service';
import { extensionOfLogo, FIRST_BYTES, type FileStorage, typeOf, typeOfLogo } from '@hms/storage';
import { imageSize } from 'image-size';
import { IMAGE_TOO_LARGE, NOT_AN_IMAGE } from './hospitals.errors.ts';

/** In bytes. A logo is shown at a few centimetres. */
export const LARGEST_LOGO = 500_000;
/** At a side. */
const MOST_PIXELS = 4096;

/**
 * Stores the file under a name that follows from its content, so that a repetition changes nothing.
 * @param content in base64.
 * @returns its key for `theme.logo`.
 * @throws Problem NOT_AN_IMAGE, IMAGE_TOO_LARGE, StorageUnavailable
 */
export async function storeLogo(storage: FileStorage, hospital: HospitalObject, content: string): Promise<string> {
  const bytes = Buffer.from(content, 'base64');
  const contentType = typeOf(bytes.subarray(0, FIRST_BYTES));
  const extension = extensionOfLogo(contentType);
  if (contentType === undefined || extension === undefined) throw new Problem(NOT_AN_IMAGE);
  demandSize(bytes);
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const key = `branding/logo-${name}.${extension}`;
  await storage.put({ prefix: hospital.metadata.name, state: hospital.spec.state }, key, bytes, { contentType });
  return key;
}

/** A small file may be of millions of pixels, which the browser of each visitor would have to unpack. */
function demandSize(bytes: Uint8Array): void {
  let size: { readonly width: number; readonly height: number };
  try {
    size = imageSize(bytes);
  } catch (cause) {
    throw new Problem(NOT_AN_IMAGE, { cause });
  }
  if (Math.max(size.width, size.height) > MOST_PIXELS) throw new Problem(IMAGE_TOO_LARGE);
}

/** A file of no hospital any more. Only what `storeLogo` has named: other files are somebody else's. */
export async function removeLogo(
  storage: FileStorage,
  hospital: HospitalObject,
  key: string | undefined,
): Promise<void> {
  if (key === undefined || !/^branding\/logo-[0-9a-f]{16}\.[a-z]+$/.test(key)) return;
  await storage.delete({ prefix: hospital.metadata.name, state: hospital.spec.state }, key);
}

/** An address that shows the logo for an hour, or null if there is none. */
export async function logoUrl(storage: FileStorage, hospital: HospitalObject): Promise<string | null> {
  const key = hospital.spec.theme?.logo;
  const contentType = typeOfLogo(key ?? '');
  if (key === undefined || contentType === undefined || hospital.spec.state !== 'Active') return null;
  const { url } = await storage.downloadUrl({ prefix: hospital.metadata.name, state: 'Active' }, key, {
    fileName: 'logo',
    contentType,
    disposition: 'inline',
    expiresIn: 3600,
  });
  return url;
}
