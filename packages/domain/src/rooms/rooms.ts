/**
 * Rooms of clinics, where doctors see people: the table `rooms`.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the room, the clinic.
 */
import { build } from '@hms/database';
import { type ErrorKind, type Feed, fields, Problem, record, records, ref, type Work } from '@hms/service';
import type { z } from 'zod';

const ROOM_CODE_TAKEN: ErrorKind = {
  status: 409,
  code: 'ROOM_CODE_TAKEN',
  message: 'Another room has this code: choose another one',
  field: 'code',
};

export const rooms = record('rooms', {
  name: 'room',
  fields: {
    code: fields.line(20).describe('Short and unique, such as `ENT-1-2`'),
    name: fields.line(100),
    clinicId: ref('clinics').describe('The clinic to which it belongs'),
    location: fields.line(200).nullish().describe('Where people find it'),
  },
  sort: ['name'],
  defaultSort: 'name',
  filters: ['code', 'clinicId'],
  search: {},
  constraints: { rooms_code: ROOM_CODE_TAKEN },
  live: true,
});
export type Room = z.output<typeof rooms.item>;

export const ROOM_NOT_FOUND: ErrorKind = rooms.notFound;

/** A room that is used, and is not deleted until the transaction ends. @throws Problem ROOM_NOT_FOUND */
export async function useRoom(work: Work, id: string): Promise<Room> {
  await work.trx.query('SELECT FROM rooms WHERE id = $1 FOR SHARE', [id]);
  const room = await records(work, rooms).find(id);
  if (!room || room.deletedAt !== undefined) throw new Problem(ROOM_NOT_FOUND);
  return room;
}

/** The rooms of a clinic, by name. */
export async function roomsOf(work: Work, clinicId: string): Promise<readonly Room[]> {
  const rows = build.from('rooms').whereNull('deleted_at').where('clinic_id', clinicId);
  const found = await work.trx.run<{ id: string }>(rows.select('id').orderBy('name').orderBy('id'));
  const all = await records(work, rooms).byIds(found.map(({ id }) => id));
  return found.flatMap(({ id }) => all.find((room) => room.id === id) ?? []);
}

/** Rooms in the order of their last change. */
export const roomFeed: Feed<'code' | 'name'> = {
  rows: () => build.from('rooms').whereNull('deleted_at'),
  id: 'id',
  changedAt: 'updated_at',
  fields: { code: 'code', name: 'name' },
};
