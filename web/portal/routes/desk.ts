/** Pages of appointments, queues and displays. */
import { createRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { listSearch, maybe } from '../../kit/lists/list-search.ts';
import { pageWith } from '../../kit/ui/page.tsx';
import { portalPages } from '../pages/words.ts';
import { root } from './root.tsx';

const appointmentPage = pageWith(
  portalPages.appointments,
  portalPages.visitTypes,
  portalPages.queue,
  portalPages.clinics,
  portalPages.patients,
);
const queuePage = pageWith(portalPages.queue, portalPages.clinics, portalPages.patients);
const displayPage = pageWith(portalPages.displays, portalPages.clinics);

const appointments = createRoute({
  getParentRoute: () => root,
  path: '/appointments',
  validateSearch: z.object({
    doctor: maybe(z.uuid()),
    date: maybe(z.iso.date()),
    waiting: maybe(z.uuid()),
    patient: maybe(z.uuid()),
    view: maybe(z.enum(['day', 'week', 'doctors'])),
    clinic: maybe(z.uuid()),
  }),
  component: appointmentPage(
    'listAppointments',
    () => import('../pages/appointments/appointments.page.tsx'),
    'AppointmentsPage',
  ),
});

const today = createRoute({
  getParentRoute: () => root,
  path: '/today',
  component: appointmentPage('listAppointments', () => import('../pages/appointments/today.page.tsx'), 'TodayPage'),
});

const waitingList = createRoute({
  getParentRoute: () => root,
  path: '/waiting-list',
  validateSearch: z.object({ ...listSearch.shape, over: maybe(z.literal(true)) }),
  component: pageWith(
    portalPages.waitingList,
    portalPages.visitTypes,
    portalPages.clinics,
    portalPages.patients,
  )('listWaitingList', () => import('../pages/waiting-list/waiting-list.page.tsx'), 'WaitingListPage'),
});

const queue = createRoute({
  getParentRoute: () => root,
  path: '/queue',
  validateSearch: z.object({ clinic: maybe(z.uuid()), room: maybe(z.uuid()) }),
  component: queuePage('readQueue', () => import('../pages/queue/queue.page.tsx'), 'QueuePage'),
});

const displays = createRoute({
  getParentRoute: () => root,
  path: '/displays',
  validateSearch: listSearch,
  component: displayPage('listDisplays', () => import('../pages/displays/displays.page.tsx'), 'DisplaysPage'),
});

const newDisplay = createRoute({
  getParentRoute: () => root,
  path: '/displays/new',
  component: displayPage('createDisplay', () => import('../pages/displays/new-display.page.tsx'), 'NewDisplayPage'),
});

const display = createRoute({
  getParentRoute: () => root,
  path: '/displays/$id',
  component: displayPage('readDisplay', () => import('../pages/displays/display.page.tsx'), 'DisplayPage'),
});

export const deskRoutes = [appointments, today, waitingList, queue, displays, newDisplay, display] as const;
