/** Requests to routes of modules, made from their documents. */
import { newId } from '@hms/service';
import { createGenerator } from 'json-schema-faker';
import { type Operation, type Parameter, resolve, type Schema } from './operations.ts';

export interface Asked {
  readonly status: number;
  readonly text: string;
}

/** Sends a request. A stream of events is left as soon as it begins. @param id for each parameter of the path, and each that the query needs. */
export async function ask(
  url: string,
  { method, path, parameters }: Operation,
  { token, id, ...request }: { readonly token: string; readonly id: string } & RequestInit,
): Promise<Asked> {
  const stop = new AbortController();
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = new URLSearchParams(Object.fromEntries(needed.map(({ name }) => [name, id])));
  const answer = await fetch(`${url}${path.replaceAll(/\{\w+\}/g, id)}?${query}`, {
    method,
    signal: stop.signal,
    ...request,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...request.headers },
  }).catch((cause: unknown) => {
    throw new Error(`${method} ${path} got no answer`, { cause });
  });
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const text = isStream ? '' : await answer.text();
  if (isStream) stop.abort();
  return { status: answer.status, text: text.slice(0, 300) };
}

/** Whether the path of a route has the ID of a record. */
export function namesRecord({ parameters }: Operation): boolean {
  return parameters.some((parameter: Parameter) => parameter.in === 'path' && parameter.schema.format === 'uuid');
}

/** Where the record of a route is found: the path before the first ID. */
export function collectionOf({ path }: Operation): string {
  return path.includes('{') ? path.slice(0, path.indexOf('{')) : path;
}

/** Of fields that a schema says too little about, or that would take seconds to make up. */
const VALUES: Readonly<Record<string, unknown>> = {
  ...{ contentType: 'application/pdf', size: 1000, content: 'QUJD' },
  declared: { CASH: 0 },
};

/** The headers and the body of a request that its document allows, with what is required and nothing more. */
export async function requestTo(operation: Operation): Promise<RequestInit> {
  const { method, parameters } = operation;
  const isKeyed = parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key');
  const headers: Record<string, string> = isKeyed ? { 'idempotency-key': newId() } : {};
  const body = resolve(operation, operation.body);
  if (!body || method === 'GET' || method === 'DELETE') return { headers };
  const { properties = {}, required = [] } = body;
  const isMade = (field: string) => !(field in VALUES);
  const made = Object.fromEntries(Object.entries(properties).filter(([field]) => isMade(field)));
  const value = (await exampleOf(operation, {
    ...body,
    properties: made,
    required: required.filter(isMade),
  })) as object;
  const fixed = Object.fromEntries(Object.entries(VALUES).filter(([field]) => field in properties));
  return { headers, body: JSON.stringify({ ...value, ...fixed }) };
}

/** A value that a schema allows, the same each time. */
export function exampleOf({ components }: Operation, schema: Schema): Promise<unknown> {
  const generator = createGenerator({ seed: 1, optionalsProbability: 0, maxLength: 100, maxItems: 2 });
  return generator.generate({ ...schema, components } as never);
}
