/** Labels for the specimens of an order, to print before or after the collection. They are not kept. */

import { barcode, type Renderer, type SpecimenLabels } from '@hms/documents';
import { LAB_ORDER_NOT_FOUND, LAB_SPECIMEN_NOT_FOUND, readOrder, type ShownOrder } from '@hms/domain/lab-orders';
import { patientNameOf } from '@hms/domain/patients';
import { DOCUMENTS_BUSY, printed } from '@hms/domain/printing';
import { leftToRight } from '@hms/domain/rendering';
import { fields, Problem, type Route, route, type Work } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { z } from 'zod';
import { words as summaryWords } from '../documents/summary-words.ts';
import { words } from './words.ts';

export function specimenLabelsRoute(renderer: Renderer): Route {
  return route({
    method: 'GET',
    path: '/api/hms/lab-orders/:id/labels',
    operationId: 'readLabSpecimenLabels',
    summary: 'Print the labels of specimens as a PDF',
    description:
      'One page of 50 × 25 mm for each specimen that is neither rejected nor cancelled. The barcode (Code 128) is the accession number.',
    access: 'lab-orders.read',
    params: fields.idParams,
    query: z.object({ specimenId: fields.id.optional().describe('Only of this specimen') }),
    response: z.string().describe('A PDF'),
    contentType: 'application/pdf',
    database: 'none',
    errors: [LAB_ORDER_NOT_FOUND, LAB_SPECIMEN_NOT_FOUND, DOCUMENTS_BUSY],
    handler: async (context) => {
      const { hospital, params, query } = context;
      const order = await context.inTransaction((work) => readOrder(work, params.id));
      const data = labelsOf(order, query.specimenId, hospital);
      if (data.labels.length === 0) throw new Problem(LAB_SPECIMEN_NOT_FOUND);
      const { language } = hospital.settings;
      const options = { branding: { hospital: hospital.displayName }, language, createdAt: new Date() };
      return printed(`${order.orderNo}-labels.pdf`, renderer.render('specimen-labels', data, options));
    },
  });
}

/** What is printed, in the language of the hospital. Pure. @param specimenId default: all. */
export function labelsOf(
  { orderNo, priority, patient, specimens }: ShownOrder,
  specimenId: string | undefined,
  { settings, timezone }: Pick<Work['hospital'], 'settings' | 'timezone'>,
): SpecimenLabels {
  const { language } = settings;
  const locale = localeOf(settings);
  const word = words(language);
  const { unknown } = summaryWords(language);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short', timeZone: timezone });
  const mark = priority === 'routine' ? '' : word.priorities[priority];
  const live = specimens.filter(
    ({ id, status }) => status !== 'rejected' && status !== 'cancelled' && (specimenId ?? id) === id,
  );
  const { dateOfBirth } = patient;
  const born = dateOfBirth === null ? `${word.dateOfBirth}: ${unknown}` : day.format(new Date(dateOfBirth));
  return {
    orderNo,
    name: patientNameOf(patient),
    // No dot: beside Arabic digits, it would be a zero.
    facts: `${leftToRight(patient.patientCode)} | ${born}`,
    labels: live.map(({ accessionNo, type, collectedAt }) => ({
      ...{ accessionNo, type, mark, barcode: barcode(accessionNo) },
      time: `${word.collected}: ${collectedAt === null ? '________' : moment.format(new Date(collectedAt))}`,
    })),
  };
}
