import { hasAppointments } from '@hms/domain/appointments';
import { CLINIC_INACTIVE, CLINIC_NOT_FOUND, holdClinic } from '@hms/domain/clinics';
import { isRoomBusy } from '@hms/domain/queue';
import { ROOM_IN_USE, roomErrors, rooms } from '@hms/domain/rooms';
import { isScheduled } from '@hms/domain/schedules';
import { type RequestContext, type Route, records, resource } from '@hms/service';
import { demandUnused } from '../in-use.ts';

const errors = [...roomErrors, CLINIC_NOT_FOUND, CLINIC_INACTIVE];

export const roomRoutes: readonly Route[] = resource(rooms, {
  path: '/api/hms/rooms',
  access: { read: 'rooms.read', write: 'rooms.write', remove: 'rooms.write' },
  create: {
    errors,
    run: async (context, body) => {
      await holdClinic(context, body.clinicId);
      return records(context, rooms).insert(body);
    },
  },
  update: {
    description: 'A room with schedules, or with somebody in it, stays in its clinic: 409 `ROOM_IN_USE`.',
    errors: [...errors, ROOM_IN_USE],
    run: async (context, id, changes) => {
      const own = records(context, rooms);
      const room = await own.lock(id, context.version);
      if (changes.clinicId !== undefined && changes.clinicId !== room.clinicId) {
        await holdClinic(context, changes.clinicId);
        await demandFree(context, id);
      }
      return own.update(room, changes);
    },
  },
  remove: {
    summary: 'Delete a room that nothing uses',
    errors: [ROOM_IN_USE],
    run: async (context, id) => {
      const own = records(context, rooms);
      const room = await own.lock(id, context.version);
      await demandFree(context, id);
      return own.remove(room);
    },
  },
});

function demandFree(context: RequestContext, id: string): Promise<void> {
  return demandUnused(ROOM_IN_USE, {
    appointments: hasAppointments(context, { room_id: id }),
    queue: isRoomBusy(context, id),
    schedules: isScheduled(context, { room_id: id }),
  });
}
