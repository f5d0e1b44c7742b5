/** The definition of hospitals that this hmsctl knows, to compare with the one that a cluster serves. */
import fs from 'node:fs';
import path from 'node:path';
import { PROJECT } from '@hms/local';
import leven from 'leven';
import { parse } from 'yaml';

/** The part of an OpenAPI schema that is read here. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

export interface Definition {
  readonly spec: {
    readonly versions: readonly { readonly name: string; readonly schema?: { readonly openAPIV3Schema?: Schema } }[];
  };
}

export const DEFINITION_NAME = 'hospitals.hms.dev';

/** All fields that may be written, with their types, such as `spec.theme.primaryColor` with `string`. */
export function fieldsOf(definition: Definition): Map<string, string> {
  const schema = definition.spec.versions.find(({ name }) => name === 'v1')?.schema?.openAPIV3Schema;
  const spec = schema?.properties?.spec;
  return new Map(spec ? below(spec, 'spec') : []);
}

function below(schema: Schema, place: string): [string, string][] {
  const own: [string, string] = [place, schema.type ?? 'object'];
  const children = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => below(child, `${place}.${name}`));
  const items = schema.items ? below(schema.items, place).slice(1) : [];
  return [own, ...children, ...items];
}

/** The fields of the definition beside this hmsctl. */
export function knownFields(): Map<string, string> {
  const file = path.join(PROJECT, 'crds', `${DEFINITION_NAME}.yaml`);
  return fieldsOf(parse(fs.readFileSync(file, 'utf8')) as Definition);
}

/**
 * The sentence for a refusal of fields that the API server does not know: they are of another release, or misspelt.
 * @returns undefined if the message is about something else.
 */
export function unknownFields(message: string): string | undefined {
  const found = [
    ...message.matchAll(/unknown field "([^"]+)"/g),
    ...message.matchAll(/\.([\w.[\]-]+): field not declared in schema/g),
  ].map(([, name = '']) => name);
  if (found.length === 0) return undefined;
  const known = knownFields();
  const sentences = [...new Set(found)].map((name) => {
    const field = name.replace(/\[[^\]]*\]/g, '');
    if (known.has(field))
      return `this platform is of another version: it does not know ${name}, which this hmsctl does. Remove the field, or upgrade the platform.`;
    const near = nearest(field, [...known.keys()]);
    return `${name} is not a field of a hospital${near ? `: did you mean ${near}?` : ': remove it.'}`;
  });
  return sentences.join(' ');
}

/** @returns the name that is most like the given one, or undefined if none is. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  const lower = name.toLowerCase();
  const ranked = [...names]
    .map((known) => ({ known, distance: leven(lower, known.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(2, name.length / 3) ? best.known : undefined;
}
