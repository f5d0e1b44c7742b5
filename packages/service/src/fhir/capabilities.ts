/** What a FHIR server can do. */
import type { CapabilityStatement } from 'fhir/r4.js';
import { z } from 'zod';
import type { Work } from '../work.ts';
import { baseUrl } from './bundle.ts';
import type { OwnType, ResourceType } from './resource-type.ts';
import { parametersOf } from './search.ts';

const VERSION = '4.0.1';

/** Schema of a CapabilityStatement. */
export const statement = z
  .looseObject({ resourceType: z.literal('CapabilityStatement') })
  .meta({ id: 'FhirCapabilities' });

/** The CapabilityStatement. @param path of the server. */
export function capabilities(
  work: Work,
  path: string,
  types: readonly ResourceType[],
  ownTypes: readonly OwnType[],
): CapabilityStatement {
  const all = [...types.map((type) => ({ ...type, parameters: parametersOf(type) })), ...ownTypes];
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: '2026-11-28',
    kind: 'instance',
    software: { name: 'Hospital platform' },
    implementation: { description: work.hospital.displayName, url: baseUrl(work, path) },
    fhirVersion: VERSION,
    format: ['json'],
    rest: [
      {
        mode: 'server',
        documentation: 'Read-only. Searches are sorted by the time of the last change.',
        security: { description: 'An access token of the hospital, as for the rest of the API' },
        resource: all.map(({ type, parameters }) => ({
          type: type as 'Patient',
          searchParam: Object.entries(parameters).map(([name, { type: kind, about }]) => ({
            name,
            type: kind,
            documentation: about,
          })),
          interaction: [{ code: 'read' as const }, { code: 'search-type' as const }],
          versioning: 'no-version' as const,
        })),
      },
    ],
  };
}
