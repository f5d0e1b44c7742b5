/** The routes of a FHIR server, to read: its CapabilityStatement, and a search and a read for each type. */
import type { Permission } from '@hms/tenancy';
import type { FhirResource, Reference } from 'fhir/r4.js';
import { Problem } from '../errors.ts';
import { idParams } from '../fields.ts';
import { type Route, route } from '../route.ts';
import { baseUrl } from './bundle.ts';
import { capabilities, statement } from './capabilities.ts';
import type { OwnType, ResourceType } from './resource-type.ts';
import { find, queryOf, search } from './search.ts';
import { bundle, RESOURCE_NOT_FOUND, resource, standard } from './standard.ts';

/** The FHIR server of a module. */
export interface FhirServer {
  /** For example `/api/hms/fhir/R4`. */
  readonly path: string;
  /** Who may read the CapabilityStatement. */
  readonly access: Permission;
  readonly types: readonly ResourceType[];
  readonly ownTypes?: readonly OwnType[];
}

/** All routes of a module's FHIR server. */
export function fhirRoutes({ path, access, types, ownTypes = [] }: FhirServer): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: `${path}/metadata`,
      operationId: `read${moduleIn(path)}FhirCapabilities`,
      summary: 'What this FHIR server can do',
      access,
      response: statement,
      ...standard,
      handler: async (context) => ({ data: { ...capabilities(context, path, types, ownTypes) } }),
    }),
    ...types.flatMap((type) => [searchRoute(path, type), readRoute(path, type)]),
    ...ownTypes.flatMap((type) => type.routes(path)),
  ];
}

/** For example `Hms` of `/api/hms/fhir/R4`. */
function moduleIn(path: string): string {
  const [, , name = ''] = path.split('/');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function searchRoute(path: string, type: ResourceType): Route {
  return route({
    method: 'GET',
    path: `${path}/${type.type}`,
    operationId: `search${type.type}Resources`,
    summary: `Search for ${type.type} resources of FHIR`,
    access: type.access,
    query: queryOf(type),
    response: bundle,
    ...standard,
    handler: async (context) => {
      const found = await search(context, baseUrl(context, path), type, context.query);
      const ids = found.entry?.flatMap(({ resource }) => patientOf(resource) ?? []) ?? [];
      if (type.audited !== undefined) {
        const details = { reason: `FHIR ${type.type}`, search: found.link?.[0]?.url, ids: [...new Set(ids)] };
        context.audit({ action: 'list', record: 'patients', details });
      }
      return { data: { ...found } };
    },
  });
}

function readRoute(path: string, type: ResourceType): Route {
  return route({
    method: 'GET',
    path: `${path}/${type.type}/:id`,
    operationId: `read${type.type}Resource`,
    summary: `Read a ${type.type} resource of FHIR`,
    access: type.access,
    params: idParams,
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
  // Relative, or the URL at another server.
  const [type, id] = found?.reference?.split('/').slice(-2) ?? [];
  return type === 'Patient' && id !== undefined ? [id] : [];
}
