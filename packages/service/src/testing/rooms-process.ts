/** For tests: the module `rooms` as a process, which a test can kill. */
import { startModule } from '../start.ts';
import { roomsModule } from './rooms.ts';

await startModule({ name: 'rooms', define: () => roomsModule });
