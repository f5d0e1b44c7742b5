import { ANNOTATION, type HospitalObject } from '@hms/hospitals';

/** How long a confirmation holds. A forgotten one must not allow a deletion weeks later. */
const CONFIRMATION_MS = 15 * 60_000;

/**
 * When the annotation was set that confirms the deletion of the hospital's data, by the API server's record of who
 * wrote which field. A later write of the same manager counts as setting it again. Pure.
 * @returns milliseconds since 1970, or undefined if the annotation is missing or names another hospital.
 */
function confirmedAt({ metadata }: HospitalObject): number | undefined {
  const { name, annotations, managedFields = [] } = metadata;
  if (annotations?.[ANNOTATION.confirmDelete] !== name) return undefined;
  const times = managedFields
    .filter(({ fieldsV1 }) => fieldsV1?.['f:metadata']?.['f:annotations']?.[`f:${ANNOTATION.confirmDelete}`])
    .map(({ time }) => Date.parse(time ?? ''));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Whether the data of a hospital whose object is being deleted may be deleted. Pure. */
export function isConfirmed(hospital: HospitalObject): boolean {
  const at = confirmedAt(hospital);
  return at !== undefined && at >= Date.parse(hospital.metadata.deletionTimestamp ?? '') - CONFIRMATION_MS;
}

/** @returns milliseconds until the confirmation expires, at least 0, or undefined if there is none. Pure. */
export function confirmationExpiresIn(hospital: HospitalObject, now: Date): number | undefined {
  const at = confirmedAt(hospital);
  return at === undefined ? undefined : Math.max(0, at + CONFIRMATION_MS - now.getTime());
}
