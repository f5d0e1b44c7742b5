/** For tests: a module with routes of each kind. */
import { z } from 'zod';
import { DEFAULT_BODY_LIMIT } from '../body.ts';
import { declareConstraints } from '../database-errors.ts';
import { line } from '../fields.ts';
import { listQuery } from '../lists.ts';
import type { ModuleDefinition } from '../module.ts';
import { route } from '../route.ts';

const EXAMPLE_TAKEN = { status: 409, code: 'EXAMPLE_TAKEN', message: 'There is one already' } as const;

declareConstraints({ counters_pkey: EXAMPLE_TAKEN });

export const exampleModule: ModuleDefinition = {
  name: 'example',
  version: '1.2.3',
  title: 'Example',
  routes: [
    route({
      method: 'GET',
      path: '/api/example/schema',
      summary: 'Who PostgreSQL sees, and where it looks',
      access: 'patients.read',
      response: z.object({ role: z.string(), schema: z.string(), sub: z.string() }),
      handler: async ({ trx, caller }) => {
        const [row] = await trx.query<{ role: string; schema: string }>(
          'SELECT current_user AS role, current_schema() AS schema',
        );
        return { data: { role: '', schema: '', ...row, sub: caller.sub } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/example/echo',
      summary: 'Returns what was sent',
      access: 'public',
      body: z.looseObject({ text: z.string().optional() }),
      bodyLimit: DEFAULT_BODY_LIMIT,
      response: z.unknown(),
      status: 201,
      handler: async ({ body, clientAddress }) => ({ data: { body, clientAddress } }),
    }),
    route({
      method: 'POST',
      path: '/api/example/note',
      summary: 'Takes one short line',
      access: 'public',
      body: z.object({ line: line(254) }),
      bodyLimit: 1024 * 1024,
      response: z.string(),
      handler: async ({ body }) => ({ data: body.line }),
    }),
    route({
      method: 'GET',
      path: '/api/example/list',
      summary: 'What a list is asked for',
      access: 'public',
      query: listQuery({ sort: ['name'], defaultSort: 'name', filters: { name: z.string() }, hasSearch: true }),
      response: z.unknown(),
      paged: true,
      handler: async ({ query }) => ({ data: query, meta: { page: query.page, limit: query.limit, total: 0 } }),
    }),
    route({
      method: 'GET',
      path: '/api/example/endless',
      summary: 'Counts for hours',
      access: 'patients.read',
      response: z.null(),
      handler: async ({ trx }) => {
        await trx.query('SET LOCAL statement_timeout = 0');
        await trx.query("SELECT 'endless', count(*) FROM generate_series(1, 100000000000)");
        return { data: null };
      },
    }),
    route({
      method: 'POST',
      path: '/api/example/fail/:how',
      summary: 'Fails',
      access: 'patients.read',
      params: z.object({ how: z.string() }),
      response: z.null(),
      errors: [EXAMPLE_TAKEN],
      handler: async ({ trx, params: { how } }) => {
        if (how === 'code') throw new Error('secret detail');
        if (how === 'sql') await trx.query("SELECT 'patient Jane'::uuid");
        if (how === 'busy') {
          await trx.query('SET LOCAL statement_timeout = 1');
          await trx.query('SELECT count(*) FROM generate_series(1, 100000000)');
        }
        if (how === 'constraint')
          await trx.query("INSERT INTO counters (series, value) VALUES ('example', 1), ('example', 1)");
        return { data: null };
      },
    }),
  ],
};
