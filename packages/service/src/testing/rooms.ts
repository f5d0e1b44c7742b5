/** For tests: a module with one plain record, as a new module would declare it. */
import { TENANT_SCHEMA_VERSION } from '@hms/database';
import { z } from 'zod';
import { Problem } from '../errors.ts';
import { idParams, line } from '../fields.ts';
import type { ModuleDefinition } from '../module.ts';
import { record } from '../records/record.ts';
import { records } from '../records/records.ts';
import { resource } from '../records/resource.ts';
import { since } from '../records/traits.ts';
import { route, single } from '../route.ts';

export const ROOMS_TABLE = `
  CREATE TABLE example_rooms (
    id uuid PRIMARY KEY,
    hospital_id own_hospital_id,
    room_code text NOT NULL UNIQUE,
    name text NOT NULL CONSTRAINT rooms_name_key UNIQUE,
    floor integer NOT NULL,
    notes text,
    equipment jsonb,
    status text NOT NULL DEFAULT 'free',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    created_by text NOT NULL,
    updated_by text NOT NULL,
    version integer NOT NULL DEFAULT 1,
    deleted_at timestamptz
  )`;
/** The next migration, which this version's code already knows. */
export const ROOMS_NEXT = 'ALTER TABLE example_rooms ADD beds integer';

const ROOM_NAME_TAKEN = { status: 409, code: 'ROOM_NAME_TAKEN', message: 'Another room has this name' } as const;

export const rooms = record('example_rooms', {
  name: 'room',
  code: { field: 'roomCode', series: 'room', letters: 'ROOM' },
  fields: {
    name: line(50),
    floor: z.int().min(-5).max(200).default(0),
    notes: line(200).nullish(),
    equipment: z.array(line(50)).nullish(),
    beds: since(TENANT_SCHEMA_VERSION + 1, z.int().min(0).nullish()),
  },
  states: { free: ['occupied', 'closed'], occupied: ['free'], closed: ['free'] },
  sort: ['name', 'floor'],
  filters: ['name', 'floor', 'roomCode', 'status'],
  constraints: { rooms_name_key: ROOM_NAME_TAKEN },
  auditReads: true,
  live: true,
});

const FULL = { status: 409, code: 'HOSPITAL_FULL', message: 'All rooms are taken' } as const;
const states = z.object({ status: z.enum(['free', 'occupied', 'closed']), refuse: z.boolean().optional() });

export const roomsModule: ModuleDefinition = {
  name: 'rooms',
  version: '1.0.0',
  title: 'Rooms',
  routes: [
    ...resource(rooms, {
      path: '/api/rooms/rooms',
      access: { read: 'patients.read', write: 'patients.read', remove: 'patients.delete' },
    }),
    route({
      method: 'POST',
      path: '/api/rooms/rooms/:id/status',
      summary: 'Move a room to another state',
      access: 'patients.read',
      params: idParams,
      body: states,
      response: rooms.item,
      errors: [rooms.notFound, FULL],
      handler: async (context) => {
        const own = records(context, rooms);
        const moved = await own.moveTo(await own.lock(context.params.id, context.version), context.body.status);
        if (context.body.refuse) throw new Problem(FULL);
        return single(moved);
      },
    }),
    route({
      method: 'GET',
      path: '/api/rooms/names.csv',
      summary: 'Names of all rooms, from the replica',
      access: 'patients.read',
      database: 'replica',
      response: z.string(),
      contentType: 'text/csv',
      handler: async ({ trx }) => ({
        contentType: 'text/csv; charset=utf-8',
        headers: { 'Content-Disposition': 'attachment; filename="rooms.csv"' },
        body: (async function* lines() {
          yield 'name\r\n';
          for (const { name } of await trx.query<{ name: string }>('SELECT name FROM example_rooms ORDER BY name')) {
            yield `${name}\r\n`;
          }
        })(),
      }),
    }),
    route({
      method: 'GET',
      path: '/api/rooms/write',
      summary: 'Writes on the replica, which refuses it',
      access: 'patients.read',
      database: 'replica',
      response: z.null(),
      handler: async ({ trx }) => {
        await trx.query("UPDATE example_rooms SET name = 'x'");
        return { data: null };
      },
    }),
    route({
      method: 'GET',
      path: '/api/rooms/fhir/:id',
      summary: 'A room in a format with errors of its own',
      access: 'patients.read',
      params: idParams,
      response: z.object({ resourceType: z.string() }),
      bare: true,
      contentType: 'application/fhir+json',
      errorFormat: {
        contentType: 'application/fhir+json',
        schema: z.object({ resourceType: z.literal('OperationOutcome') }),
        render: ({ kind, message }) => ({
          resourceType: 'OperationOutcome',
          issue: [{ code: kind.code, diagnostics: message }],
        }),
      },
      handler: async (context) => {
        const { id } = await records(context, rooms).read(context.params.id);
        return { data: { resourceType: 'Location', id } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/rooms/together',
      summary: 'Adds a room only if there are fewer than two, in a serializable transaction',
      access: 'patients.read',
      body: z.object({ name: line(50) }),
      response: z.object({ rooms: z.int() }),
      serializable: true,
      handler: async (context) => {
        const [{ count = 0 } = {}] = await context.trx.query<{ count: number }>(
          'SELECT count(*) AS count FROM example_rooms',
        );
        if (count < 2) await records(context, rooms).insert({ name: context.body.name, floor: 0 });
        return { data: { rooms: Math.min(2, count + 1) } };
      },
    }),
  ],
};
