/** Invoice, ChargeItem (what a patient has to pay for), and PaymentReconciliation (a payment, with what it is for). */
import { chargeFeed, chargesById, type ShownCharge } from '@hms/domain/charges';
import { invoiceFeed, invoicesById, type ShownInvoice } from '@hms/domain/invoices';
import { samePerson } from '@hms/domain/patients';
import { paymentFeed, paymentsById, type ShownPayment } from '@hms/domain/payments';
import { digitsOf } from '@hms/money';
import type { Work } from '@hms/service';
import {
  baseUrl,
  dateIn,
  dayOf,
  decimal,
  HMS_FHIR,
  hl7,
  identifier,
  identifierIn,
  plainSource,
  present,
  type ResourceType,
  reference,
  referenceIn,
  type StatusCodes,
  statusIn,
  systems,
} from '@hms/service/fhir';
import type {
  ChargeItem,
  Invoice,
  InvoiceLineItem,
  InvoiceLineItemPriceComponent,
  Money,
  PaymentReconciliation,
  Reference,
} from 'fhir/r4.js';

const patient = referenceIn('patient', 'Patient', samePerson);

const STATUS = {
  system: 'http://hl7.org/fhir/invoice-status',
  codes: ['draft', 'issued', 'balanced', 'cancelled', 'entered-in-error'],
  shown: {
    draft: 'draft',
    issued: 'issued',
    partially_paid: 'issued',
    paid: 'balanced',
    partially_refunded: 'balanced',
    refunded: 'balanced',
    void: 'cancelled',
  },
} as const satisfies StatusCodes<ShownInvoice['status'], Invoice['status']>;

export const invoiceType: ResourceType = {
  type: 'Invoice',
  access: 'invoices.read',
  sources: [plainSource(invoiceFeed, invoicesById, showInvoice)],
  parameters: {
    identifier: identifierIn('invoiceNo', systems.invoiceNumber),
    status: statusIn('status', STATUS),
    patient,
    subject: patient,
    date: dateIn('issuedAt'),
  },
  audited: 'invoices',
};

export const chargeItemType: ResourceType = {
  type: 'ChargeItem',
  access: 'invoices.read',
  sources: [plainSource(chargeFeed, chargesById, showCharge)],
  parameters: { patient, subject: patient, occurrence: dateIn('aroseOn', 'day') },
  audited: 'charges',
};

export const paymentReconciliationType: ResourceType = {
  type: 'PaymentReconciliation',
  access: 'invoices.read',
  sources: [plainSource(paymentFeed, paymentsById, showPayment)],
  parameters: {
    identifier: identifierIn('receiptNo', systems.receiptNumber),
    created: dateIn('paidAt'),
  },
  audited: 'payments',
};

function showInvoice(invoice: ShownInvoice, work: Work): Invoice {
  const { id, invoiceNo, status, issuedAt, patientId, payerId, payerName, currency, notes, lines } = invoice;
  return {
    resourceType: 'Invoice',
    id,
    status: STATUS.shown[status],
    subject: elsewhere(work, 'Patient', patientId, invoice.patientName),
    recipient: elsewhere(work, 'Patient', payerId, payerName),
    totalNet: money(invoice.net, currency),
    totalGross: money(invoice.total, currency),
    ...present({
      identifier: invoiceNo === null ? [] : [identifier(systems.invoiceNumber(work), invoiceNo)],
      date: issuedAt,
      cancelledReason: invoice.voidReason,
      lineItem: lines.map((line) => showLine(line, currency)),
      note: notes === null ? [] : [{ text: notes }],
    }),
  };
}

function showLine(line: ShownInvoice['lines'][number], currency: string): InvoiceLineItem {
  const { seq, chargeId, description, gross, lineDiscount, benefit, invoiceDiscount, tax, taxBps } = line;
  const discount = lineDiscount + benefit + invoiceDiscount;
  const components: InvoiceLineItemPriceComponent[] = [
    { type: 'base', factor: line.quantity, amount: money(gross, currency) },
    ...(discount === 0 ? [] : [{ type: 'discount' as const, amount: money(discount, currency) }]),
    ...(tax === 0 ? [] : [{ type: 'tax' as const, factor: taxBps / 10_000, amount: money(tax, currency) }]),
  ];
  return {
    sequence: seq,
    ...(chargeId === null
      ? { chargeItemCodeableConcept: { text: description } }
      : { chargeItemReference: reference('ChargeItem', chargeId, description) }),
    priceComponent: components,
  };
}

function showCharge(charge: ShownCharge, work: Work): ChargeItem {
  const { id, status, isBilled, description, patientId, patientName, aroseOn, quantity, unitPrice } = charge;
  return {
    resourceType: 'ChargeItem',
    id,
    status: status === 'cancelled' ? 'aborted' : isBilled ? 'billed' : 'billable',
    code: { text: description },
    subject: elsewhere(work, 'Patient', patientId, patientName),
    occurrenceDateTime: dayOf(aroseOn),
    quantity: { value: quantity },
    // The price of one, before any discount.
    priceOverride: money(unitPrice, work.hospital.currency),
  };
}

function showPayment(payment: ShownPayment, work: Work): PaymentReconciliation {
  const { id, kind, isVoid, paidAt, receiptNo, invoiceId, reason, currency } = payment;
  const amount = money(kind === 'payment' ? payment.amount : -payment.amount, currency);
  return {
    resourceType: 'PaymentReconciliation',
    id,
    identifier: [identifier(systems.receiptNumber(work), receiptNo)],
    status: isVoid ? 'cancelled' : 'active',
    created: paidAt,
    paymentDate: paidAt.slice(0, 10),
    paymentAmount: amount,
    detail: [
      {
        type: hl7('payment-type', invoiceId === null ? 'advance' : kind === 'payment' ? 'payment' : 'adjustment'),
        date: paidAt.slice(0, 10),
        amount,
        ...(invoiceId === null ? {} : { request: reference('Invoice', invoiceId) }),
      },
    ],
    ...present({ disposition: reason }),
  };
}

/** Patients belong to the module hms. FHIR resolves a relative reference on the same server, so it is absolute. */
function elsewhere(work: Work, type: string, id: string, display?: string | null): Reference {
  return reference(`${baseUrl(work, HMS_FHIR)}/${type}`, id, display);
}

/** With the decimals of the currency. */
function money(amount: number, currency: string): Money {
  const digits = digitsOf(currency);
  const units = String(Math.abs(amount)).padStart(digits + 1, '0');
  const whole = units.slice(0, units.length - digits);
  const part = digits === 0 ? '' : `.${units.slice(units.length - digits)}`;
  return { value: decimal(`${amount < 0 ? '-' : ''}${whole}${part}`), currency };
}
