/** Patient and Practitioner. */
import { type Employee, employeeFeed, employees } from '@hms/domain/employees';
import { type Patient as Person, patientFeed, patients } from '@hms/domain/patients';
import { inZone, momentOf } from '@hms/domain/schedules';
import { records, type Work } from '@hms/service';
import {
  dateIn,
  dayOf,
  identifier,
  identifierIn,
  nameIn,
  phoneIn,
  plainSource,
  present,
  type ResourceType,
  reference,
  systems,
} from '@hms/service/fhir';
import type { Address, ContactPoint, Element, Patient, Practitioner } from 'fhir/r4.js';

export const patientType: ResourceType = {
  type: 'Patient',
  access: 'patients.read',
  sources: [plainSource(patientFeed, (work, ids) => records(work, patients).byIds(ids), showPatient)],
  parameters: {
    identifier: identifierIn('code', systems.patientCode),
    name: nameIn('name', 'searched'),
    phone: phoneIn('phone'),
    birthdate: dateIn('birthDate', 'day'),
  },
  audited: 'patients',
};

export const practitionerType: ResourceType = {
  type: 'Practitioner',
  access: 'employees.read',
  sources: [plainSource(employeeFeed, (work, ids) => records(work, employees).byIds(ids), showEmployee)],
  parameters: {
    identifier: identifierIn('code', systems.employeeCode),
    name: nameIn('name', 'searched'),
    phone: phoneIn('phone'),
  },
};

/** A merged patient is inactive, and refers to the one who remains. */
function showPatient(person: Person, work: Work): Patient {
  const { id, patientCode, gender, dateOfBirth, timeOfBirth, address, survivorId } = person;
  const isUnnamed = person.firstName === null && person.lastName === null;
  return {
    resourceType: 'Patient',
    id,
    identifier: [identifier(systems.patientCode(work), patientCode, 'MR')],
    active: survivorId === null,
    managingOrganization: reference('Organization', work.hospital.id, work.hospital.displayName),
    ...present({
      name: isUnnamed ? undefined : [nameOf(person)],
      telecom: contacts(person),
      birthDate: dateOfBirth && dayOf(dateOfBirth),
      _birthDate: dateOfBirth && timeOfBirth && bornAt(dayOf(dateOfBirth), timeOfBirth, work),
      gender,
      address: address && [addressOf(address)],
      link: survivorId && [{ type: 'replaced-by' as const, other: reference('Patient', survivorId) }],
    }),
  };
}

/** The time of birth, with the offset of the hospital's zone. */
function bornAt(day: string, time: string, { hospital: { timezone } }: Work): Element {
  const valueDateTime = inZone(momentOf(day, time, timezone), timezone);
  return { extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime', valueDateTime }] };
}

function showEmployee(employee: Employee, work: Work): Practitioner {
  const { id, employeeCode, licenseNo, status } = employee;
  return {
    resourceType: 'Practitioner',
    id,
    identifier: [
      identifier(systems.employeeCode(work), employeeCode, 'EI'),
      ...(licenseNo ? [identifier(systems.licenseNumber(work), licenseNo, 'MD')] : []),
    ],
    active: status === 'active' || status === 'invited',
    name: [nameOf(employee)],
    ...present({ telecom: contacts(employee) }),
  };
}

/** Without the part that is unknown. */
function nameOf({ firstName, lastName }: { readonly firstName: string | null; readonly lastName: string | null }) {
  return {
    use: 'official' as const,
    text: [firstName, lastName].filter(Boolean).join(' '),
    ...present({ family: lastName, given: firstName && [firstName] }),
  };
}

function contacts({ phone, email }: { readonly phone: string | null; readonly email: string | null }): ContactPoint[] {
  return [
    ...(phone ? [{ system: 'phone' as const, value: phone }] : []),
    ...(email ? [{ system: 'email' as const, value: email }] : []),
  ];
}

function addressOf({ street, city, region, postalCode, country }: NonNullable<Person['address']>): Address {
  return present({ line: street ? [street] : [], city, state: region, postalCode, country });
}
