/** A prescription as a PDF: rendered by a background task when it is written. */
import { barcode, type PrescriptionSheet, type Renderer } from '@hms/documents';
import { issuedFileUrl } from '@hms/domain/issued-files';
import { issuingTask, withUrl } from '@hms/domain/issuing';
import { type Patient, patientNameOf } from '@hms/domain/patients';
import type { ShownPrescription } from '@hms/domain/prescriptions';
import * as domain from '@hms/domain/prescriptions';
import { fact, leftToRight } from '@hms/domain/rendering';
import { fields, type Platform, type Route, route, type Task, type Work } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { words as summaryWords } from '../documents/summary-words.ts';
import { words } from './words.ts';

export function prescriptionPdfTask(platform: Platform, renderer: Renderer): Task<{ readonly prescriptionId: string }> {
  return issuingTask(platform, renderer, {
    task: domain.prescriptionPdf,
    template: 'prescription',
    find: async (work, { prescriptionId }) => {
      const found = await domain.printable(work, prescriptionId);
      if (!found) return undefined;
      const { prescription, patient } = found;
      const createdAt = new Date(prescription.createdAt);
      return { file: domain.pdfFile(prescription), data: sheetOf(prescription, patient, work.hospital), createdAt };
    },
    issue: (work, { prescriptionId }, stored) => domain.issuePdf(work, prescriptionId, stored),
  });
}

export function prescriptionPdfRoute({ storage }: Platform): Route {
  return route({
    method: 'GET',
    path: '/api/hms/prescriptions/:id/pdf',
    operationId: 'readPrescriptionPdfUrl',
    summary: 'Get a URL to download a prescription as a PDF',
    description:
      'Whoever has the URL can download the PDF for a minute. It has what was prescribed, and never changes: the record says whether the prescription was cancelled since.',
    access: 'prescriptions.read',
    params: fields.idParams,
    response: issuedFileUrl.omit({ revision: true }).meta({ id: 'PrescriptionPdfUrl' }),
    errors: [domain.PRESCRIPTION_NOT_FOUND, domain.PRESCRIPTION_PDF_NOT_READY],
    handler: async (context) => {
      const { revision: _, ...file } = await domain.pdfUrl(context, storage, context.params.id);
      return withUrl(file);
    },
  });
}

/** What is printed, in the language of the hospital. Notes for the pharmacy are not, because they can change. Pure. */
export function sheetOf(
  prescription: ShownPrescription,
  patient: Patient,
  { settings, timezone }: Pick<Work['hospital'], 'settings' | 'timezone'>,
): PrescriptionSheet {
  const { language } = settings;
  const locale = localeOf(settings);
  const word = words(language);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone });
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 3 });
  const kilograms = new Intl.NumberFormat(language, { style: 'unit', unit: 'kilogram', maximumFractionDigits: 2 });
  const days = new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  const { patientCode, dateOfBirth, gender } = patient;
  const { genders, unknown } = summaryWords(language);
  const { rxNo, doctorName, validUntil, createdAt, items, weightKg, weighedOn } = prescription;
  const weight =
    weightKg !== null && weighedOn !== null ? [kilograms.format(weightKg), day.format(new Date(weighedOn))] : [];
  return {
    rxNo,
    name: patientNameOf(patient),
    title: word.title,
    facts: [
      [word.patientCode, leftToRight(patientCode)],
      [word.dateOfBirth, dateOfBirth === null ? unknown : day.format(new Date(dateOfBirth))],
      ...fact(word.gender, gender && genders[gender]),
      ...fact(word.weight, weight.join(word.comma)),
      ...fact(word.doctor, doctorName),
      [word.validUntil, day.format(new Date(validUntil))],
    ],
    columns: word.columns,
    rows: items.map((item) => ({
      drug: [item.drugName, ...(item.strength === null ? [] : [leftToRight(item.strength)])].join(' '),
      dose: `${number.format(item.dose)} ${item.unit}`,
      timesPerDay: number.format(item.timesPerDay),
      duration: days.format(item.durationDays),
      quantity: `${number.format(item.quantity)} ${item.unit}`,
      notes: [
        ...(item.instructions === null ? [] : [item.instructions]),
        ...(item.maySubstitute ? [] : [word.noSubstitute]),
      ],
    })),
    signature: [word.signature, ...(doctorName === null ? [] : [doctorName])].join(': '),
    issued: `${word.prescribed} ${moment.format(new Date(createdAt))}`,
    barcode: barcode(rxNo),
  };
}
