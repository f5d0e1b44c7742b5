/** Invoices and receipts as PDFs: stored once, known as genuine, and counted when they are printed again. */
import { createHash } from 'node:crypto';
import { updateHospital } from '@hms/database';
import { lastCopy } from '@hms/domain/payments';
import { DEFAULT_SETTINGS } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import {
  call,
  cashier,
  INVOICES,
  issued,
  line,
  mary,
  outcome,
  payment,
  success,
  useHospital,
  within,
} from './testing.ts';

useHospital();

interface PdfUrl {
  readonly missingCharacters: readonly string[];
  readonly url: string;
  readonly sha256: string;
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The hospital that has issued exactly this file. */
async function issuerOf(sha256: string): Promise<readonly string[]> {
  const rows = await payment.operator.withSchema('platform').from('issued_documents').where({ sha256 }).select();
  return rows.map(({ hospital_id }) => hospital_id);
}

async function invoicePdf(id: string): Promise<PdfUrl> {
  const answer = await until(
    'the PDF',
    () => call('GET', `${INVOICES}/${id}/pdf`),
    ({ status }) => status === 200,
  );
  return answer.data<PdfUrl>();
}

async function receiptPdf(id: string): Promise<Uint8Array> {
  const answer = await fetch(`${payment.url}/api/payment/receipts/${id}/pdf`, {
    headers: { authorization: `Bearer ${cashier}` },
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return new Uint8Array(await answer.arrayBuffer());
}

describe('the PDF of an invoice', () => {
  it.each(['en-IE', 'ar-EG'])('is stored under its hash, and known as genuine, in %s', async (language) => {
    const settings = { ...DEFAULT_SETTINGS, language };
    await updateHospital(payment.operator, mary.hospital.prefix, { settings });
    const { id, invoiceNo } = await issued(line(1000));
    const { url, sha256 } = await invoicePdf(id);
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    expect(hashOf(bytes)).toBe(sha256);
    expect(new URL(url).pathname).toContain(`/${mary.hospital.prefix}/invoices/${invoiceNo}-${sha256}.pdf`);
    expect(await issuerOf(sha256)).toEqual([mary.hospital.id]);
  });

  it('says which characters of its text it shows as codes, because no font has them', async () => {
    const { id } = await issued({ ...line(1000), description: 'Kit 🧪' });
    expect(await invoicePdf(id)).toMatchObject({ missingCharacters: ['U+1F9EA'] });
    expect(await invoicePdf((await issued(line(1000))).id)).toMatchObject({ missingCharacters: [] });
  });

  it('is there only once the invoice is issued', async () => {
    const { id } = await success<{ id: string }>('POST', INVOICES, {
      patientId: (await issued(line(1))).patientId,
      lines: [line(1000)],
    });
    expect(await outcome('GET', `${INVOICES}/${id}/pdf`)).toBe('INVOICE_PDF_NOT_READY');
  });
});

describe('a receipt', () => {
  it('is the same each time, until a copy is counted, and each is known as genuine', async () => {
    const { id: invoiceId } = await issued(line(1000));
    const { id } = await success<{ id: string }>('POST', `${INVOICES}/${invoiceId}/pay`);
    const first = await receiptPdf(id);
    expect(await receiptPdf(id)).toEqual(first);
    expect(await success('POST', `/api/payment/receipts/${id}/reprint`)).toMatchObject({ copies: 1 });
    expect(await within((work) => lastCopy(work, id))).toMatchObject({ number: 1, by: 'Jane Doe' });
    const copy = await receiptPdf(id);
    expect(hashOf(copy)).not.toBe(hashOf(first));
    for (const paper of [first, copy]) expect(await issuerOf(hashOf(paper))).toEqual([mary.hospital.id]);
  });
});
