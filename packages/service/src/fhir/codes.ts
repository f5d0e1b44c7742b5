/** What all resources share: identifiers, references and codes. */
import type { CodeableConcept, Coding, Identifier, Reference } from 'fhir/r4.js';
import type { Work } from '../work.ts';

const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem/';

/** Says what a number or a code of a hospital means. */
export type System = (work: Pick<Work, 'hospital'>) => string;

/** A system of each hospital, which stays when its name changes. @param kind such as `patient-code` */
export function hospitalSystem(kind: string): System {
  return ({ hospital }) => `https://hms.dev/hospitals/${hospital.id}/${kind}`;
}

/** @param type code of HL7's table 0203, such as `MR` */
export function identifier(system: string, value: string, type?: string): Identifier {
  return { ...(type === undefined ? {} : { type: hl7('v2-0203', type) }), system, value };
}

/** @param type of the resource, or its URL at another FHIR server. @param display name for people */
export function reference(type: string, id: string, display?: string | null): Reference {
  return { reference: `${type}/${id}`, ...(display ? { display } : {}) };
}

/** A code of one of HL7's own code systems. */
export function hl7(system: string, code: string, display?: string): CodeableConcept {
  return concept({ system: `${TERMINOLOGY}${system}`, code, ...(display === undefined ? {} : { display }) });
}

/** A concept with one code. @param text name for people */
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
