/** For tests: a module as a process, with a request and a task that never end. */
import { z } from 'zod';
import { route } from '../route.ts';
import { startModule } from '../start.ts';
import { task } from '../tasks/task.ts';
import { roomsModule } from './rooms.ts';

const forever = new Promise<never>(() => undefined);

await startModule({
  name: 'rooms',
  define: () => ({
    ...roomsModule,
    routes: [
      ...roomsModule.routes,
      route({
        method: 'POST',
        path: '/api/rooms/endless',
        summary: 'Adds a room, and never ends',
        access: 'authenticated',
        response: z.null(),
        handler: async ({ trx, log }) => {
          await trx.query(
            `INSERT INTO example_rooms (id, room_code, name, floor, created_by, updated_by)
             VALUES (gen_random_uuid(), 'x', 'x', 0, 'x', 'x')`,
          );
          log.info('endless request');
          return forever;
        },
      }),
    ],
    tasks: [
      task({
        name: 'test-endless',
        input: z.object({}),
        prepare: ({ log }) => {
          log.info('endless task');
          return forever;
        },
        run: async () => undefined,
      }),
    ],
  }),
});
