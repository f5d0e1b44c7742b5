/** Invoices and receipts as PDFs. */
import type { Renderer } from '@hms/documents';
import { readDeposit } from '@hms/domain/deposits';
import * as invoices from '@hms/domain/invoices';
import { issuedFileUrl, noteIssued } from '@hms/domain/issued-files';
import { issuingTask, withUrl } from '@hms/domain/issuing';
import * as payments from '@hms/domain/payments';
import { DOCUMENTS_BUSY, printed } from '@hms/domain/printing';
import { CREDIT_NOTE_NOT_FOUND, readCreditNote } from '@hms/domain/refunds';
import { brandingOf } from '@hms/domain/rendering';
import { fields, type Platform, type RequestContext, type Route, route, type Task } from '@hms/service';
import { z } from 'zod';
import { creditNoteSheet, invoiceSheet, receiptSlip } from './papers.ts';

const RECEIPTS = '/api/payment/receipts';

export function invoicePdfTask(platform: Platform, renderer: Renderer): Task<{ readonly invoiceId: string }> {
  return issuingTask(platform, renderer, {
    task: invoices.invoicePdf,
    template: 'invoice',
    find: async (work, { invoiceId }) => {
      const invoice = await invoices.printableInvoice(work, invoiceId);
      if (!invoice) return undefined;
      const createdAt = new Date(invoice.issuedAt ?? invoice.createdAt);
      return { file: invoices.invoiceFile(invoice), data: invoiceSheet(invoice, work.hospital), createdAt };
    },
    issue: (work, { invoiceId }, stored) => invoices.issueInvoicePdf(work, invoiceId, stored),
  });
}

export function paperRoutes(platform: Platform, renderer: Renderer): readonly Route[] {
  /** Renders a paper, which the hospital has issued from then on. */
  const noted = async (context: RequestContext, ...paper: Parameters<typeof renderer.render>) => {
    const rendered = await renderer.render(...paper);
    await context.inTransaction((work) => noteIssued(work, rendered.sha256));
    return rendered;
  };
  return [
    route({
      method: 'GET',
      path: '/api/payment/invoices/:id/pdf',
      operationId: 'readInvoicePdfUrl',
      summary: 'Get a URL to download an invoice as a PDF',
      description:
        'Whoever has the URL can download the PDF for a minute. It has what was issued, and never changes: the record says what is paid since.',
      access: 'invoices.read',
      params: fields.idParams,
      response: issuedFileUrl.omit({ revision: true }).meta({ id: 'InvoicePdfUrl' }),
      errors: [invoices.INVOICE_NOT_FOUND, invoices.INVOICE_PDF_NOT_READY],
      handler: async (context) => {
        const { revision: _, ...file } = await invoices.invoicePdfUrl(context, platform.storage, context.params.id);
        return withUrl(file);
      },
    }),
    route({
      method: 'GET',
      path: RECEIPTS,
      operationId: 'listReceipts',
      summary: 'List receipts, the latest first',
      description: '`from` and `to` are about when it was paid.',
      access: 'invoices.read',
      query: payments.receiptQuery,
      response: z.array(payments.shownPayment),
      paged: true,
      handler: (context) => payments.listReceipts(context, context.query),
    }),
    route({
      method: 'GET',
      path: `${RECEIPTS}/:id`,
      operationId: 'readReceipt',
      summary: 'Read a receipt and its payment',
      description: 'The id is that of the payment.',
      access: 'invoices.read',
      params: fields.idParams,
      response: payments.shownPayment,
      errors: [payments.RECEIPT_NOT_FOUND],
      handler: async (context) => ({ data: await payments.readReceipt(context, context.params.id) }),
    }),
    route({
      method: 'GET',
      path: `${RECEIPTS}/:id/pdf`,
      operationId: 'readReceiptPdf',
      summary: 'Print a receipt as a PDF for a roll of 80 mm',
      description: 'The id is that of the payment. After `reprint`, the paper says which copy it is.',
      access: 'invoices.read',
      params: fields.idParams,
      response: z.string().describe('A PDF'),
      contentType: 'application/pdf',
      database: 'none',
      errors: [payments.RECEIPT_NOT_FOUND, DOCUMENTS_BUSY],
      handler: async (context) => {
        const { hospital, params } = context;
        const { payment, of, copy } = await context.inTransaction(async (work) => {
          const found = await payments.readReceipt(work, params.id);
          const { invoiceId, depositId } = found;
          const [invoice] = invoiceId === null ? [] : await invoices.invoicesById(work, [invoiceId]);
          const deposit = depositId === null ? undefined : await readDeposit(work, depositId);
          const patientName = invoice?.patientName ?? deposit?.patientName ?? '';
          const about = { invoice, depositNo: deposit?.depositNo, patientName };
          return { payment: found, of: about, copy: await payments.lastCopy(work, params.id) };
        });
        const branding = await brandingOf(platform.storage, hospital);
        const createdAt = new Date(copy?.at ?? payment.paidAt);
        const options = { branding, language: hospital.settings.language, createdAt };
        const data = receiptSlip(payment, of, hospital, copy);
        return printed(`${payment.receiptNo}.pdf`, noted(context, 'receipt', data, options));
      },
    }),
    route({
      method: 'GET',
      path: '/api/payment/credit-notes/:id/pdf',
      operationId: 'readCreditNotePdf',
      summary: 'Print a credit note as a PDF',
      access: 'invoices.read',
      params: fields.idParams,
      response: z.string().describe('A PDF'),
      contentType: 'application/pdf',
      database: 'none',
      errors: [CREDIT_NOTE_NOT_FOUND, DOCUMENTS_BUSY],
      handler: async (context) => {
        const { hospital, params } = context;
        const note = await context.inTransaction((work) => readCreditNote(work, params.id));
        const branding = await brandingOf(platform.storage, hospital);
        const options = { branding, language: hospital.settings.language, createdAt: new Date(note.issuedAt) };
        return printed(`${note.creditNo}.pdf`, noted(context, 'invoice', creditNoteSheet(note, hospital), options));
      },
    }),
    route({
      method: 'POST',
      path: `${RECEIPTS}/:id/reprint`,
      operationId: 'reprintReceipt',
      summary: 'Count that a receipt is printed again',
      description: 'The PDF then says which copy it is, when it was printed and by whom.',
      access: 'payments.write',
      params: fields.idParams,
      response: payments.shownPayment,
      errors: [payments.RECEIPT_NOT_FOUND],
      handler: async (context) => ({ data: await payments.countCopy(context, context.params.id) }),
    }),
  ];
}
