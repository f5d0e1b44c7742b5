/** Every type of resource of this module, validated by HAPI's validator. */
import type { ShownInvoice } from '@hms/domain/invoices';
import { fhirProblems, readFhir } from '@hms/service/fhir/testing';
import { expect, it } from '@jest/globals';
import { accountant, INVOICES, line, patientId, payment, success, useHospital } from '../testing.ts';

useHospital();

it('is valid FHIR R4, and the check refuses what is not', async () => {
  const lines = [line(1000, { taxBps: 1900, discount: { amount: 100 } }), line(5)];
  const { id } = await success<ShownInvoice>('POST', INVOICES, { patientId, lines });
  await success('POST', `${INVOICES}/${id}/issue`);
  await success('POST', `${INVOICES}/${id}/pay`);
  const texts: Record<string, string> = { wrong: '{"resourceType": "Invoice", "status": "nonsense"}' };
  for (const path of ['Invoice', 'ChargeItem', 'PaymentReconciliation', 'metadata', 'Invoice?date=yesterday']) {
    const { text, type } = await readFhir(`${payment.url}/api/payment/fhir/R4/${path}`, accountant);
    expect([path, type]).toEqual([path, 'application/fhir+json']);
    texts[path.replaceAll(/\W/g, '-')] = text;
  }
  expect(await fhirProblems(texts)).toEqual({
    ...Object.fromEntries(Object.keys(texts).map((name) => [name, ''])),
    wrong: expect.stringContaining('nonsense'),
  });
}, 180_000);
