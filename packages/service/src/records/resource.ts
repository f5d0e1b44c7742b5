/** The usual routes of a record: list, create, read, change, delete, and steps from one state to another. */
import type { Permission } from '@hms/tenancy';
import { z } from 'zod';
import { TOO_MANY_STREAMS } from '../changes/streams.ts';
import { type ErrorKind, missingPermission, STALE_VERSION } from '../errors.ts';
import { idParams, versionParameter } from '../fields.ts';
import { type DataReply, type RequestContext, type Route, route, single } from '../route.ts';
import { type RecordDefinition, type RecordQuery, type RecordSchemas, type Standard, typeName } from './record.ts';
import { records } from './records.ts';
import { demandUnused, INVALID_REFERENCE, type Users } from './references.ts';
import { stepsOf } from './steps.ts';

type Declared<
  ItemType extends Standard,
  State extends string,
  Fields extends Readonly<Record<string, z.ZodType>>,
> = RecordDefinition<ItemType, State> & RecordSchemas<Fields>;

/** What a route does in place of the usual. */
interface Own<Run> {
  readonly summary?: string;
  readonly description?: string;
  /** Schema of `data`. Default: the record. */
  readonly response?: z.ZodType;
  /** Besides those of the record's constraints and references. */
  readonly errors?: readonly ErrorKind[];
  run?(...parameters: Run extends (...parameters: infer P) => unknown ? P : never): Promise<unknown>;
}

interface OwnRemoval
  extends Own<(context: RequestContext, id: string, query: Readonly<Record<string, unknown>>) => unknown> {
  /** Parameters beside the version. */
  readonly query?: Readonly<Record<string, z.ZodType>>;
  /** Who uses the record besides those who refer to it. */
  readonly users?: Users;
}

/** A step to another state: `POST …/:id/<verb>`. */
interface Step<State extends string> {
  readonly to: State;
  readonly summary: string;
  readonly description?: string;
}

export interface ResourceOptions<
  State extends string,
  Fields extends Readonly<Record<string, z.ZodType>>,
  Body extends z.ZodType = RecordSchemas<Fields>['create'],
  Changes extends z.ZodType = RecordSchemas<Fields>['changes'],
> {
  /** For example `/api/hms/patients`. */
  readonly path: string;
  /** Without a permission for `remove`, records are never deleted. */
  readonly access: {
    readonly read: Permission;
    readonly write: Permission;
    readonly remove?: Permission;
  };
  /** What a list is filtered by, from the filters of its query. Default: these. */
  readonly listed?: (filters: RecordQuery['filters']) => RecordQuery['filters'];
  readonly list?: {
    /** Default: the record's. */
    readonly query?: z.ZodType<RecordQuery>;
    /** Schema of one of the list. Default: the record. */
    readonly response?: z.ZodType;
    readonly description?: string;
    run(context: RequestContext, query: RecordQuery): Promise<DataReply<unknown[]>>;
  };
  readonly create?: Own<(context: RequestContext, body: z.output<Body>) => unknown> &
    Pick<Route, 'keyDemandable'> & { readonly body?: Body };
  readonly read?: Own<(context: RequestContext, id: string) => unknown>;
  readonly update?: Own<(context: RequestContext, id: string, changes: z.output<Changes>) => unknown> & {
    readonly body?: Changes;
  };
  readonly remove?: OwnRemoval;
  /** By verb. */
  readonly steps?: Readonly<Record<string, Step<State>>>;
}

export function resource<
  ItemType extends Standard,
  State extends string,
  Fields extends Readonly<Record<string, z.ZodType>>,
  Body extends z.ZodType = RecordSchemas<Fields>['create'],
  Changes extends z.ZodType = RecordSchemas<Fields>['changes'],
