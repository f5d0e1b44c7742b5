import { hasAppointments } from '@hms/domain/appointments';
import { isRoomBusy } from '@hms/domain/queue';
import { rooms } from '@hms/domain/rooms';
import { isScheduled } from '@hms/domain/schedules';
import { demandUnused, type Route, records, resource, type Users } from '@hms/service';

const users: Users = {
  appointments: (work, id) => hasAppointments(work, { room_id: id }),
  queue_entries: isRoomBusy,
  schedules: (work, id) => isScheduled(work, { room_id: id }),
};

export const roomRoutes: readonly Route[] = resource(rooms, {
  path: '/api/hms/rooms',
  access: { read: 'rooms.read', write: 'rooms.write', remove: 'rooms.write' },
  update: {
    description: 'A room with schedules, or with somebody in it, stays in its clinic: 409 `ROOM_IN_USE`.',
    errors: [rooms.inUse],
    run: async (context, id, changes) => {
      const own = records(context, rooms);
      const room = await own.lock(id, context.version);
      if (changes.clinicId !== undefined && changes.clinicId !== room.clinicId)
        await demandUnused(context, rooms, id, users);
      return own.update(room, changes);
    },
  },
  remove: { summary: 'Delete a room that nothing uses', users },
});
