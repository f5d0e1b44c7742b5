import { PATIENT_NOT_FOUND } from '@hms/domain/patients';
import {
  changeBan,
  changeVisitor,
  checkIn,
  checkOut,
  createBan,
  createVisitor,
  denial,
  denyVisitor,
  entry,
  listVisitors,
  newVisitor,
  OUTSIDE_VISITING_HOURS,
  PASS_EXPIRED,
  PASS_NOT_FOUND,
  PASS_NOT_YET_VALID,
  readVisitor,
  scan,
  scanned,
  scanPass,
  shownVisitor,
  VISITING_HOURS_OVERLAP,
  VISITOR_BANNED,
  VISITOR_LIMIT_REACHED,
  VISITORS_PER_HOUR_REACHED,
  visitingHours,
  visitorBans,
  visitorChanges,
  visitors,
} from '@hms/domain/visitors';
import {
  fields,
  INVALID_STATE,
  invalidFields,
  type Route,
  records,
  resource,
  route,
  STALE_VERSION,
  single,
} from '@hms/service';
import { z } from 'zod';

const PATH = '/api/crm/visitors';
const REFUSALS = [
  ...[PATIENT_NOT_FOUND, INVALID_STATE, PASS_EXPIRED, PASS_NOT_YET_VALID],
  ...[OUTSIDE_VISITING_HOURS, VISITOR_BANNED, VISITOR_LIMIT_REACHED, VISITORS_PER_HOUR_REACHED],
];
const step = {
  method: 'POST',
  access: 'visitors.write',
  params: fields.idParams,
  body: z.object({ version: fields.version }),
  response: shownVisitor,
} as const;

export const visitorRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: `${PATH}/scan`,
    operationId: 'scanVisitorPass',
    summary: 'Let a visitor in or out by the code of the pass, whichever comes next',
    description: 'A scanner may read the same pass twice: a second scan within five seconds does nothing.',
    access: 'visitors.write',
    body: scan,
    response: scanned,
    errors: [PASS_NOT_FOUND, ...REFUSALS],
    handler: async (context) => single(await scanPass(context, context.body)),
  }),
  ...resource(visitors, {
    path: PATH,
    access: { read: 'visitors.read', write: 'visitors.write' },
    list: { response: shownVisitor, run: listVisitors },
    create: {
      summary: 'Issue a pass for a visitor',
      body: newVisitor,
      response: shownVisitor,
      errors: [PATIENT_NOT_FOUND, VISITOR_BANNED],
      run: createVisitor,
    },
    read: { response: shownVisitor, run: readVisitor },
    update: {
      body: visitorChanges,
      response: shownVisitor,
      errors: [VISITOR_BANNED],
      run: (context, id, changes) => changeVisitor(context, id, changes, context.version),
    },
  }),
  route({
    ...step,
    path: `${PATH}/:id/check-in`,
    operationId: 'checkInVisitor',
    summary: 'Let a visitor in',
    body: entry,
    errors: [visitors.notFound, STALE_VERSION, ...REFUSALS],
    handler: async (context) => single(await checkIn(context, context.params.id, context.body)),
  }),
  route({
    ...step,
    path: `${PATH}/:id/check-out`,
    operationId: 'checkOutVisitor',
    summary: 'Let a visitor out',
    errors: [visitors.notFound, STALE_VERSION, INVALID_STATE],
    handler: async (context) => single(await checkOut(context, context.params.id, context.version)),
  }),
  route({
    ...step,
    path: `${PATH}/:id/deny`,
    operationId: 'denyVisitor',
    summary: 'Turn a visitor away, for good with this pass',
    body: denial,
    errors: [visitors.notFound, STALE_VERSION, INVALID_STATE],
    handler: async (context) =>
      single(await denyVisitor(context, context.params.id, context.body.reason, context.version)),
  }),
  ...resource(visitorBans, {
    path: '/api/crm/visitor-bans',
    access: { read: 'visitors.read', write: 'visitor-bans.write', remove: 'visitor-bans.write' },
    create: { summary: 'Put somebody on the deny list', errors: [PATIENT_NOT_FOUND], run: createBan },
    update: {
      errors: [PATIENT_NOT_FOUND],
      run: (context, id, changes) => changeBan(context, id, changes, context.version),
    },
  }),
  ...resource(visitingHours, {
    path: '/api/crm/visiting-hours',
    access: { read: 'visitors.read', write: 'visiting-hours.write', remove: 'visiting-hours.write' },
    create: {
      summary: 'Add visiting hours on a weekday',
      errors: [VISITING_HOURS_OVERLAP],
      run: (context, body) => {
        demandOrder(body);
        return records(context, visitingHours).insert(body);
      },
    },
    update: {
      errors: [VISITING_HOURS_OVERLAP],
      run: async (context, id, changes) => {
        const own = records(context, visitingHours);
        const before = await own.lock(id, context.version);
        demandOrder({ startTime: before.startTime, endTime: before.endTime, ...changes });
        return own.update(before, changes);
      },
    },
  }),
];

/** @throws Problem VALIDATION_FAILED */
function demandOrder({
  startTime,
  endTime,
}: {
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
}): void {
  if (startTime !== undefined && endTime !== undefined && endTime <= startTime)
    throw invalidFields([{ field: 'endTime', in: 'body', message: 'must be after startTime' }]);
}
