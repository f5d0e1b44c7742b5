/**
 * ServiceRequest (an ordered test), Specimen, Observation (a current result) and DiagnosticReport (an order with its
 * report). A test and its result have the id of the item of the order, so that an amended result keeps its id.
 */
import {
  labOrderFeed,
  orderedTestFeed,
  ordersById,
  resultFeed,
  type ShownOrder,
  type ShownResult,
  specimenFeed,
} from '@hms/domain/lab-orders';
import { testsCoded, testsWithLoinc } from '@hms/domain/lab-tests';
import { samePerson } from '@hms/domain/patients';
import type { Feed, Work } from '@hms/service';
import {
  concept,
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
import { systems } from './systems.ts';

const LOINC = 'http://loinc.org';
const SNOMED = 'http://snomed.info/sct';

type Item = ShownOrder['items'][number];

const patient = referenceIn('patient', 'Patient', samePerson);
const code = tokenIn('testId', 'The code of a test in the catalogue, or `http://loinc.org|code`', testsOf);

function testsOf({ system, code: wanted }: Token) {
  return system === LOINC ? testsWithLoinc([wanted]) : testsCoded([wanted]);
}

export const serviceRequestType: ResourceType = {
  type: 'ServiceRequest',
  access: 'lab-orders.read',
  sources: [source(orderedTestFeed, (order, work) => order.items.map((item) => showOrdered(order, item, work)))],
  parameters: {
    identifier: identifierIn('orderNo', systems.labOrderNumber),
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
    patient,
    subject: patient,
    date: dateIn('collectedAt'),
    issued: dateIn('reportedAt'),
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

const REQUEST_STATES: Readonly<Record<Item['status'], ServiceRequest['status']>> = {
  ...{ ordered: 'active', collected: 'active', in_progress: 'active', resulted: 'active' },
  ...{ verified: 'completed', amended: 'completed', cancelled: 'revoked' },
};

function showOrdered(order: ShownOrder, item: Item, work: Work): ServiceRequest {
  const { clinicalNote, priority, createdAt, orderNo } = order;
  return {
    resourceType: 'ServiceRequest',
    id: item.id,
    identifier: [identifier(systems.labOrderNumber(work), orderNo, 'PLAC')],
    requisition: identifier(systems.labOrderNumber(work), orderNo),
    status: REQUEST_STATES[item.status],
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
    status: status === 'rejected' ? 'unsatisfactory' : status === 'cancelled' ? 'unavailable' : 'available',
    type: { text: type },
    subject: reference('Patient', order.patientId),
    request: order.items.filter((item) => item.specimenId === id).map((item) => reference('ServiceRequest', item.id)),
    ...present({
      receivedTime: receivedAt,
      collection:
        collectedAt && present({ collectedDateTime: collectedAt, collector: collectedBy?.name && named(collectedBy) }),
      note: rejectReason && [{ text: rejectReason }],
    }),
  };
}

function showResult(order: ShownOrder, item: Item, result: ShownResult, work: Work): Observation {
  const { status, enteredAt, enteredBy, verifiedAt, verifiedBy, flag, note, unflagged } = result;
  const specimen = order.specimens.find(({ id }) => id === item.specimenId);
  return {
    resourceType: 'Observation',
    id: item.id,
    status,
    category: [hl7('observation-category', 'laboratory', 'Laboratory')],
    code: codeOf(item, work),
    subject: reference('Patient', order.patientId),
    basedOn: [reference('ServiceRequest', item.id)],
    specimen: reference('Specimen', item.specimenId),
    issued: verifiedAt ?? enteredAt,
    ...valueIn(item, result, work),
    ...present({
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

const REPORT_STATES: Readonly<Record<ShownOrder['status'], DiagnosticReport['status']>> = {
  ...{ ordered: 'registered', collected: 'registered', in_progress: 'registered', resulted: 'preliminary' },
  ...{ verified: 'final', amended: 'amended', cancelled: 'cancelled' },
};

function showReport(order: ShownOrder, work: Work): DiagnosticReport {
  const { id, orderNo, status, items, specimens, collectedAt, reportedAt, reports } = order;
  const isPartial = status === 'in_progress' && items.some(({ result }) => result);
  const latest = reports.at(-1);
  return {
    resourceType: 'DiagnosticReport',
    id,
    identifier: [identifier(systems.labOrderNumber(work), orderNo, 'FILL')],
    basedOn: items.map((item) => reference('ServiceRequest', item.id)),
    status: isPartial ? 'partial' : REPORT_STATES[status],
    category: [hl7('v2-0074', 'LAB', 'Laboratory')],
    code: concept({ system: LOINC, code: '11502-2', display: 'Laboratory report' }),
    subject: reference('Patient', order.patientId),
    performer: [reference('Organization', work.hospital.id, work.hospital.displayName)],
    ...present({
      effectiveDateTime: collectedAt,
      issued: reportedAt,
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
