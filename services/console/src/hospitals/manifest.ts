/** Hospital objects from what people enter. Pure. */
import { ANNOTATION, type HospitalObject } from '@hms/hospitals';
import { stringify } from 'yaml';
import type { HospitalChanges, NewHospital } from './hospitals.schema.ts';

const HEAD = { apiVersion: 'hms.dev/v1', kind: 'Hospital' } as const;

/** The manifest of a new hospital, with only what was entered. */
export function manifestOf({ prefix, name, ...spec }: NewHospital): object {
  return { ...HEAD, metadata: { name: prefix }, spec: { displayName: name, ...(withoutEmpty(spec) as object) } };
}

/** A merge patch: null removes a field, and what is missing stays. */
export function patchOf({ version: _, name, ...spec }: HospitalChanges): object {
  return { ...(name === undefined ? {} : { displayName: name }), ...spec };
}

export function asYaml(manifest: object): string {
  return stringify(manifest, { lineWidth: 0 });
}

/** What somebody would write to get this hospital, without what the API server and the operator add. */
export function manifestOfObject({ metadata, spec }: HospitalObject): string {
  const { paused } = ANNOTATION;
  const kept = metadata.annotations?.[paused];
  const annotations = kept === undefined ? {} : { annotations: { [paused]: kept } };
  return asYaml({ ...HEAD, metadata: { name: metadata.name, ...annotations }, spec });
}

/** Without nulls and without objects that have no other fields. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? undefined;
  const kept = Object.entries(value)
    .map(([key, part]) => [key, withoutEmpty(part)] as const)
    .filter(([, part]) => part !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
