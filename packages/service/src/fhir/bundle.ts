/** Bundles: the resources that a search has found. */
import type { Bundle, FhirResource } from 'fhir/r4.js';
import type { Work } from '../work.ts';

/** Path of the FHIR server of people and places, to which those of other modules refer. */
export const HMS_FHIR = '/api/hms/fhir/R4';

/** URL of a FHIR server, as programs of others reach it. @param path such as `/api/hms/fhir/R4` */
export function baseUrl({ hospital }: Pick<Work, 'hospital'>, path: string): string {
  return `${hospital.portal}${path}`;
}

/** A page of resources of one type. @param address URL of the type: that of the server, and its name */
export function bundleOf<Resource extends FhirResource>(
  address: string,
  resources: readonly Resource[],
  link: NonNullable<Bundle['link']>,
): Bundle<Resource> {
  const entry = resources.map((resource) => ({
    fullUrl: `${address}/${resource.id}`,
    resource,
    search: { mode: 'match' as const },
  }));
  return { resourceType: 'Bundle', type: 'searchset', link, ...(entry.length > 0 ? { entry } : {}) };
}
