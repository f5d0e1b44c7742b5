/**
 * ServiceRequest (an ordered test), Specimen, Observation (a current result) and DiagnosticReport (an order with its
 * report). A test and its result have the id of the item of the order, so that an amended result keeps its id.
 */
import {
  type ItemReview,
  labOrderFeed,
  lastVerifiedAt,
  type OrderReview,
  orderedTestFeed,
  ordersById,
  ordersWithItem,
  type ResultReview,
  resultFeed,
  reviewOfItem,
  reviewOfOrder,
  reviewOfResult,
  type ShownOrder,
  type ShownResult,
  specimenFeed,
} from '@hms/domain/lab-orders';
import { testsCoded, testsWithLoinc } from '@hms/domain/lab-tests';
import { samePerson } from '@hms/domain/patients';
import type { Feed, Work } from '@hms/service';
import {
  concept,
  constantIn,
  dateIn,
  decimal,
  hl7,
  identifier,
  identifierIn,
  parentsOf,
  present,
  type ResourceType,
  reference,
  referenceIn,
  type Source,
  type StatusCodes,
  statusIn,
  systems,
  type Token,
  tokenIn,
} from '@hms/service/fhir';
import type {
  CodeableConcept,
  DiagnosticReport,
  FhirResource,
  Observation,
  ObservationReferenceRange,
  Quantity,
  Reference,
  ServiceRequest,
  Specimen,
} from 'fhir/r4.js';

const LOINC = 'http://loinc.org';
const REPORT = { system: LOINC, code: '11502-2' };
const SNOMED = 'http://snomed.info/sct';

type Item = ShownOrder['items'][number];

const patient = referenceIn('patient', 'Patient', samePerson);
const code = tokenIn('testId', 'The code of a test in the catalogue, or `http://loinc.org|code`', testsOf);

function testsOf({ system, code: wanted }: Token, work: Work) {
  if (system === LOINC) return testsWithLoinc([wanted]);
  return system === undefined || system === systems.labTest(work) ? testsCoded([wanted]) : undefined;
}

const REQUEST_STATUS = {
  system: 'http://hl7.org/fhir/request-status',
  codes: ['draft', 'active', 'on-hold', 'revoked', 'completed', 'entered-in-error', 'unknown'],
  shown: {
    ...{ none: 'active', unverified: 'active' },
    ...{ verified: 'completed', amended: 'completed', cancelled: 'revoked' },
  },
} as const satisfies StatusCodes<ItemReview, ServiceRequest['status']>;

const SPECIMEN_STATUS = {
  system: 'http://hl7.org/fhir/specimen-status',
  codes: ['available', 'unavailable', 'unsatisfactory', 'entered-in-error'],
  shown: {
    ...{ expected: 'unavailable', collected: 'available', received: 'available' },
    ...{ rejected: 'unsatisfactory', cancelled: 'unavailable' },
  },
} as const satisfies StatusCodes<ShownOrder['specimens'][number]['status'], NonNullable<Specimen['status']>>;

/** Nobody may take an amendment for final that waits for verification. */
const RESULT_STATUS = {
  system: 'http://hl7.org/fhir/observation-status',
  codes: [
    ...([
      'registered',
      'preliminary',
      'final',
      'amended',
      'corrected',
      'cancelled',
      'entered-in-error',
      'unknown',
    ] as const),
  ],
  shown: { unverified: 'preliminary', verified: 'final', amended: 'corrected' },
} as const satisfies StatusCodes<ResultReview, Observation['status']>;

/** By the definitions of FHIR: a `partial` report may be unverified, and a `preliminary` one has verified results. */
const REPORT_STATUS = {
  system: 'http://hl7.org/fhir/diagnostic-report-status',
  codes: [
    ...(['registered', 'partial', 'preliminary', 'final', 'amended', 'corrected', 'appended'] as const),
    ...(['cancelled', 'entered-in-error', 'unknown'] as const),
  ],
  shown: {
    ...{ none: 'registered', unverified: 'partial', partly: 'preliminary' },
    ...{ verified: 'final', amended: 'amended', cancelled: 'cancelled' },
  },
} as const satisfies StatusCodes<OrderReview, DiagnosticReport['status']>;

export const serviceRequestType: ResourceType = {
  type: 'ServiceRequest',
  access: 'lab-orders.read',
  sources: [source(orderedTestFeed, (order, work) => order.items.map((item) => showOrdered(order, item, work)))],
  parameters: {
    identifier: identifierIn('orderNo', systems.labOrderNumber),
    status: statusIn('review', REQUEST_STATUS),
    requisition: identifierIn('orderNo', systems.labOrderNumber),
    patient,
    subject: patient,
    code,
    authored: dateIn('orderedAt'),
    date: dateIn('orderedAt'),
  },
  audited: 'lab_orders',
};

