/** Orders of laboratory tests, and each step of them. */
import * as domain from '@hms/domain/lab-orders';
import { labOrders } from '@hms/domain/lab-orders';
import { LAB_PANEL_NOT_FOUND, LAB_TEST_NOT_ACTIVE, LAB_TEST_NOT_FOUND } from '@hms/domain/lab-tests';
import { PATIENT_NOT_FOUND } from '@hms/domain/patients';
import {
  type ErrorKind,
  fields,
  INVALID_STATE,
  pageParameters,
  RANGE_TOO_WIDE,
  type Route,
  resource,
  route,
  STALE_VERSION,
  single,
  type Work,
} from '@hms/service';
import type { Permission } from '@hms/tenancy';
import { z } from 'zod';

const PATH = '/api/hms/lab-orders';
const { LAB_RESULT_CHANGED, LAB_RESULT_NOT_FOUND, LAB_SPECIMEN_NOT_FOUND, RESULT_TYPE_MISMATCH } = domain;

const turnaroundRoute: Route = route({
  method: 'GET',
  path: `${PATH}/turnaround`,
  operationId: 'readLabTurnaround',
  summary: 'Read how long each step of the laboratory takes, by test',
  access: 'lab-orders.read',
  database: 'replica',
  query: domain.turnaroundQuery,
  response: z.array(domain.turnaround),
  errors: [RANGE_TOO_WIDE],
  handler: async (context) => ({ data: await domain.readTurnaround(context, context.query) }),
});

const countsRoute: Route = route({
  method: 'GET',
  path: `${PATH}/counts`,
  operationId: 'readLabOrderCounts',
  summary: 'Count the orders that wait for each kind of work',
  access: 'lab-orders.read',
  response: domain.orderCounts,
  handler: async (context) => single(await domain.countOrders(context)),
});

const favouritesRoute: Route = route({
  method: 'GET',
  path: `${PATH}/favourites`,
  operationId: 'listLabFavourites',
  summary: 'List the tests and panels that the caller orders most',
  access: 'lab-orders.write',
  response: z.array(domain.favourite),
  handler: async (context) => ({ data: [...(await domain.favouritesOf(context))] }),
});

const pastResultsRoute: Route = route({
  method: 'GET',
  path: '/api/hms/patients/:id/lab-results',
  operationId: 'listPatientLabResults',
  summary: 'List the results of one test for a patient, latest first',
  description:
    'The current version of each result, by the time at which its specimen was collected. Includes those of patients who were merged into the patient.',
  access: 'lab-orders.read',
  params: fields.idParams,
  query: z.object({ ...pageParameters(), testId: fields.id }),
  response: z.array(domain.pastResult),
  paged: true,
  errors: [PATIENT_NOT_FOUND, LAB_TEST_NOT_FOUND],
  handler: (context) => domain.pastResults(context, context.params.id, context.query),
});

