/** Wristbands and labels of patients, to print at once. They are not kept. */
import { barcode, type PersonLabels, qrCode, type Renderer } from '@hms/documents';
import { PATIENT_NOT_FOUND, type Patient, patientNameOf, patients, survivorOf, warningsOf } from '@hms/domain/patients';
import { DOCUMENTS_BUSY, printed } from '@hms/domain/printing';
import { fields, type Route, records, route, type Work } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { z } from 'zod';
import { words } from './summary-words.ts';

const MOST_COPIES = 50;

export function labelsRoute(renderer: Renderer): Route {
  return route({
    method: 'GET',
    path: '/api/hms/patients/:id/labels',
    operationId: 'readPatientLabels',
    summary: 'Print a wristband or labels of a patient as a PDF',
    description:
      'A wristband is 254 × 25 mm, a label 62 × 29 mm. Each copy is a page. The barcode (Code 128) and the QR code are the code of the patient.',
    access: 'patients.read',
    params: fields.idParams,
    query: z.object({
      form: z.enum(['wristband', 'label']).default('label'),
      copies: fields.count(MOST_COPIES).default(1),
    }),
    response: z.string().describe('A PDF'),
    contentType: 'application/pdf',
    database: 'none',
    errors: [PATIENT_NOT_FOUND, DOCUMENTS_BUSY],
    handler: async (context) => {
      const { hospital } = context;
      const patient = await context.inTransaction(async (work) => {
        const found = await records(work, patients).read((await survivorOf(work, context.params.id)).id);
        return { ...found, ...(await warningsOf(work, found)) };
      });
      const { displayName, settings } = hospital;
      const options = { branding: { hospital: displayName }, language: settings.language, createdAt: new Date() };
      const data = labelsOf(patient, context.query, hospital);
      const name = `${patient.patientCode}-${context.query.form}.pdf`;
      return printed(name, renderer.render('person-labels', data, options));
    },
  });
}

/** What is printed, in the language of the hospital. Pure. */
function labelsOf(
  patient: Patient,
  { form, copies }: Pick<PersonLabels, 'form' | 'copies'>,
  { settings }: Pick<Work['hospital'], 'settings'>,
): PersonLabels {
  const { patientCode, dateOfBirth, gender, allergies } = patient;
  const { language } = settings;
  const word = words(language);
  const day = new Intl.DateTimeFormat(localeOf(settings), { dateStyle: 'long', timeZone: 'UTC' });
  const born = dateOfBirth === null ? `${word.dateOfBirth}: ${word.unknown}` : day.format(new Date(dateOfBirth));
  return {
    ...{ form, copies, code: patientCode, name: patientNameOf(patient) },
    facts: [born, ...(gender ? [word.genders[gender]] : [])].join(' · '),
    // Only that there are some: a list that does not fit would look complete.
    warning: allergies && allergies.length > 0 ? word.allergies.toLocaleUpperCase(language) : '',
    barcode: barcode(patientCode),
    qrCode: qrCode(patientCode),
  };
}
