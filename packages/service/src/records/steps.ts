/** Routes that take a record one step further, such as from draft to active. */
import type { Permission } from '@hms/tenancy';
import { z } from 'zod';
import { type ErrorKind, INVALID_STATE, STALE_VERSION } from '../errors.ts';
import { idParams, version } from '../fields.ts';
import { type RequestContext, type Route, route, single } from '../route.ts';
import { type RecordDefinition, typeName } from './record.ts';

interface StepsOptions<Item, Response extends z.ZodType> {
  /** Of the resource, for example `/api/hms/drugs`. */
  readonly path: string;
  readonly access: Permission;
  /** Schema of the record as clients see it. */
  readonly response: Response;
  /** What clients see of a record. */
  show(context: RequestContext, item: Item): z.output<Response> | Promise<z.output<Response>>;
}

interface Step<Item, Body extends z.ZodType> {
  readonly summary: string;
  readonly description?: string;
  /** Default: the version, which can be left out. */
  readonly body?: Body;
  /** Besides an unknown record, a state that does not allow the step, and an old version. */
  readonly errors?: readonly ErrorKind[];
  run(context: RequestContext, id: string, body: z.output<Body>): Promise<Item>;
}

const onlyVersion = z.object({ version }).optional();

/**
 * @returns a function that declares `POST <path>/:id/<verb>`, which answers with the record.
 */
export function stepsOf<Item, Response extends z.ZodType>(
  { name, notFound }: Pick<RecordDefinition, 'name' | 'notFound'>,
  { path, access, response, show }: StepsOptions<Item, Response>,
) {
  return <Body extends z.ZodType = typeof onlyVersion>(
    verb: string,
    { body, errors = [], run, ...declared }: Step<Item, Body>,
  ): Route =>
    route({
      method: 'POST',
      path: `${path}/:id/${verb}`,
      operationId: `${verb.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())}${typeName(name)}`,
      access,
      ...declared,
      params: idParams,
      body: (body ?? onlyVersion) as Body,
      response,
      errors: [notFound, INVALID_STATE, STALE_VERSION, ...errors],
      handler: async (context) =>
        single(await show(context, await run(context, context.params.id, context.body as z.output<Body>))),
    });
}
