import { CLINIC_NOT_FOUND } from '@hms/domain/clinics';
import { changeDisplay, DISPLAY_CODE_UNKNOWN, displays, identify, unpair } from '@hms/domain/displays';
import {
  fields,
  HOSPITAL_NOT_READY,
  HOSPITAL_SUSPENDED,
  IDENTITY_UNAVAILABLE,
  type Route,
  resource,
  route,
  single,
} from '@hms/service';
import { HOSPITAL_UNKNOWN } from '../hospital.ts';
import { AUTHORIZATION_PENDING, DISPLAY_NOT_READY, EXPIRED_TOKEN, TOO_MANY_DISPLAY_CODES } from './displays.errors.ts';
import {
  displayReport,
  displayToken,
  newDisplay,
  shownDisplay,
  startBody,
  started,
  tokenBody,
} from './displays.schema.ts';
import type { DisplayService } from './displays.service.ts';

/** Bytes. */
const BODY_LIMIT = 1024;
const COMMON = [HOSPITAL_SUSPENDED, HOSPITAL_NOT_READY];

export function displayRoutes(service: DisplayService): readonly Route[] {
  const routes = [
    route({
      method: 'POST',
      path: '/api/auth/displays/start',
      operationId: 'startPairing',
      summary: 'Get a code for a display that is not paired',
      description:
        'Follows the device grant (RFC 8628). The display shows the code, and requests tokens until an administrator has entered it.',
      access: 'public',
      body: startBody,
      bodyLimit: BODY_LIMIT,
      response: started,
      errors: [HOSPITAL_UNKNOWN, TOO_MANY_DISPLAY_CODES, ...COMMON],
      handler: async ({ body, clientAddress }) => ({ data: await service.start(body.hospital, clientAddress) }),
    }),
    route({
      method: 'POST',
      path: '/api/auth/displays/token',
      operationId: 'readDisplayToken',
      summary: 'Get an access token for a display',
      description: 'As often as the display needs one, for as long as it is paired.',
      access: 'public',
      body: tokenBody,
      bodyLimit: BODY_LIMIT,
      response: displayToken,
      errors: [
        HOSPITAL_UNKNOWN,
        AUTHORIZATION_PENDING,
        EXPIRED_TOKEN,
        DISPLAY_NOT_READY,
        IDENTITY_UNAVAILABLE,
        ...COMMON,
      ],
      handler: async ({ body }) => ({ data: await service.token(body) }),
    }),
    route({
      method: 'GET',
      path: '/api/auth/displays/me',
      operationId: 'readOwnDisplay',
      summary: 'The display that the access token is for',
      access: 'displays.show',
      response: shownDisplay,
      errors: [displays.notFound],
      handler: async (context) => ({ data: await service.me(context) }),
    }),
    route({
      method: 'PUT',
      path: '/api/auth/displays/me/report',
      operationId: 'reportDisplay',
      summary: 'Say how the display runs, and read what it shows',
      description: 'Once a minute. The display gets no new version.',
      access: 'displays.show',
      body: displayReport,
      bodyLimit: BODY_LIMIT,
      response: shownDisplay,
      errors: [displays.notFound],
      handler: async (context) => ({ data: await service.report(context, context.body) }),
    }),
    route({
      method: 'POST',
      path: '/api/auth/displays/:id/identify',
      operationId: 'identifyDisplay',
      summary: 'Have a display show its name for 30 seconds',
      description: 'The display gets no new version.',
      access: 'displays.write',
      params: fields.idParams,
      response: displays.item,
      errors: [displays.notFound],
      handler: async (context) => single(await identify(context, context.params.id)),
    }),
    ...resource(displays, {
      path: '/api/auth/displays',
      access: { read: 'displays.read', write: 'displays.write', remove: 'displays.write' },
      create: {
        summary: 'Pair the display that shows a code',
        body: newDisplay,
        errors: [DISPLAY_CODE_UNKNOWN, CLINIC_NOT_FOUND, TOO_MANY_DISPLAY_CODES],
        run: (context, body) => service.pair(context, body),
      },
      update: {
        summary: 'Change the name, the clinics or the languages of a display',
        errors: [CLINIC_NOT_FOUND],
        run: (context, id, changes) => changeDisplay(context, id, changes, context.version),
      },
      remove: {
        summary: 'Unpair a display',
        description: 'Its tokens are refused at once. To use it again, pair it again.',
        run: (context, id) => unpair(context, id, context.version),
      },
    }),
  ];
  // Somebody of the platform leaves no screen behind in a hospital.
  return routes.map((one) => (one.access === 'displays.write' ? { ...one, impersonation: 'never' as const } : one));
}