export const specimenType: ResourceType = {
  type: 'Specimen',
  access: 'lab-orders.read',
  sources: [
    source(specimenFeed, (order, work) => order.specimens.map((specimen) => showSpecimen(order, specimen, work))),
  ],
  parameters: {
    identifier: identifierIn('accessionNo', systems.accessionNumber),
    status: statusIn('status', SPECIMEN_STATUS),
    accession: identifierIn('accessionNo', systems.accessionNumber),
    patient,
    subject: patient,
    collected: dateIn('collectedAt'),
    date: dateIn('collectedAt'),
  },
  audited: 'lab_orders',
};

export const observationType: ResourceType = {
  type: 'Observation',
  access: 'lab-orders.read',
  sources: [
    source(resultFeed, (order, work) =>
      order.items.flatMap((item) => (item.result ? [showResult(order, item, item.result, work)] : [])),
    ),
  ],
  parameters: {
    identifier: identifierIn('orderNo', systems.labOrderNumber),
    status: statusIn('review', RESULT_STATUS),
    // A result has the id of the test that was ordered.
    'based-on': referenceIn('id', 'ServiceRequest', async (_work, id) => [id]),
    patient,
    subject: patient,
    code,
    date: dateIn('collectedAt'),
  },
  audited: 'lab_orders',
};

export const diagnosticReportType: ResourceType = {
  type: 'DiagnosticReport',
  access: 'lab-orders.read',
  sources: [source(labOrderFeed, (order, work) => [showReport(order, work)])],
  parameters: {
    identifier: identifierIn('orderNo', systems.labOrderNumber),
    status: statusIn('review', REPORT_STATUS),
    code: constantIn(REPORT),
    'based-on': referenceIn('id', 'ServiceRequest', ordersWithItem),
    patient,
    subject: patient,
    date: dateIn('collectedAt'),
    issued: dateIn('verifiedAt'),
  },
  audited: 'lab_orders',
};

function source(feed: Feed, show: (order: ShownOrder, work: Work) => readonly FhirResource[]): Source {
  return {
    feed,
    show: async (work, rows) => {
      const orders = await ordersById(work, parentsOf(rows));
      return new Map(orders.flatMap((order) => show(order, work)).map((one) => [one.id ?? '', one]));
    },
  };
}

function showOrdered(order: ShownOrder, item: Item, work: Work): ServiceRequest {
  const { clinicalNote, priority, createdAt, orderNo } = order;
  return {
    resourceType: 'ServiceRequest',
    id: item.id,
    identifier: [identifier(systems.labOrderNumber(work), orderNo, 'PLAC')],
    requisition: identifier(systems.labOrderNumber(work), orderNo),
    status: REQUEST_STATUS.shown[reviewOfItem(item)],
    intent: 'order',
    category: [concept({ system: SNOMED, code: '108252007', display: 'Laboratory procedure' })],
    priority,
    code: codeOf(item, work),
    subject: reference('Patient', order.patientId),
    authoredOn: createdAt,
    ...present({
      requester: requesterOf(order),
      specimen: specimensOf(order, [item.specimenId]),
      note: clinicalNote && [{ text: clinicalNote }],
    }),
  };
}

function showSpecimen(order: ShownOrder, specimen: ShownOrder['specimens'][number], work: Work): Specimen {
  const { id, accessionNo, type, status, collectedAt, receivedAt, collectedBy, rejectReason } = specimen;
  return {
    resourceType: 'Specimen',
    id,
    accessionIdentifier: identifier(systems.accessionNumber(work), accessionNo, 'ACSN'),
    identifier: [identifier(systems.accessionNumber(work), accessionNo, 'ACSN')],
    status: SPECIMEN_STATUS.shown[status],
    type: { text: type },
    subject: reference('Patient', order.patientId),
    ...present({
      // Tests of a rejected specimen wait for the one in its place.
      request: order.items.filter((item) => item.specimenId === id).map((item) => reference('ServiceRequest', item.id)),
      receivedTime: receivedAt,
      collection:
        collectedAt && present({ collectedDateTime: collectedAt, collector: collectedBy?.name && named(collectedBy) }),
      note: rejectReason && [{ text: rejectReason }],
    }),
  };
}

