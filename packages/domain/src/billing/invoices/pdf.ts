/** The PDF of an invoice, in the folder `invoices` of the hospital. It is issued once, and never changes. */
import { type ErrorKind, fields, Problem, records, type TaskName, type Work } from '@hms/service';
import type { FileStorage, SignedUrl } from '@hms/storage';
import { z } from 'zod';
import {
  type FilePlace,
  type IssuedFile,
  issuedFilesOf,
  issuedUrl,
  issueFile,
  type Stored,
} from '../../issued-files/issued-files.ts';
import { type Invoice, invoices, type ShownInvoice } from './record.ts';
import { showInvoice } from './show.ts';

const input = z.object({ invoiceId: fields.id });
/** What an issued invoice asks the module payment to render. */
export const invoicePdf: TaskName<z.output<typeof input>> = { name: 'invoice-pdf', input, attempts: 16 };

export const INVOICE_PDF_NOT_READY: ErrorKind = {
  status: 409,
  code: 'INVOICE_PDF_NOT_READY',
  message: 'The PDF is rendered when the invoice is issued, which takes seconds: retry shortly',
  retryAfter: 3,
};

/** Allows the download of the PDF. @throws Problem INVOICE_NOT_FOUND, INVOICE_PDF_NOT_READY. */
export async function invoicePdfUrl(work: Work, storage: FileStorage, id: string): Promise<IssuedFile & SignedUrl> {
  const invoice = await records(work, invoices).read(id);
  const [pdf] = (await issuedFilesOf(work, 'invoices', [id])).get(id) ?? [];
  if (!pdf) throw new Problem(INVOICE_PDF_NOT_READY);
  return issuedUrl(work, storage, invoiceFile(invoice).place, pdf);
}

/** What is printed. Undefined if the PDF is issued already. */
export async function printableInvoice(work: Work, id: string): Promise<ShownInvoice | undefined> {
  const found = await records(work, invoices).find(id);
  if (!found || found.invoiceNo === null) return undefined;
  const issued = (await issuedFilesOf(work, 'invoices', [id])).get(id) ?? [];
  return issued.length === 0 ? showInvoice(work, found) : undefined;
}

/** Issues a stored PDF, unless another attempt did. */
export async function issueInvoicePdf(work: Work, id: string, stored: Stored): Promise<void> {
  const invoice = await records(work, invoices).lock(id);
  const issuedAt = await issueFile(work, invoiceFile(invoice), stored, invoice.patientId);
  // Its version stays: whoever has read the invoice has seen all that is to be paid.
  if (issuedAt !== undefined) work.changed('invoices', id);
}

/** The file with the PDF of an issued invoice. */
export function invoiceFile({ id, invoiceNo }: Pick<Invoice, 'id' | 'invoiceNo'>): FilePlace {
  return { record: 'invoices', recordId: id, revision: 1, place: `invoices/${invoiceNo}` };
}
