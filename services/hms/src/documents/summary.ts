/** The summary of a patient as a PDF, which a background task renders. */

import { barcode, type PatientSummary, qrCode, type Renderer } from '@hms/documents';
import { issueRendered, storeRendered } from '@hms/domain/documents';
import { families } from '@hms/domain/families';
import { PATIENT_NOT_FOUND, type Patient, patientNameOf, patients, survivorOf, warningsOf } from '@hms/domain/patients';
import { brandingOf, fact, leftToRight, logFlaws, missingCodes } from '@hms/domain/rendering';
import { fields, newId, type Platform, type Route, records, route, type Task, task, type Work } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { z } from 'zod';
import type { settleTask } from './documents.routes.ts';
import { words } from './summary-words.ts';

const input = z.object({ patientId: z.uuid(), documentId: z.uuid(), requestedAt: z.iso.datetime() });
const accepted = z.object({ documentId: z.uuid() }).meta({ id: 'RequestedDocument' });

export function summaryTask(
  { storage }: Platform,
  renderer: Renderer,
  settle: ReturnType<typeof settleTask>,
): Task<z.output<typeof input>> {
  return task({
    name: 'patient-summary',
    input,
    prepare: async (context, { patientId, documentId, requestedAt }) => {
      const { hospital, inTransaction } = context;
      const [patient, family] = await inTransaction(async (work) => {
        const found = await records(work, patients).find(patientId);
        const familyId = found?.familyId ?? undefined;
        const family = familyId === undefined ? undefined : await records(work, families).find(familyId);
        return [found && { ...found, ...(await warningsOf(work, found)) }, family] as const;
      });
      // Deleted since it was requested.
      if (!patient || patient.deletedAt !== undefined) return undefined;
      const { language } = hospital.settings;
      const branding = await brandingOf(storage, hospital);
      const createdAt = new Date(requestedAt);
      const data = summaryOf(patient, family, hospital, createdAt);
      const rendered = await renderer.render('patient-summary', data, { branding, language, createdAt });
      logFlaws(context.log, 'summary', rendered);
      const fileName = summaryName(patient.patientCode, createdAt, hospital.timezone);
      const { pdf, sha256 } = rendered;
      const missingCharacters = missingCodes(rendered);
      const document = { id: documentId, patient, kind: 'summary', fileName, pdf, sha256, missingCharacters } as const;
      return (await storeRendered(context, storage, settle, document)) ? sha256 : undefined;
    },
    run: async (work, { documentId }, stored) => {
      if (stored !== undefined) await issueRendered(work, documentId, stored);
    },
  });
}

/** Such as `HSP-000123 2026-11-27 204805.pdf`, so that summaries can be told apart. @param timezone of the hospital */
function summaryName(patientCode: string, at: Date, timezone: string): string {
  const time = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone: timezone }).format(
    at,
  );
  return `${patientCode} ${time.replaceAll(':', '')}.pdf`;
}

/** What is printed, in the language of the hospital. Pure. */
export function summaryOf(
  patient: Patient,
  family: { readonly name: string; readonly familyCode: string } | undefined,
  { settings, timezone }: Pick<Work['hospital'], 'settings' | 'timezone'>,
  issuedAt: Date,
): PatientSummary {
  const { language } = settings;
  const locale = localeOf(settings);
  const word = words(language);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: timezone });
  const { patientCode, dateOfBirth, gender, bloodGroup, phone, email, address, allergies, alerts } = patient;
  const allergyTexts = allergies?.map(({ substance, severity, note }) =>
    [`${substance} (${word.severities[severity]})`, ...(note === undefined ? [] : [note])].join(', '),
  );
  return {
    patientCode,
    name: patientNameOf(patient),
    title: word.title,
    facts: [
      [word.dateOfBirth, dateOfBirth === null ? word.unknown : day.format(new Date(dateOfBirth))],
      ...fact(word.gender, gender && word.genders[gender]),
      [word.phone, phone === null ? word.unknown : leftToRight(phone)],
      ...fact(word.email, email && leftToRight(email)),
      ...fact(word.address, address && addressText(address, language)),
      ...fact(word.bloodGroup, bloodGroup && leftToRight(bloodGroup.replace('-', '−'))),
      ...fact(word.allergies, allergyTexts ? allergyTexts.join('; ') || word.noAllergies : word.allergiesNotAsked),
      ...fact(word.alerts, alerts.join('; ')),
      ...(family ? [[word.family, `${family.name} (${leftToRight(family.familyCode)})`] as const] : []),
      [word.registered, moment.format(new Date(patient.createdAt))],
    ],
    issued: `${word.issued} ${moment.format(issuedAt)}`,
    barcode: barcode(patientCode),
    qrCode: qrCode(patientCode),
  };
}

function addressText(address: NonNullable<Patient['address']>, language: string): string {
  const { street, postalCode, city, region, country } = address;
  const countryName = country && (new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country);
  const town = [postalCode, city].filter(Boolean).join(' ');
  return [street, town, region, countryName].filter(Boolean).join(', ');
}

export function summaryRoute(summary: ReturnType<typeof summaryTask>): Route {
  return route({
    method: 'POST',
    path: '/api/hms/patients/:id/summary',
    operationId: 'requestPatientSummary',
    summary: 'Request a summary of a patient as a PDF',
    description:
      'The PDF is rendered in the background, usually within seconds. Then it is a document of the patient with the returned id and the kind `summary`. Until then, its URL gets 404 `DOCUMENT_NOT_FOUND`.',
    // The summary shows the whole record. To fetch it, somebody also needs `documents.read`.
    access: 'patients.read',
    params: fields.idParams,
    response: accepted,
    status: 202,
    errors: [PATIENT_NOT_FOUND],
    handler: async (context) => {
      const { id: patientId } = await records(context, patients).read(
        (await survivorOf(context, context.params.id)).id,
      );
      const documentId = newId();
      const details = { kind: 'summary' };
      context.audit({ action: 'create', record: 'patient_documents', recordId: documentId, patientId, details });
      context.addTask(summary, { patientId, documentId, requestedAt: new Date().toISOString() });
      return { data: { documentId } };
    },
  });
}
