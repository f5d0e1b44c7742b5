/** Keys of objects. Pure functions. */
import { FILE_FOLDERS, hospitalNames } from '@hms/tenancy';

/** A segment can't be `.` or `..`, and has no character that a URL, a file system or S3 reads in another way. */
const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** S3 allows 1024 bytes, with the prefix. */
const LONGEST = 512;

/**
 * The key of an object in the bucket. Only this adds the hospital's prefix.
 * @param key relative to the hospital's folder, such as `patients/HSP-000001/<id>`.
 * @throws Error for a key outside of the hospital's folders. Keys come from the code, so this is a bug.
 */
export function objectKey(hospital: { readonly prefix: string }, key: string): string {
  const segments = key.split('/');
  const [folder] = segments;
  const known = FILE_FOLDERS.some((name) => name === folder);
  if (!known || segments.length < 2 || key.length > LONGEST || !segments.every((segment) => SEGMENT.test(segment))) {
    throw new Error(`${JSON.stringify(key)} is no key of an object: use <folder>/<name> with plain characters`);
  }
  return `${hospitalNames(hospital.prefix).folder}${key}`;
}
