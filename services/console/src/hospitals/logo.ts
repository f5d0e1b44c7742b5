/** The logo of a hospital: a file in its folder, and its key in the theme. */
import { createHash } from 'node:crypto';
import type { HospitalObject } from '@hms/hospitals';
import { Problem } from '@hms/service';
import type { FileStorage } from '@hms/storage';
import { NOT_AN_IMAGE } from './hospitals.errors.ts';

/** In bytes. A logo is shown at a few centimetres. */
export const LARGEST_LOGO = 500_000;

interface Kind {
  readonly extension: string;
  readonly contentType: string;
  matches(bytes: Buffer): boolean;
}

/** No SVG, which can contain scripts. */
const KINDS: readonly Kind[] = [
  {
    extension: 'png',
    contentType: 'image/png',
    matches: (bytes) => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a',
  },
  {
    extension: 'jpg',
    contentType: 'image/jpeg',
    matches: (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff',
  },
  {
    extension: 'webp',
    contentType: 'image/webp',
    matches: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
];

/**
 * Stores the file under a name that follows from its content, so that a repetition changes nothing.
 * @param content in base64.
 * @returns its key for `theme.logo`.
 * @throws Problem NOT_AN_IMAGE, StorageUnavailable
 */
export async function storeLogo(storage: FileStorage, hospital: HospitalObject, content: string): Promise<string> {
  const bytes = Buffer.from(content, 'base64');
  const kind = KINDS.find(({ matches }) => matches(bytes));
  if (!kind) throw new Problem(NOT_AN_IMAGE);
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const key = `branding/logo-${name}.${kind.extension}`;
  await storage.put({ prefix: hospital.metadata.name, state: hospital.spec.state }, key, bytes, kind);
  return key;
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

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  jpeg: 'image/jpeg',
  ...Object.fromEntries(KINDS.map(({ extension, contentType }) => [extension, contentType])),
};

/** An address that shows the logo for an hour, or null if there is none. */
export async function logoUrl(storage: FileStorage, hospital: HospitalObject): Promise<string | null> {
  const key = hospital.spec.theme?.logo;
  const contentType = CONTENT_TYPES[key?.split('.').at(-1) ?? ''];
  if (key === undefined || contentType === undefined || hospital.spec.state !== 'Active') return null;
  const { url } = await storage.downloadUrl({ prefix: hospital.metadata.name, state: 'Active' }, key, {
    fileName: 'logo',
    contentType,
    disposition: 'inline',
    expiresIn: 3600,
  });
  return url;
}
