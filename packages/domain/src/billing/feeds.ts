/** Invoices, charges and payments in the order of their last change. */
import { build } from '@hms/database';
import type { Feed } from '@hms/service';

export const invoiceFeed: Feed<'patient' | 'invoiceNo' | 'issuedAt' | 'status'> = {
  rows: () => build.from('invoices').whereNull('deleted_at'),
  id: 'id',
  changedAt: 'updated_at',
  fields: { patient: 'patient_id', invoiceNo: 'invoice_no', issuedAt: 'issued_at', status: 'status' },
};

export const chargeFeed: Feed<'patient' | 'aroseOn'> = {
  rows: () => build.from('charges').whereNull('deleted_at'),
  id: 'id',
  changedAt: 'updated_at',
  fields: { patient: 'patient_id', aroseOn: 'arose_on' },
};

/** Without void entries: what they take back is changed by them. */
export const paymentFeed: Feed<'receiptNo' | 'paidAt'> = {
  rows: () => build.from('payments').whereNot('kind', 'void'),
  id: 'id',
  changedAt:
    'coalesce((SELECT entry.paid_at FROM payments entry WHERE entry.of_payment = payments.id), payments.paid_at)',
  fields: { receiptNo: 'receipt_no', paidAt: 'payments.paid_at' },
};
