/** The FHIR facade of money: resources, parameters, and who may read them. */
import { addCharges } from '@hms/domain/charges';
import type { ShownInvoice } from '@hms/domain/invoices';
import type { ShownPayment } from '@hms/domain/payments';
import { newId } from '@hms/service';
import { readFhir } from '@hms/service/fhir/testing';
import { expect, it } from '@jest/globals';
import type { Bundle, CapabilityStatement, FhirResource, Invoice, OperationOutcome } from 'fhir/r4.js';
import { accountant, INVOICES, line, mary, patientId, payment, success, useHospital, within } from '../testing.ts';

useHospital();

const FHIR = '/api/payment/fhir/R4';
const fhir = <Body>(path: string, token = accountant) => readFhir<Body>(`${payment.url}${FHIR}/${path}`, token);
async function found(path: string): Promise<FhirResource[]> {
  const { status, body } = await fhir<Bundle<FhirResource>>(path);
  expect([path, status]).toEqual([path, 200]);
  return (body.entry ?? []).flatMap(({ resource }) => resource ?? []);
}

async function issuedWithCharge(): Promise<ShownInvoice> {
  const charge = { sourceType: 'lab', itemGroup: 'laboratory', description: 'Glucose', unitPrice: 500 } as const;
  await within((work) => addCharges(work, [{ ...charge, patientId, sourceId: newId(), quantity: 2, taxBps: 0 }]));
  const lines = [line(1000, { taxBps: 1900, discount: { amount: 100 } })];
  const { id } = await success<ShownInvoice>('POST', INVOICES, { patientId, openCharges: true, lines });
  return success('POST', `${INVOICES}/${id}/issue`);
}

it('serves an invoice with its lines, what they are for, and its payment', async () => {
  const { currency } = mary.hospital;
  const invoice = await issuedWithCharge();
  const paid = await success<ShownPayment>('POST', `${INVOICES}/${invoice.id}/pay`);
  const { body } = await fhir<Invoice>(`Invoice/${invoice.id}`);
  expect(body).toMatchObject({
    ...{ resourceType: 'Invoice', status: 'balanced', totalGross: { value: 20.71, currency } },
    identifier: [{ value: invoice.invoiceNo }],
    subject: { reference: `${mary.hospital.portal}/api/hms/fhir/R4/Patient/${patientId}` },
  });
  expect(body.lineItem).toMatchObject([
    {
      sequence: 1,
      chargeItemCodeableConcept: { text: 'Consultation' },
      priceComponent: [
        { type: 'base', amount: { value: 10 } },
        { type: 'discount', amount: { value: 1 } },
        { type: 'tax', factor: 0.19, amount: { value: 1.71 } },
      ],
    },
    { sequence: 2, chargeItemReference: { display: 'Glucose' } },
  ]);
  const [item] = await found(`ChargeItem?patient=${patientId}`);
  expect(item).toMatchObject({ status: 'billed', quantity: { value: 2 }, priceOverride: { value: 5, currency } });
  expect(body.lineItem?.[1]?.chargeItemReference?.reference).toBe(`ChargeItem/${item?.id}`);
  expect(await found(`PaymentReconciliation?identifier=${paid.receiptNo}`)).toMatchObject([
    {
      ...{ status: 'active', paymentAmount: { value: 20.71, currency } },
      detail: [{ request: { reference: `Invoice/${invoice.id}` }, amount: { value: 20.71 } }],
    },
  ]);
});

it('finds by number, status, day and patient, and refuses what it does not know', async () => {
  const { id, invoiceNo } = await issuedWithCharge();
  const day = new Date().toISOString().slice(0, 10);
  for (const query of [`identifier=${invoiceNo}`, 'status=issued', `date=le${day}T23:59:59Z`, `subject=${patientId}`])
    expect([query, (await found(`Invoice?${query}`)).map((one) => one.id)]).toEqual([query, [id]]);
  for (const query of ['status=balanced', 'date=lt2020'])
    expect([query, await found(`Invoice?${query}`)]).toEqual([query, []]);
  expect((await fhir<OperationOutcome>('Invoice?status=nonsense')).status).toBe(400);
  expect((await fhir<OperationOutcome>('Patient')).status).toBe(404);
  const { body } = await fhir<CapabilityStatement>('metadata');
  expect(body.rest?.[0]?.resource?.map(({ type }) => type)).toEqual(['Invoice', 'ChargeItem', 'PaymentReconciliation']);
});

it('is for those who may see invoices', async () => {
  const nurse = await mary.token(['NURSE']);
  for (const path of ['metadata', 'Invoice', 'ChargeItem', 'PaymentReconciliation'])
    expect([path, (await fhir(path, nurse)).status]).toEqual([path, 403]);
});