export const labOrderRoutes: readonly Route[] = [
  pastResultsRoute,
  // Before the route of one order, whose id is any text.
  turnaroundRoute,
  countsRoute,
  favouritesRoute,
  ...resource(labOrders, {
    path: PATH,
    access: { read: 'lab-orders.read', write: 'lab-orders.write' },
    list: {
      description:
        'Without `sort`, the most urgent come first, then the oldest. `todo` is the list of those who collect, receive, enter, verify or acknowledge. `q` finds numbers of orders, whole numbers of specimens, and patients.',
      query: domain.orderQuery,
      response: domain.shownOrder,
      run: domain.listOrders,
    },
    create: {
      summary: 'Order laboratory tests for a patient',
      description:
        'Tests that need the same kind of specimen share one. Each specimen has its accession number at once, so that its label can be printed before the collection.',
      body: domain.newOrder,
      response: domain.shownOrder,
      errors: [
        ...[PATIENT_NOT_FOUND, LAB_TEST_NOT_FOUND, LAB_PANEL_NOT_FOUND, LAB_TEST_NOT_ACTIVE],
        ...[domain.LAB_ORDER_EMPTY, domain.LAB_ORDER_TOO_LARGE, domain.DOCTOR_NOT_ALLOWED],
      ],
      run: async (context, body) => domain.showOrder(context, await domain.placeOrder(context, body)),
    },
    read: { response: domain.shownOrder, run: domain.readOrder },
    update: {
      response: domain.shownOrder,
      errors: [INVALID_STATE],
      run: async (context, id, changes) =>
        domain.showOrder(context, await domain.changeOrder(context, id, changes, context.version)),
    },
  }),
  step('cancel', {
    operationId: 'cancelLabOrder',
    summary: 'Cancel tests that have no result',
    access: 'lab-orders.write',
    body: domain.cancellation,
    errors: [domain.LAB_ITEM_NOT_FOUND],
    run: domain.cancelOrder,
  }),
  step('collect', {
    operationId: 'collectLabSpecimens',
    summary: 'Note that specimens were collected',
    access: 'lab-specimens.collect',
    body: domain.collection,
    errors: [LAB_SPECIMEN_NOT_FOUND, domain.COLLECTION_TIME_INVALID],
    run: domain.collect,
  }),
  step('receive', {
    operationId: 'receiveLabSpecimens',
    summary: 'Note that the laboratory has received specimens',
    description: 'Optional: whoever enters a result has received the specimen.',
    access: 'lab-results.write',
    body: domain.receipt,
    errors: [LAB_SPECIMEN_NOT_FOUND],
    run: domain.receive,
  }),
  step('reject-specimen', {
    operationId: 'rejectLabSpecimen',
    summary: 'Reject a specimen, in whose place another one is expected',
    description:
      'The other specimen has an accession number of its own. Results of the rejected one no longer count. A specimen with a verified result can not be rejected.',
    access: 'lab-results.write',
    body: domain.rejection,
    errors: [LAB_SPECIMEN_NOT_FOUND],
    run: domain.reject,
  }),
  step('results', {
    operationId: 'enterLabResults',
    summary: 'Enter results, of some tests or of all',
    description:
      'Each is flagged by the range for the sex and the age of the patient at the collection. Before the verification, it can be entered again, with `replaces`.',
    access: 'lab-results.write',
    body: domain.entry,
    errors: [domain.LAB_ITEM_NOT_FOUND, LAB_RESULT_NOT_FOUND, LAB_RESULT_CHANGED, RESULT_TYPE_MISMATCH],
    run: domain.enterResults,
  }),
  step('verify', {
    operationId: 'verifyLabResults',
    summary: 'Verify results that somebody else has entered',
    description:
      'With the setting requireSecondVerifier of the hospital off, people also verify their own. When all results of the order are verified, the report is issued, usually within seconds.',
    access: 'lab-results.verify',
    impersonation: 'never',
    body: domain.signature,
    errors: [LAB_RESULT_NOT_FOUND, LAB_RESULT_CHANGED, domain.SAME_PERSON_VERIFY],
    run: domain.verifyResults,
  }),
  step('acknowledge', {
    operationId: 'acknowledgeLabResults',
    summary: 'Acknowledge critical results',
    description: 'From their entry on, whether they are verified or not. A repetition changes nothing.',
    access: 'lab-results.acknowledge',
    impersonation: 'never',
    body: domain.signature,
    errors: [LAB_RESULT_NOT_FOUND, LAB_RESULT_CHANGED, domain.LAB_RESULT_NOT_CRITICAL],
    run: domain.acknowledgeResults,
  }),
  step('amend', {
    operationId: 'amendLabResult',
    summary: 'Amend a verified result',
    description:
      'The old version is kept. Reports that show it are superseded at once. Another one is issued when somebody else has verified the amendment, or at once with the setting requireSecondVerifier off.',
    access: 'lab-results.write',
    impersonation: 'never',
    body: domain.amendment,
    errors: [LAB_RESULT_NOT_FOUND, LAB_RESULT_CHANGED, RESULT_TYPE_MISMATCH, domain.LAB_RESULT_UNCHANGED],
    run: domain.amendResult,
  }),
  route({
    method: 'GET',
    path: `${PATH}/:id/comparison`,
    operationId: 'readLabOrderComparison',
    summary: 'Read the reference range and the previous result for each test of an order',
    access: 'lab-orders.read',
    params: fields.idParams,
    response: domain.comparison,
    errors: [labOrders.notFound],
    handler: async (context) => single(await domain.compareOrder(context, context.params.id)),
  }),
  route({
    method: 'POST',
    path: `${PATH}/:id/judge`,
    operationId: 'judgeLabValues',
    summary: 'Say how values would be flagged, while somebody types them',
    description: 'Nothing is stored.',
    access: 'lab-results.write',
    params: fields.idParams,
    body: domain.typedValues,
    response: z.array(domain.judgement),
    errors: [labOrders.notFound, domain.LAB_ITEM_NOT_FOUND],
    handler: async (context) => ({ data: await domain.judgeValues(context, context.params.id, context.body) }),
  }),
  route({
    method: 'GET',
    path: `${PATH}/:id/results`,
    operationId: 'listLabResultVersions',
    summary: 'List every version of every result of an order, the oldest first',
    access: 'lab-orders.read',
    params: fields.idParams,
    response: z.array(domain.shownResult),
    errors: [labOrders.notFound],
    handler: async (context) => ({ data: await domain.readVersions(context, context.params.id) }),
  }),
  route({
    method: 'GET',
    path: '/api/hms/lab-specimens/:accessionNo',
    operationId: 'readLabOrderOfSpecimen',
    summary: 'Read the order of a scanned specimen',
    access: 'lab-orders.read',
    params: z.object({ accessionNo: fields.line(40).describe('As on the label, such as `S-000123`') }),
    response: domain.shownOrder,
    errors: [LAB_SPECIMEN_NOT_FOUND],
    handler: async (context) =>
      single(await domain.readOrder(context, await domain.orderOfSpecimen(context, context.params.accessionNo))),
  }),
];

interface Step<Body extends z.ZodType> {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Permission;
  readonly impersonation?: 'never';
  readonly body: Body;
  readonly errors: readonly ErrorKind[];
  run(work: Work, id: string, body: z.output<Body>, version: number | undefined): ReturnType<typeof domain.placeOrder>;
}

/** A route that takes an order one step further, and answers with the whole order. */
function step<Body extends z.ZodType>(name: string, { run, errors, ...declared }: Step<Body>): Route {
  return route({
    method: 'POST',
    path: `${PATH}/:id/${name}`,
    ...declared,
    params: fields.idParams,
    response: domain.shownOrder,
    errors: [labOrders.notFound, INVALID_STATE, STALE_VERSION, ...errors],
    handler: async (context) => {
      const { params, body, version } = context;
      return single(await domain.showOrder(context, await run(context, params.id, body as z.output<Body>, version)));
    },
  });
}
