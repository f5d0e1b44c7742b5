/** What all resources share: identifiers, references and codes. */
import type { CodeableConcept, Coding, Identifier, Reference } from 'fhir/r4.js';

const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem/';

/** What the numbers and the codes of a hospital mean. The UUID of the hospital stays when its name changes. */
export function systemOf({ hospital }: { readonly hospital: { readonly id: string } }, kind: SystemKind): string {
  return `https://hms.dev/hospitals/${hospital.id}/${kind}`;
}
export type SystemKind =
  | 'patient-code'
  | 'employee-code'
  | 'license-number'
  | 'registration-number'
  | 'department-code'
  | 'location-code'
  | 'lab-order-number'
  | 'accession-number'
  | 'lab-test'
  | 'prescription-number'
  | 'dispense-number'
  | 'drug'
  | 'appointment-number';

export function identifier(system: string, value: string, type?: string): Identifier {
  return { ...(type === undefined ? {} : { type: hl7('v2-0203', type) }), system, value };
}

export function reference(type: string, id: string, display?: string | null): Reference {
  return { reference: `${type}/${id}`, ...(display ? { display } : {}) };
}

/** A code of one of HL7's own code systems. */
export function hl7(system: string, code: string, display?: string): CodeableConcept {
  return concept({ system: `${TERMINOLOGY}${system}`, code, ...(display === undefined ? {} : { display }) });
}

export function concept(coding: Coding, text?: string): CodeableConcept {
  return { coding: [coding], ...(text === undefined ? {} : { text }) };
}

/** The fields that have a value. FHIR has no null. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Present<Fields>;
}
type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], null | undefined | ''> };

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A decimal with its trailing zeros, which say how precise it is. */
export function decimal(text: string): number {
  return (JSON as unknown as RawJson).rawJSON(text) as number;
}

/** TypeScript does not know it yet. */
interface RawJson {
  rawJSON(text: string): unknown;
}

/** The calendar day of the API's form, which is at midnight UTC. */
export function dayOf(value: string): string {
  return value.slice(0, 10);
}
