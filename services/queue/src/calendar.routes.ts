/** Doctors' calendars in programs of others: the feed behind a secret link, and the link itself. */
import * as domain from '@hms/domain/calendars';
import { NOT_A_DOCTOR } from '@hms/domain/employees';
import {
  admitted,
  type ErrorKind,
  HOSPITAL_SUSPENDED,
  type Platform,
  Problem,
  type Route,
  route,
  type Work,
  workFor,
} from '@hms/service';
import { z } from 'zod';

const CALENDAR = 'text/calendar; charset=utf-8';
const LINK = '/api/queue/calendar-link';

/** The same for every link that opens nothing, so that nobody learns whether it ever did. */
const CALENDAR_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'CALENDAR_NOT_FOUND',
  message: 'There is no calendar at this address: create another link in the portal',
};

export function calendarRoutes(platform: Pick<Platform, 'registry' | 'tenants' | 'sealer'>): readonly Route[] {
  return [feedRoute(platform), ...LINK_ROUTES];
}

function feedRoute(platform: Pick<Platform, 'registry' | 'tenants' | 'sealer'>): Route {
  /** @throws Problem CALENDAR_NOT_FOUND unless people can work in the hospital. */
  async function within<T>(prefix: string, work: (work: Work) => Promise<T>): Promise<T> {
    const hospital = await platform.registry.byPrefix(prefix);
    if (hospital?.state !== 'Active') throw new Problem(CALENDAR_NOT_FOUND);
    return admitted(platform, hospital, () => workFor(platform, hospital, 'calendar', work)).catch((error: unknown) => {
      throw error instanceof Problem && error.kind === HOSPITAL_SUSPENDED ? new Problem(CALENDAR_NOT_FOUND) : error;
    });
  }
  return route({
    method: 'GET',
    path: `${domain.CALENDAR_PATH}/:hospital/:secret`,
    operationId: 'readDoctorCalendar',
    summary: 'The appointments of a doctor, in the format iCalendar',
    description:
      'For a program with a calendar, which has the secret and no token. Nobody is named in it. With If-None-Match, the answer is 304 if nothing has changed.',
    access: 'public',
    params: z.object({ hospital: z.string(), secret: z.string() }),
    response: z.string(),
    contentType: CALENDAR,
    errors: [CALENDAR_NOT_FOUND],
    handler: async (context) => {
      const { hospital, secret } = context.params;
      const calendar = await within(hospital, (work) => domain.readDoctorCalendar(work, secret));
      if (!calendar) throw new Problem(CALENDAR_NOT_FOUND);
      // A copy may be kept, if the program asks each time whether it is still right.
      const headers = { ETag: calendar.etag, 'Cache-Control': 'private, no-cache' };
      if (context.hasAlready(calendar.etag)) return { status: 304, headers, contentType: CALENDAR, body: '' };
      return { headers, contentType: CALENDAR, body: calendar.text() };
    },
  });
}

const LINK_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: LINK,
    summary: 'Whether the caller has a link to their calendar',
    access: 'appointments.read',
    response: domain.calendarLink,
    errors: [NOT_A_DOCTOR],
    handler: async (context) => ({ data: await domain.readCalendarLink(context) }),
  }),
  route({
    method: 'POST',
    path: LINK,
    operationId: 'renewCalendarLink',
    summary: 'Make a link to the calendar of the caller, who is a doctor',
    description: 'A former link opens nothing any more. The new one is shown once.',
    access: 'appointments.read',
    // It would outlast the impersonation.
    impersonation: 'never',
    // So that no response is kept for an idempotency key: it has the secret.
    database: 'none',
    response: domain.newCalendarLink,
    status: 201,
    errors: [NOT_A_DOCTOR],
    handler: async ({ inTransaction }) => ({ data: await inTransaction(domain.renewCalendarLink) }),
  }),
  route({
    method: 'DELETE',
    path: LINK,
    operationId: 'withdrawCalendarLink',
    summary: 'Withdraw the link to the calendar of the caller',
    access: 'appointments.read',
    impersonation: 'never',
    response: domain.calendarLink,
    errors: [NOT_A_DOCTOR],
    handler: async (context) => ({ data: await domain.withdrawCalendarLink(context) }),
  }),
];