function showResult(order: ShownOrder, item: Item, result: ShownResult, work: Work): Observation {
  const { enteredBy, verifiedAt, verifiedBy, flag, note, unflagged } = result;
  const specimen = order.specimens.find(({ id }) => id === item.specimenId);
  return {
    resourceType: 'Observation',
    id: item.id,
    status: RESULT_STATUS.shown[reviewOfResult(result)],
    category: [hl7('observation-category', 'laboratory', 'Laboratory')],
    code: codeOf(item, work),
    subject: reference('Patient', order.patientId),
    basedOn: [reference('ServiceRequest', item.id)],
    specimen: reference('Specimen', item.specimenId),
    ...valueIn(item, result, work),
    ...present({
      issued: verifiedAt,
      effectiveDateTime: specimen?.collectedAt,
      performer: [enteredBy, verifiedBy].flatMap((person) => (person?.name ? [named(person)] : [])),
      interpretation: flag && [hl7('v3-ObservationInterpretation', flag)],
      referenceRange: rangeOf(item, result),
      note: [
        ...(note ? [{ text: note }] : []),
        ...(unflagged === 'no_range' ? [{ text: 'There is no reference range for this patient.' }] : []),
        ...(unflagged === 'uncertain' ? [{ text: 'The value may be on either side of a limit.' }] : []),
      ],
    }),
  };
}

function showReport(order: ShownOrder, work: Work): DiagnosticReport {
  const { id, orderNo, items, specimens, collectedAt, reports } = order;
  const latest = reports.find(({ isSuperseded }) => !isSuperseded);
  return {
    resourceType: 'DiagnosticReport',
    id,
    identifier: [identifier(systems.labOrderNumber(work), orderNo, 'FILL')],
    basedOn: items.map((item) => reference('ServiceRequest', item.id)),
    status: REPORT_STATUS.shown[reviewOfOrder(items)],
    category: [hl7('v2-0074', 'LAB', 'Laboratory')],
    code: concept({ ...REPORT, display: 'Laboratory report' }),
    subject: reference('Patient', order.patientId),
    performer: [reference('Organization', work.hospital.id, work.hospital.displayName)],
    ...present({
      effectiveDateTime: collectedAt,
      issued: lastVerifiedAt(items),
      specimen: specimensOf(
        order,
        specimens.map((specimen) => specimen.id),
      ),
      result: items.flatMap((item) => (item.result ? [reference('Observation', item.id, item.name)] : [])),
      presentedForm: latest && [
        {
          contentType: 'application/pdf',
          url: `${work.hospital.portal}/api/hms/lab-orders/${id}/report?revision=${latest.revision}`,
          size: latest.size,
          title: `${orderNo}-${latest.revision}`,
          creation: latest.issuedAt,
        },
      ],
    }),
  };
}

/** References to those that were collected. The others can't be read. */
function specimensOf({ specimens }: ShownOrder, ids: readonly string[]): Reference[] {
  const collected = specimens.filter(({ id, collectedAt }) => ids.includes(id) && collectedAt !== null);
  return collected.map(({ id, accessionNo }) => reference('Specimen', id, accessionNo));
}

function requesterOf({ doctor }: ShownOrder): Reference | null {
  return doctor && reference('Practitioner', doctor.id, doctor.name);
}

/** Accounts are no employees of their own, so a person in the laboratory is known by the name only. */
function named({ name }: { readonly name: string | null }): Reference {
  return { display: name ?? '' };
}

function codeOf({ code: own, name, loinc }: Item, work: Work): CodeableConcept {
  const { coding = [] } = concept({ system: systems.labTest(work), code: own, display: name });
  return { coding: [...(loinc ? [{ system: LOINC, code: loinc }] : []), ...coding], text: name };
}

/** `<0.5` as a quantity below 0.5. */
const NUMBER = /^(?<comparator>[<>]=?)?(?<value>-?\d+(?:\.\d+)?)$/;

function valueIn({ valueType, options }: Item, { value, unit }: ShownResult, work: Work): Partial<Observation> {
  if (valueType === 'coded') {
    const option = options?.find((one) => one.code === value);
    const coding = { system: systems.labTest(work), code: value, ...present({ display: option?.name }) };
    return { valueCodeableConcept: concept(coding, option?.name) };
  }
  const number = valueType === 'numeric' ? NUMBER.exec(value)?.groups : undefined;
  if (number?.value === undefined) return { valueString: value };
  const comparator = number.comparator as Quantity['comparator'];
  return { valueQuantity: { value: decimal(number.value), ...present({ comparator, unit }) } };
}

function rangeOf({ unit }: Item, { range }: ShownResult): ObservationReferenceRange[] {
  if (!range) return [];
  const limit = (text: string | null) => text && { value: decimal(text), ...present({ unit }) };
  const limits = present({ low: limit(range.low), high: limit(range.high) });
  return limits.low || limits.high ? [limits as ObservationReferenceRange] : [];
}
