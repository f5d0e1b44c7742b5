/** The PDF of a prescription, in the folder `prescriptions` of the hospital. It is issued once, and never changes. */
import { Problem, records, type Work } from '@hms/service';
import type { FileStorage, SignedUrl } from '@hms/storage';
import {
  type FilePlace,
  type IssuedFile,
  issuedFilesOf,
  issuedUrl,
  issueFile,
  type Stored,
} from '../issued-files/issued-files.ts';
import { type Patient, patients } from '../patients/record.ts';
import { PRESCRIPTION_PDF_NOT_READY } from './errors.ts';
import { type Prescription, prescriptions, type ShownPrescription } from './record.ts';
import { showPrescription } from './show.ts';

/** Allows the download of the PDF. @throws Problem PRESCRIPTION_NOT_FOUND, PRESCRIPTION_PDF_NOT_READY. */
export async function pdfUrl(work: Work, storage: FileStorage, id: string): Promise<IssuedFile & SignedUrl> {
  const prescription = await records(work, prescriptions).read(id);
  const [pdf] = (await issuedFilesOf(work, 'prescriptions', [id])).get(id) ?? [];
  if (!pdf) throw new Problem(PRESCRIPTION_PDF_NOT_READY);
  return issuedUrl(work, storage, pdfFile(prescription).place, pdf);
}

/** What is printed. Undefined if the PDF is issued already. */
export async function printable(
  work: Work,
  id: string,
): Promise<{ readonly prescription: ShownPrescription; readonly patient: Patient } | undefined> {
  const found = await records(work, prescriptions).find(id);
  if (!found) return undefined;
  const [prescription, patient] = await Promise.all([
    showPrescription(work, found),
    records(work, patients).find(found.patientId),
  ]);
  return patient && prescription.pdf === null ? { prescription, patient } : undefined;
}

/** Issues a stored PDF, unless another attempt did. */
export async function issuePdf(work: Work, id: string, stored: Stored): Promise<void> {
  const prescription = await records(work, prescriptions).lock(id);
  const issuedAt = await issueFile(work, pdfFile(prescription), stored, prescription.patientId);
  // Its version stays: whoever has read the prescription has seen all that is prescribed.
  if (issuedAt !== undefined) work.changed('prescriptions', id);
}

/** The file with the PDF of a prescription. */
export function pdfFile({ id, rxNo }: Pick<Prescription, 'id' | 'rxNo'>): FilePlace {
  return { record: 'prescriptions', recordId: id, revision: 1, place: `prescriptions/${rxNo}` };
}
