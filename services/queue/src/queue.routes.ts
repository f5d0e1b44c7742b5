/** Queues of clinics, and each step of a person in them. */

import { qrCode } from '@hms/documents/codes';
import { CLINIC_INACTIVE, CLINIC_NOT_FOUND } from '@hms/domain/clinics';
import { linkToTurn } from '@hms/domain/patient-links';
import { PATIENT_NOT_FOUND } from '@hms/domain/patients';
import * as domain from '@hms/domain/queue';
import { entries, showEntry, shownEntry } from '@hms/domain/queue';
import { ROOM_NOT_FOUND } from '@hms/domain/rooms';
import { ROOM_OF_OTHER_CLINIC } from '@hms/domain/schedules';
import { fields, type Route, resource, route, single, stepsOf } from '@hms/service';
import { z } from 'zod';

const ENTRIES = '/api/queue/entries';
const CLINIC = '/api/queue/:clinicId';
const clinicParams = z.object({ clinicId: fields.id });
const { ALREADY_IN_QUEUE, DAY_OVER, ROOM_BUSY } = domain;
const ROOM_ERRORS = [ROOM_NOT_FOUND, ROOM_OF_OTHER_CLINIC, ROOM_BUSY];
const CLINIC_ERRORS = [CLINIC_NOT_FOUND, CLINIC_INACTIVE];

const linkOfEntry = z
  .object({ link: z.url(), qr: z.string().describe('The link as a QR code, in SVG') })
  .meta({ id: 'QueueEntryLink' });

const ofEntries = resource(entries, {
  path: ENTRIES,
  access: { read: 'queue.read', write: 'queue.write' },
  list: { response: shownEntry, run: domain.listEntries },
  read: { response: shownEntry, run: domain.readEntry },
}).filter(({ method }) => method === 'GET');

const step = stepsOf(entries, { path: ENTRIES, access: 'queue.write', response: shownEntry, show: showEntry });

export const queueRoutes: readonly Route[] = [
  ...ofEntries,
  step('call', {
    summary: 'Call somebody, whoever is before them',
    body: domain.call,
    errors: [...ROOM_ERRORS, DAY_OVER],
    run: (context, id, { roomId }) => domain.callEntry(context, id, roomId, context.version),
  }),
  step('recall', {
    summary: 'Call somebody again who has not come yet',
    errors: [DAY_OVER],
    run: (context, id) => domain.recall(context, id, context.version),
  }),
  step('skip', {
    summary: 'Let somebody wait again who did not come when called',
    description: 'Behind the next three who wait.',
    errors: [DAY_OVER],
    run: (context, id) => domain.skip(context, id, context.version),
  }),
  step('serve', {
    summary: 'Note that the person has come',
    errors: [DAY_OVER],
    run: (context, id) => domain.serve(context, id, context.version),
  }),
  step('done', {
    summary: 'End the consultation',
    run: (context, id) => domain.finish(context, id, context.version),
  }),
  step('no-show', {
    summary: 'Note that the person is not there',
    errors: [DAY_OVER],
    run: (context, id) => domain.markNoShow(context, id, context.version),
  }),
  step('come-back', {
    summary: 'Let somebody wait who was not there and comes after all',
    description: 'Behind the next three who wait.',
    errors: [DAY_OVER, ALREADY_IN_QUEUE, ...CLINIC_ERRORS, PATIENT_NOT_FOUND],
    run: (context, id) => domain.comeBack(context, id, context.version),
  }),
  step('cancel', {
    summary: 'Take somebody out who does not want to wait any more',
    body: domain.cancellation,
    run: (context, id, body) => domain.cancel(context, id, body),
  }),
  step('priority', {
    summary: 'Change how urgent it is',
    body: domain.prioritization,
    errors: [DAY_OVER],
    run: (context, id, { priority }) => domain.prioritize(context, id, priority, context.version),
  }),
  step('transfer', {
    summary: 'Send somebody to another clinic',
    description:
      'The time counts that they have waited. They keep their token, unless the other clinic has given the same one today.',
    body: domain.transferral,
    errors: [DAY_OVER, domain.SAME_CLINIC, ...CLINIC_ERRORS, ALREADY_IN_QUEUE],
    run: (context, id, body) => domain.transfer(context, id, body),
  }),
  step('undo', {
    summary: 'Undo the last step of somebody',
    description: 'Within 60 s.',
    errors: [
      ...[domain.NOTHING_TO_UNDO, domain.UNDO_EXPIRED, DAY_OVER, ALREADY_IN_QUEUE],
      ...[...CLINIC_ERRORS, ...ROOM_ERRORS, PATIENT_NOT_FOUND],
    ],
    run: (context, id) => domain.undo(context, id, context.version),
  }),
  route({
    method: 'POST',
    path: `${ENTRIES}/:id/link`,
    operationId: 'linkToQueueEntry',
    summary: 'Get a link to the turn of somebody',
    description:
      'For the phone of the person, who needs no account. The page shows the token, how many people are before it, and the estimate. It works until the day of service is over.',
    access: 'queue.write',
    params: fields.idParams,
    response: linkOfEntry,
    errors: [domain.ENTRY_NOT_FOUND],
    handler: async (context) => {
      const link = await linkToTurn(context, context.params.id);
      return { data: { link, qr: qrCode(link) } };
    },
  }),
  route({
    method: 'POST',
    path: `${CLINIC}/entries`,
    operationId: 'joinQueue',
    summary: 'Give somebody a token',
    description: 'Each day of service of the clinic begins with 1, and no number is missing.',
    access: 'queue.write',
    status: 201,
    params: clinicParams,
    body: domain.newEntry,
    response: shownEntry,
    errors: [...CLINIC_ERRORS, PATIENT_NOT_FOUND, domain.QUEUE_CLOSED, ALREADY_IN_QUEUE],
    handler: async (context) =>
      single(await showEntry(context, await domain.join(context, context.params.clinicId, context.body))),
  }),
  route({
    method: 'POST',
    path: `${CLINIC}/call-next`,
    operationId: 'callNext',
    summary: 'Call whoever is next',
    description: 'Null if nobody waits. Two rooms that call at the same time get different people.',
    access: 'queue.write',
    params: clinicParams,
    body: domain.nextCall,
    response: shownEntry.nullable(),
    errors: [...CLINIC_ERRORS, ...ROOM_ERRORS],
    handler: async (context) => {
      const next = await domain.callNext(context, context.params.clinicId, context.body);
      return next ? single(await showEntry(context, next)) : { data: null };
    },
  }),
  route({
    method: 'GET',
    path: `${CLINIC}/accuracy`,
    operationId: 'readWaitAccuracy',
    summary: 'Read how right the estimates of a clinic were',
    access: 'queue.read',
    database: 'replica',
    params: clinicParams,
    query: z.object({ days: fields.count(366).optional().describe('Until now. Default 28') }),
    response: domain.accuracy,
    errors: [CLINIC_NOT_FOUND],
    handler: async (context) => ({
      data: await domain.readAccuracy(context, context.params.clinicId, context.query.days ?? 28),
    }),
  }),
  route({
    method: 'GET',
    path: CLINIC,
    operationId: 'readQueue',
    summary: 'Read the queue of a clinic',
    access: 'queue.read',
    params: clinicParams,
    response: domain.queue,
    errors: [CLINIC_NOT_FOUND],
    handler: async (context) => ({
      data: await domain.readQueue(context, context.params.clinicId),
    }),
  }),
];
