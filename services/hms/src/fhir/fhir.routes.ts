/** FHIR R4, to read: `/api/hms/fhir/R4`. */
import { fields, Problem, type RequestContext, type Route, route } from '@hms/service';
import type { CapabilityStatement, FhirResource, Reference } from 'fhir/r4.js';
import { z } from 'zod';
import { diagnosticReportType, observationType, serviceRequestType, specimenType } from './laboratory.ts';
import { patientType, practitionerType } from './people.ts';
import { medicationDispenseType, medicationRequestType } from './pharmacy.ts';
import { locationType, organizationType } from './places.ts';
import type { ResourceType } from './resource-type.ts';
import { appointmentType, scheduleType } from './scheduling.ts';
import { baseUrl, find, parametersOf, queryOf, search } from './searching.ts';
import { SLOT_PARAMETERS, slotRoutes } from './slots.ts';
import { bundle, FHIR_PATH, RESOURCE_NOT_FOUND, resource, standard } from './standard.ts';

const VERSION = '4.0.1';

const TYPES: readonly ResourceType[] = [
  ...[patientType, practitionerType, organizationType, locationType],
  ...[serviceRequestType, specimenType, observationType, diagnosticReportType],
  ...[medicationRequestType, medicationDispenseType],
  ...[scheduleType, appointmentType],
];

const statement = z.looseObject({ resourceType: z.literal('CapabilityStatement') }).meta({ id: 'FhirCapabilities' });

export const fhirRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${FHIR_PATH}/metadata`,
    operationId: 'readFhirCapabilities',
    summary: 'What this FHIR server can do',
    access: 'patients.read',
    response: statement,
    ...standard,
    handler: async (context) => ({ data: { ...capabilities(context) } }),
  }),
  ...TYPES.flatMap((type) => [searchRoute(type), readRoute(type)]),
  ...slotRoutes,
];

function searchRoute(type: ResourceType): Route {
  return route({
    method: 'GET',
    path: `${FHIR_PATH}/${type.type}`,
    operationId: `search${type.type}Resources`,
    summary: `Search for ${type.type} resources of FHIR`,
    access: type.access,
    query: queryOf(type),
    response: bundle,
    ...standard,
    handler: async (context) => {
      const found = await search(context, type, context.query);
      const ids = found.entry?.flatMap(({ resource }) => patientOf(resource) ?? []) ?? [];
      if (type.audited !== undefined) {
        const details = { reason: `FHIR ${type.type}`, search: found.link?.[0]?.url, ids: [...new Set(ids)] };
        context.audit({ action: 'list', record: 'patients', details });
      }
      return { data: { ...found } };
    },
  });
}

function readRoute(type: ResourceType): Route {
  return route({
    method: 'GET',
    path: `${FHIR_PATH}/${type.type}/:id`,
    operationId: `read${type.type}Resource`,
    summary: `Read a ${type.type} resource of FHIR`,
    access: type.access,
    params: fields.idParams,
    response: resource,
    errors: [RESOURCE_NOT_FOUND],
    ...standard,
    handler: async (context) => {
      const { id } = context.params;
      const found = await find(context, type, id);
      if (!found) throw new Problem(RESOURCE_NOT_FOUND);
      if (type.audited !== undefined) {
        const { recordId, resource } = found;
        context.audit({ action: 'read', record: type.audited, recordId, patientId: patientOf(resource) });
      }
      return { data: { ...found.resource, id } };
    },
  });
}

/** Id of the patient whom a resource is about. */
function patientOf(resource: FhirResource | undefined): string | undefined {
  if (resource?.resourceType === 'Patient') return resource.id;
  if (resource?.resourceType === 'Appointment') return resource.participant.flatMap(({ actor }) => patientIn(actor))[0];
  const subject = resource && 'subject' in resource ? (resource.subject as Reference) : undefined;
  return patientIn(subject)[0];
}

function patientIn(found: Reference | undefined): readonly string[] {
  const [type, id] = found?.reference?.split('/') ?? [];
  return type === 'Patient' && id !== undefined ? [id] : [];
}

function capabilities(context: RequestContext): CapabilityStatement {
  const { displayName } = context.hospital;
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: '2026-11-24',
    kind: 'instance',
    software: { name: 'Hospital platform' },
    implementation: { description: displayName, url: baseUrl(context) },
    fhirVersion: VERSION,
    format: ['json'],
    rest: [
      {
        mode: 'server',
        documentation: 'Read-only. Searches are sorted by the time of the last change.',
        security: { description: 'An access token of the hospital, as for the rest of the API' },
        resource: [
          ...TYPES.map((type) => ({
            type: type.type,
            searchParam: Object.entries(parametersOf(type)).map(([name, { type: kind, about }]) => ({
              name,
              type: kind,
              documentation: about,
            })),
          })),
          { type: 'Slot', searchParam: [...SLOT_PARAMETERS] },
        ].map((one) => ({
          ...one,
          type: one.type as 'Patient',
          interaction: [{ code: 'read' as const }, { code: 'search-type' as const }],
          versioning: 'no-version' as const,
        })),
      },
    ],
  };
}
