/** The routes of a module as its OpenAPI document describes them, for tests of every route. */
import { moduleDocuments } from './documents.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
  readonly components: Components;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Raw>>>>;
  readonly components: Components;
}

interface Raw extends Pick<Operation, 'responses'> {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** All routes of a module. */
export async function operationsOf(module: string): Promise<readonly Operation[]> {
  const found = (await moduleDocuments()).find((one) => one.module === module);
  if (!found) throw new Error(`there is no module ${module}`);
  const { paths, components } = found.document as unknown as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody, parameters = [], responses }]) => ({
      ...{ method: method.toUpperCase(), path, parameters, responses, components },
      body: requestBody?.content['application/json']?.schema,
    })),
  );
}

/** What a schema refers to. The parts of an `allOf` are one schema. */
export function resolve({ components }: Operation, schema: Schema | undefined): Schema | undefined {
  const found = schema?.$ref ? components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  if (!found?.allOf) return found;
  const parts = found.allOf.map((part) => resolve({ components } as Operation, part) ?? {});
  return { ...found, properties: Object.assign({}, ...parts.map(({ properties }) => properties)) };
}
