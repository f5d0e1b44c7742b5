import type { ModuleDefinition, Platform } from '@hms/service';
import { appointmentRoutes } from './appointments.routes.ts';
import { Boards } from './boards.ts';
import { calendarRoutes } from './calendar.routes.ts';
import { closing } from './closing.ts';
import { queueFhirErrors, queueFhirRoutes } from './fhir/fhir.routes.ts';
import { holdEnd } from './holds.ts';
import { absence } from './no-show.ts';
import { offerTasks } from './offers.ts';
import { queueRoutes } from './queue.routes.ts';
import { streamRoutes } from './stream.routes.ts';
import { visitTypeRoutes } from './visit-types.routes.ts';
import { waitingListRoutes } from './waiting-list.routes.ts';

export function queueModule(platform: Pick<Platform, 'registry' | 'tenants' | 'sealer'>): ModuleDefinition {
  return {
    name: 'queue',
    version: '0.1.0',
    title: 'Appointments and queues',
    // Before the routes of one clinic, whose id is any text.
    routes: [
      ...[...appointmentRoutes, ...visitTypeRoutes, ...waitingListRoutes, ...queueFhirRoutes],
      ...[...calendarRoutes(platform), ...streamRoutes(new Boards(platform)), ...queueRoutes],
    ],
    errorFormats: [queueFhirErrors],
    tasks: [closing, absence, holdEnd, ...offerTasks],
  };
}
