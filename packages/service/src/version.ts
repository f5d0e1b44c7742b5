/** The optimistic lock: which version of a record a client has read. */
import { invalidFields, Problem, STALE_VERSION } from './errors.ts';

/**
 * Reads the version from the header `If-Match`, or from the field `version` of the body or the query, which browsers of
 * other origins can send.
 * @param field already validated.
 * @returns undefined if the client names none, or `*`.
 * @throws Problem VALIDATION_FAILED if the header is no version, or if the two differ.
 */
export function expectedVersion(header: string | undefined, field: unknown): number | undefined {
  const inField = typeof field === 'number' ? field : undefined;
  if (header === undefined || header.trim() === '*') return inField;
  const inHeader = Number(/^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1]);
  const wrong = (message: string) => invalidFields([{ field: 'If-Match', in: 'header', message }]);
  if (!Number.isInteger(inHeader)) throw wrong('must be the version that you have read, like "3"');
  if (inField !== undefined && inField !== inHeader) throw wrong('must be the same as version');
  return inHeader;
}

/**
 * The transaction must already have locked the record.
 * @param version what the client has read, or undefined to skip the check.
 * @throws Problem STALE_VERSION with the current version.
 */
export function demandVersion(record: { readonly version: number }, version: number | undefined): void {
  if (version !== undefined && version !== record.version) {
    throw new Problem(STALE_VERSION, { details: { version: record.version } });
  }
}
