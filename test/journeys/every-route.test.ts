/** What holds for every route of every module, from its document: a new route is tested without another line. */
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { BUILT_MODULES } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineOf } from '../openapi/documents.ts';
import { type Operation, operationsOf, type Parameter, resolve, type Schema } from '../openapi/operations.ts';
import { exampleOf } from '../openapi/requests.ts';
import { platform } from '../platform.ts';

/** The auth module asks Keycloak, and has suites of its own. */
const MODULES = BUILT_MODULES.filter(({ name }) => name !== 'auth').map(({ name }) => name);
/** The API server of the cluster, which the console of this suite has not, checks it with all other fields. */
const OF_THE_CLUSTER = 'prefix';
const NO_CLUSTER = 'CLUSTER_UNAVAILABLE';
const ID = '0198a5a0-0000-7000-8000-000000000000';

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly fields: readonly string[];
}

describe.each(MODULES)('%s', (name) => {
  let module: TestModule;
  let hospital: TestHospital;
  let operations: readonly Operation[];
  let token: string;

  beforeAll(async () => {
    const define = await defineOf(name);
    const databaseRole = name === 'console' ? 'console' : 'app';
    module = await startTestModule({ databaseUrls: platform().databaseUrls, databaseRole, define });
    hospital = await createTestHospital(module.operator, module.issuer);
    operations = await operationsOf(name);
    token =
      name === 'console' ? await module.issuer.sign('console', { roles: ['PLATFORM_ADMIN'] }) : await ownersToken();
  });
  afterAll(() => module?.close());

  /** Everybody's rights together, because each route is for somebody else. */
  const ownersToken = () =>
    hospital.token(['OWNER', 'DOCTOR', 'PHARMACIST', 'CASHIER', 'ACCOUNTANT', 'LAB_TECH', 'RECEPTION', 'NURSE']);

  async function send(
    { method, path }: Operation,
    { body, headers = {}, query = '' }: { body?: object; headers?: Record<string, string>; query?: string },
  ): Promise<Answer> {
    const stop = new AbortController();
    const answer = await fetch(`${module.url}${path.replaceAll(/\{\w+\}/g, ID)}${query}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(body ?? {}) }),
      signal: stop.signal,
    });
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      stop.abort();
      return { status: answer.status, code: undefined, fields: [] };
    }
    const text = await answer.text();
    const { error, issue } = (text.startsWith('{') ? JSON.parse(text) : {}) as {
      error?: { code: string; details?: { fields?: readonly { field: string }[] } };
      issue?: readonly { details: { text: string } }[];
    };
    const fields = (error?.details?.fields ?? []).map(({ field }) => field);
    return { status: answer.status, code: error?.code ?? issue?.[0]?.details.text, fields };
  }

  /** The name of a response lists its codes. */
  const isDocumented = ({ responses }: Operation, { status, code }: Answer) =>
    status < 400 || (responses[status]?.$ref?.split('/').at(-1)?.split('.') ?? []).includes(code ?? '');

  it('answers headers that are not right as its document says', async () => {
    const wrong: unknown[] = [];
    for (const operation of operations) {
      for (const [header, value] of [
        ['Idempotency-Key', 'two words'],
        ['If-Match', 'the last one'],
      ] as const) {
        const answer = await send(operation, { headers: { [header]: value } });
        const isRead = operation.parameters.some((parameter) => parameter.in === 'header' && parameter.name === header);
        const isRefused = answer.status === 400;
        if (!isDocumented(operation, answer) || (isRead && !isRefused))
          wrong.push([operation.method, operation.path, header, answer]);
      }
    }
    expect(operations.length).toBeGreaterThan(5);
    expect(wrong).toEqual([]);
  }, 120_000);

  it('names each field of a body that is missing, null, too long or of another type', async () => {
    const wrong: unknown[] = [];
    let tried = 0;
    for (const operation of operations) {
      const { properties = {}, required = [] } = resolve(operation, operation.body) ?? {};
      for (const [field, schema] of Object.entries(properties)) {
        for (const [what, value] of wrongValues(operation, schema, required.includes(field))) {
          const answer = await send(operation, { body: value === undefined ? {} : { [field]: value } });
          tried += 1;
          const isNamed = answer.fields.some((named) => named === field || named.startsWith(`${field}.`));
          if (name === 'console' && field === OF_THE_CLUSTER && what === 'too long') continue;
          if (answer.status !== 400 || !isNamed || !isDocumented(operation, answer))
            wrong.push([operation.method, operation.path, field, what, answer]);
        }
      }
    }
    expect(tried).toBeGreaterThan(name === 'report' ? 2 : 10);
    expect(wrong).toEqual([]);
  }, 300_000);

  it('has lists that page and sort, and that name a parameter that is not right', async () => {
    const wrong: unknown[] = [];
    const lists = operations.filter(({ method, parameters }) => method === 'GET' && has(parameters, 'page', 'limit'));
    for (const operation of lists) {
      const sort = operation.parameters.find((parameter) => parameter.name === 'sort');
      const queries: readonly (readonly [string, string])[] = [
        ['page', 'page=0'],
        ['limit', 'limit=many'],
        ...(sort ? [['sort', 'sort=of-no-field'] as const] : []),
      ];
      for (const [field, query] of queries) {
        const answer = await send(operation, { query: `?${query}` });
        if (answer.status !== 400 || !isDocumented(operation, answer)) wrong.push([operation.path, field, answer]);
      }
      for (const field of sortsOf(sort)) {
        const answer = await send(operation, { query: `?page=1&limit=5&sort=-${field}` });
        const isServed = answer.status === 200 || answer.code === NO_CLUSTER || operation.path.includes('{');
        if (!isServed) wrong.push([operation.path, field, answer]);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('has lists that each filter narrows, and that name a filter whose value is not one of its own', async () => {
    const wrong: unknown[] = [];
    const lists = operations.filter(({ method, parameters }) => method === 'GET' && has(parameters, 'page', 'limit'));
    for (const operation of lists) {
      for (const { name: field, schema } of operation.parameters.filter(isFilter)) {
        // Any day before is more than a year ago for some lists.
        const value = schema.format === 'date' ? TODAY : await exampleOf(operation, schema);
        const answer = await send(operation, { query: `?${new URLSearchParams({ [field]: String(value) })}` });
        const isServed = answer.status === 200 || answer.code === NO_CLUSTER || operation.path.includes('{');
        if (!isServed || !isDocumented(operation, answer)) wrong.push([operation.path, field, value, answer]);
        if (!isClosed(operation, schema)) continue;
        const refused = await send(operation, { query: `?${field}=none-of-them` });
        if (refused.status !== 400 || !refused.fields.includes(field)) wrong.push([operation.path, field, refused]);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);
});

const TODAY = new Date().toISOString().slice(0, 10);
const isFilter = ({ name, in: place }: Parameter) =>
  place === 'query' && !['page', 'limit', 'sort', 'format'].includes(name);

/** Whether a field takes only values that can be told from others. */
function isClosed(operation: Operation, schema: Schema): boolean {
  return formsOf(operation, schema).every(
    ({ type, format, enum: values }) =>
      values || format === 'uuid' || format === 'date' || type === 'integer' || type === 'boolean',
  );
}

const has = (parameters: readonly Parameter[], ...names: readonly string[]) =>
  names.every((name) => parameters.some((parameter) => parameter.in === 'query' && parameter.name === name));

/** The fields that a list can be sorted by, from the pattern of its parameter. */
function sortsOf(sort: Parameter | undefined): readonly string[] {
  const { pattern = '' } = (sort?.schema ?? {}) as { readonly pattern?: string };
  return /\(\?:([\w|]+)\)/.exec(pattern)?.[1]?.split('|') ?? [];
}

/** Values that a field must refuse, each with what it is. `undefined` leaves the field out. */
function wrongValues(
  operation: Operation,
  schema: Schema,
  isRequired: boolean,
): readonly (readonly [string, unknown])[] {
  const forms = formsOf(operation, schema);
  const types = new Set(forms.flatMap(({ type, enum: values, const: only }) => type ?? typesOf(values ?? [only])));
  const has = (type: string) => types.has(type) || types.has('unknown');
  const longest = Math.max(...forms.map(({ maxLength }) => maxLength ?? Number.NaN));
  return [
    ...(isRequired ? [['missing', undefined] as const] : []),
    ...(has('null') ? [] : [['null', null] as const]),
    ...(has('array') ? [] : [['a list', [[]]] as const]),
    ...(has('object') ? [] : [['an object', { of: 'another type' }] as const]),
    ...(has('boolean') ? [] : [['true', true] as const]),
    ...(Number.isFinite(longest) ? [['too long', 'x'.repeat(longest + 1)] as const] : []),
  ];
}

function formsOf(operation: Operation, schema: Schema): readonly Schema[] {
  const found = resolve(operation, schema) ?? {};
  const parts = [...(found.anyOf ?? []), ...(found.oneOf ?? [])];
  return parts.length === 0 ? [found] : parts.flatMap((part) => formsOf(operation, part));
}

function typesOf(values: readonly unknown[]): readonly string[] {
  return values.map((value) => (value === null ? 'null' : value === undefined ? 'unknown' : typeof value));
}