>(
  record: Declared<ItemType, State, Fields>,
  options: ResourceOptions<NoInfer<State>, Fields, Body, Changes>,
): readonly Route[] {
  const { path, access, listed, list, create, read, update, remove, steps = {} } = options;
  const { name, item, notFound, table } = record;
  const one = withArticle(name);
  const isReferring = record.columns.some(({ refersTo }) => refersTo !== undefined);
  const refusals = [...record.refusals, ...(isReferring ? [INVALID_REFERENCE] : [])];
  const plural = table.replaceAll('_', ' ');
  const type = typeName(name);
  return [
    ...(record.live ? [changesRoute(path, record, access.read)] : []),
    route({
      method: 'GET',
      path,
      operationId: `list${typeName(table)}`,
      summary: `List ${plural}`,
      ...(list?.description === undefined ? {} : { description: list.description }),
      access: access.read,
      query: list?.query ?? record.query,
      response: z.array((list?.response as typeof item | undefined) ?? item),
      paged: true,
      handler: async (context) => {
        const deletedOnes = access.remove ?? access.write;
        if (context.query.includeDeleted && !context.caller.permissions.has(deletedOnes))
          throw missingPermission(deletedOnes);
        if (list) return (await list.run(context, context.query)) as DataReply<ItemType[]>;
        const { filters } = context.query;
        return records(context, record).list({ ...context.query, filters: listed?.(filters) ?? filters });
      },
    }),
    route({
      method: 'POST',
      path,
      operationId: `create${type}`,
      summary: `Create ${one}`,
      access: access.write,
      response: item,
      status: 201,
      ...described(create, ...refusals),
      ...(create?.keyDemandable ? { keyDemandable: true } : {}),
      body: create?.body ?? record.create,
      handler: async (context) =>
        single(
          await (create?.run?.(context, context.body as z.output<Body>) ??
            records(context, record).insert(context.body as object as Readonly<Record<string, unknown>>)),
        ),
    }),
    route({
      method: 'GET',
      path: `${path}/:id`,
      operationId: `read${type}`,
      summary: `Read ${one}`,
      access: access.read,
      params: idParams,
      response: item,
      ...described(read, notFound),
      handler: async (context) => {
        const { id } = context.params;
        return single(await (read?.run?.(context, id) ?? records(context, record).read(id)));
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/:id`,
      operationId: `change${type}`,
      summary: `Change ${one}`,
      access: access.write,
      params: idParams,
      response: item,
      ...described(update, notFound, STALE_VERSION, ...refusals),
      body: update?.body ?? record.changes,
      handler: async (context) => {
        const { id } = context.params;
        if (update?.run) return single(await update.run(context, id, context.body as z.output<Changes>));
        const own = records(context, record);
        const changes = context.body as object as Readonly<Record<string, unknown>>;
        return single(await own.update(await own.lock(id, context.version), changes));
      },
    }),
    ...(access.remove ? [removeRoute(record, path, access.remove, remove)] : []),
    ...stepRoutes(record, path, access.write, steps),
  ];
}

function removeRoute<ItemType extends Standard, State extends string>(
  record: RecordDefinition<ItemType, State>,
  path: string,
  access: Permission,
  remove: OwnRemoval = {},
): Route {
  const { name, item, notFound, inUse } = record;
  const one = withArticle(name);
  return route({
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: `delete${typeName(name)}`,
    summary: `Delete ${one}`,
    access,
    params: idParams,
    query: z.object({ version: versionParameter, ...remove.query }),
    response: item,
    ...described(remove, notFound, STALE_VERSION, ...(remove.run ? [] : [inUse])),
    handler: async (context) => {
      const { id } = context.params;
      if (remove.run) return single(await remove.run(context, id, context.query));
      const own = records(context, record);
      const locked = await own.lock(id, context.version);
      await demandUnused(context, record, id, remove.users);
      return single(await own.remove(locked));
    },
  });
}

function stepRoutes<ItemType extends Standard, State extends string>(
  record: RecordDefinition<ItemType, State>,
  path: string,
  access: Permission,
  steps: Readonly<Record<string, Step<State>>>,
): readonly Route[] {
  const step = stepsOf(record, { path, access, response: record.item, show: (_, item: ItemType) => item });
  return Object.entries(steps).map(([verb, { to, ...declared }]) =>
    step(verb, {
      ...declared,
      run: async (context, id) => {
        const own = records(context, record);
        return own.moveTo(await own.lock(id, context.version), to);
      },
    }),
  );
}

/** Tells live lists what changes. It comes before the route of one record, whose id is any text. */
export function changesRoute(path: string, { table, name }: RecordDefinition, access: Permission): Route {
  return route({
    method: 'GET',
    path: `${path}/changes`,
    operationId: `follow${typeName(table)}`,
    summary: `Follow changes of ${table.replaceAll('_', ' ')}`,
    description: `Server-sent events. Each event \`change\` has the id of ${withArticle(name)} that was created, changed or deleted. Read the list at each event \`reset\`: the first one says that no later change is missed, another one that changes may have been. The stream ends with the token.`,
    access,
    database: 'none',
    response: z.string().describe('Events, one after the other'),
    contentType: 'text/event-stream',
    errors: [TOO_MANY_STREAMS],
    handler: async (context) => ({
      contentType: 'text/event-stream; charset=utf-8',
      // For proxies that would collect the response.
      headers: { 'X-Accel-Buffering': 'no' },
      body: await context.followChanges(table),
    }),
  });
}

function described(own: Own<never> | undefined, ...errors: readonly ErrorKind[]) {
  return {
    ...(own?.summary === undefined ? {} : { summary: own.summary }),
    ...(own?.description === undefined ? {} : { description: own.description }),
    ...(own?.response === undefined ? {} : { response: own.response }),
    errors: [...errors, ...(own?.errors ?? [])],
  };
}

function withArticle(name: string): string {
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}
