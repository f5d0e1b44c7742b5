/** The timeline of a patient: of those who are one person, by subject, and only what the reader may see. */
import type { Document } from '@hms/domain/documents';
import type { Patient } from '@hms/domain/patients';
import { newId } from '@hms/service';
import { expect, it } from '@jest/globals';
import { admin, create, doctor, hms, mary, PATIENTS } from './testing.ts';

interface Event {
  readonly kind: string;
  readonly patientId: string;
  readonly details: Readonly<Record<string, string>>;
}

const timeline = async ({ id }: Patient, query = '', token = doctor) =>
  (await hms.send('GET', `${PATIENTS}/${id}/timeline?${query}`, { token })).data<Event[]>();
async function act(verb: string, { id }: Patient, body: object = {}): Promise<void> {
  const answer = await hms.send('POST', `${PATIENTS}/${id}/${verb}`, { token: admin, body });
  expect([verb, answer.error]).toEqual([verb, undefined]);
}
/** A document as if it were uploaded. */
const aDocument = async (patient: Patient) => {
  const body = { fileName: 'report.pdf', contentType: 'application/pdf', size: 9, sha256: 'a'.repeat(64) };
  const answer = await hms.send('POST', `${PATIENTS}/${patient.id}/documents`, { token: doctor, body });
  const { id } = answer.data<Document>();
  await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
    trx.query("UPDATE patient_documents SET status = 'available' WHERE id = $1", [id]),
  );
};

it('has what happened to the patient and to those merged with them', async () => {
  const [jane, alias] = [await create(), await create()];
  await aDocument(alias);
  await act('merge', alias, { intoId: jane.id });
  const events = await timeline(jane);
  expect(events.map(({ kind, patientId }) => [kind, patientId === jane.id ? 'jane' : 'alias'])).toEqual(
    expect.arrayContaining([
      ['patient.registered', 'jane'],
      ['family.joined', 'jane'],
      ['patient.registered', 'alias'],
      ['family.joined', 'alias'],
      ['document.added', 'alias'],
      ['patient.merged', 'alias'],
    ]),
  );
  expect(events).toHaveLength(6);
  expect(events[0]).toMatchObject({
    kind: 'patient.merged',
    details: { patientCode: alias.patientCode, intoCode: jane.patientCode },
  });
  expect(await timeline(jane, 'kind=document.added')).toEqual([
    expect.objectContaining({ details: { fileName: 'report.pdf', documentKind: 'document' } }),
  ]);
  expect((await timeline(jane, 'subject=family')).map(({ kind }) => kind)).toEqual(['family.joined', 'family.joined']);
  expect(await timeline(jane, 'limit=1&page=2')).toEqual([events[1]]);
});

it('tells both of a merge and a separation after the separation', async () => {
  const [jane, alias] = [await create(), await create()];
  await act('merge', alias, { intoId: jane.id });
  await act('unmerge', alias);
  const details = { patientCode: alias.patientCode, intoCode: jane.patientCode };
  for (const patient of [jane, alias]) {
    const own = (await timeline(patient, 'subject=patient')).map(({ kind, ...event }) => [kind, event.details]);
    expect(own).toEqual([
      ['patient.separated', details],
      ['patient.merged', details],
      ['patient.registered', { patientCode: patient.patientCode }],
    ]);
  }
});

it('tells that the record was deleted and restored', async () => {
  const jane = await create();
  await hms.send('DELETE', `${PATIENTS}/${jane.id}`, { token: admin });
  await act('restore', jane);
  const kinds = (await timeline(jane)).map(({ kind }) => kind);
  expect(kinds.sort()).toEqual([
    ...['family.joined', 'family.joined', 'family.left'],
    ...['patient.deleted', 'patient.registered', 'patient.restored'],
  ]);
});

it('has invoices only for those who may see them', async () => {
  const jane = await create();
  await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
    trx.query(
      `INSERT INTO invoices (id, invoice_no, patient_id, payer_id, currency, prices_include_tax, issued_at, status,
         created_by, updated_by)
       VALUES ($1, 'INV-2026-000001', $2, $2, 'USD', false, now(), 'paid', 'test', 'test')`,
      [newId(), jane.id],
    ),
  );
  const kinds = async (token: string) => (await timeline(jane, 'subject=invoice', token)).map(({ kind }) => kind);
  expect(await kinds(await mary.token(['CASHIER']))).toEqual(['invoice.issued']);
  expect(await kinds(doctor)).toEqual([]);
  expect((await timeline(jane)).map(({ kind }) => kind)).not.toContain('invoice.issued');
});
