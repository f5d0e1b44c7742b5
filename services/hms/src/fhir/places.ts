/** Organization (the hospital and its departments) and Location (its clinics and their rooms). */
import { build, type Hospital } from '@hms/database';
import { type Clinic, clinicFeed, clinics } from '@hms/domain/clinics';
import { type Department, departmentFeed, departments } from '@hms/domain/departments';
import { type Room, roomFeed, rooms } from '@hms/domain/rooms';
import { records, type Work } from '@hms/service';
import {
  hl7,
  identifier,
  identifierIn,
  nameIn,
  plainSource,
  present,
  type ResourceType,
  reference,
  type Source,
  systems,
} from '@hms/service/fhir';
import type { Location, Organization } from 'fhir/r4.js';

export const organizationType: ResourceType = {
  type: 'Organization',
  access: 'departments.read',
  sources: [
    hospitalSource(),
    plainSource(departmentFeed, (work, ids) => records(work, departments).byIds(ids), showDepartment),
  ],
  parameters: { identifier: identifierIn('code', systems.departmentCode), name: nameIn('name') },
};

export const locationType: ResourceType = {
  type: 'Location',
  access: 'clinics.read',
  sources: [
    plainSource(clinicFeed, (work, ids) => records(work, clinics).byIds(ids), showClinic),
    plainSource(roomFeed, (work, ids) => records(work, rooms).byIds(ids), showRoom),
  ],
  parameters: { identifier: identifierIn('code', systems.locationCode), name: nameIn('name') },
};

/** The hospital is no record of its own schema, so its one row is made of what the registry says. */
function hospitalSource(): Source {
  return {
    feed: {
      rows: ({ hospital: { id, displayName, prefix, updatedAt } }) =>
        build.from(
          build.raw(
            '(SELECT ?::uuid AS id, ?::text AS name, ?::text AS code, ?::timestamptz AS updated_at) AS hospital',
            [id, displayName, prefix, updatedAt ?? new Date(0)],
          ) as never,
        ),
      id: 'id',
      changedAt: 'updated_at',
      fields: { code: 'code', name: 'name' },
    },
    show: async (work) => new Map([[work.hospital.id, showHospital(work.hospital, work)]]),
  };
}

function showHospital({ id, prefix, displayName, settings }: Hospital, work: Work): Organization {
  const { registrationNumber, phone, address } = settings;
  return {
    resourceType: 'Organization',
    id,
    identifier: [
      identifier(systems.departmentCode(work), prefix),
      ...(registrationNumber ? [identifier(systems.registrationNumber(work), registrationNumber)] : []),
    ],
    active: true,
    type: [hl7('organization-type', 'prov', 'Healthcare Provider')],
    name: displayName,
    ...present({
      telecom: phone && [{ system: 'phone' as const, value: phone }],
      address: address && [{ text: address }],
    }),
  };
}

function showDepartment({ id, code, name, status, parentId }: Department, work: Work): Organization {
  return {
    resourceType: 'Organization',
    id,
    identifier: [identifier(systems.departmentCode(work), code)],
    active: status === 'active',
    type: [hl7('organization-type', 'dept', 'Hospital Department')],
    name,
    partOf: reference('Organization', parentId ?? work.hospital.id),
  };
}

function showClinic({ departmentId, status, ...clinic }: Clinic, work: Work): Location {
  return {
    ...showPlace(clinic, work),
    status: status === 'active' ? 'active' : 'inactive',
    physicalType: hl7('location-physical-type', 'area', 'Area'),
    managingOrganization: reference('Organization', departmentId ?? work.hospital.id),
  };
}

function showRoom({ clinicId, ...room }: Room, work: Work): Location {
  return {
    ...showPlace(room, work),
    status: 'active',
    physicalType: hl7('location-physical-type', 'ro', 'Room'),
    managingOrganization: reference('Organization', work.hospital.id),
    partOf: reference('Location', clinicId),
  };
}

function showPlace(
  { id, code, name, location }: Pick<Room, 'id' | 'code' | 'name' | 'location'>,
  work: Work,
): Location {
  return {
    resourceType: 'Location',
    id,
    identifier: [identifier(systems.locationCode(work), code)],
    name,
    mode: 'instance',
    ...present({ description: location }),
  };
}
