/** Who may use the documents of a patient, and what the audit log says about it. */
import type { Patient } from '@hms/domain/patients';
import { createTestHospital } from '@hms/service/testing';
import { describe, expect, it } from '@jest/globals';
import {
  announce,
  audited,
  available,
  complete,
  create,
  documentsOf,
  hms,
  JANE,
  keyOf,
  letTimePass,
  listed,
  mary,
  nurse,
  objects,
  owner,
  PATIENTS,
  PDF,
  patient,
  settleAll,
  urlOf,
  withdraw,
} from './testing.ts';

describe('who may', () => {
  it('not touch documents of another patient or hospital', async () => {
    const { id } = await available();
    const other = (await hms.send('POST', PATIENTS, { token: nurse, body: JANE })).data<Patient>();
    const john = await createTestHospital(hms.operator, hms.issuer);
    const stranger = await john.token(['OWNER', 'NURSE']);
    const routes = [
      ['GET', `/${id}/url`],
      ['POST', `/${id}/complete`],
      ['PUT', `/${id}`, { title: 'Theirs' }],
      ['POST', `/${id}/withdraw`, { reason: 'Not ours' }],
    ] as const;
    for (const [method, path, body] of routes) {
      const more = body ? { body } : {};
      expect(await hms.send(method, `${documentsOf(other)}${path}`, { token: owner, ...more })).toMatchObject({
        status: 404,
        error: { code: 'DOCUMENT_NOT_FOUND' },
      });
      expect(await hms.send(method, `${documentsOf(patient)}${path}`, { token: stranger, ...more })).toMatchObject({
        status: 404,
        error: { code: 'PATIENT_NOT_FOUND' },
      });
    }
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { body: announce(PDF, 'application/pdf') } : {};
      const answer = await hms.send(method, documentsOf(patient), { token: stranger, ...body });
      expect(answer).toMatchObject({ status: 404, error: { code: 'PATIENT_NOT_FOUND' } });
    }
    expect(await listed()).toEqual([id]);
    expect(await objects()).toEqual([keyOf(id)]);
  });

  it("not open another hospital's object with a changed URL", async () => {
    const mine = await available();
    const { url } = (await urlOf(mine.id)).data<{ url: string }>();
    const john = await createTestHospital(hms.operator, hms.issuer);
    const key = `patients/${patient.patientCode}/${mine.id}`;
    await hms.platform.storage.put(john.hospital, key, Buffer.from('a secret'), { contentType: 'application/pdf' });
    const changed = await fetch(url.replace(mary.hospital.prefix, john.hospital.prefix));
    expect(changed.status).toBe(403);
    expect(await changed.text()).not.toContain('secret');
    await hms.platform.storage.delete(john.hospital, key);
  });

  it.each([
    ['DISPLAY', [403, 403, 403, 403, 403, 403]],
    ['CASHIER', [200, 200, 403, 403, 403, 403]],
    ['RECEPTION', [200, 200, 201, 200, 403, 404]],
    ['ADMIN', [200, 200, 201, 200, 200, 404]],
  ] as const)('%s', async (role, expected) => {
    const { id } = await available();
    const token = await mary.token([role]);
    const answers = [
      await hms.send('GET', documentsOf(patient), { token }),
      await urlOf(id, token),
      await create(announce(PDF, 'application/pdf'), token),
      await complete(id, token),
      await withdraw(id, token),
      await hms.send('PUT', `${PATIENTS}/${patient.id}/photo`, { token, body: { documentId: patient.id } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(expected);
  });

  it('not get a URL of a suspended hospital', async () => {
    const { id } = await available();
    await mary.setState('Suspended');
    hms.platform.registry.forget(mary.hospital);
    expect(await urlOf(id)).toMatchObject({ status: 403, error: { code: 'HOSPITAL_SUSPENDED' } });
    expect(await create(announce(PDF, 'application/pdf'))).toMatchObject({ status: 403 });
  });

  it('not get a URL of a deleted patient, whose documents are kept', async () => {
    const { id } = await available();
    expect(await hms.send('DELETE', `${PATIENTS}/${patient.id}`, { token: owner })).toMatchObject({ status: 200 });
    expect(await urlOf(id)).toMatchObject({ status: 404, error: { code: 'PATIENT_NOT_FOUND' } });
    await letTimePass(61);
    await settleAll();
    expect(await objects()).toEqual([keyOf(id)]);
  });
});

describe('the audit log', () => {
  it('names who read, created, completed and withdrew a document, and of which patient', async () => {
    const { id } = await available();
    await urlOf(id);
    await withdraw(id, nurse);
    const events = (await audited()).filter(({ record }) => /documents/.test(record));
    expect(events.map(({ action, record_id, patient_id }) => [action, record_id, patient_id])).toEqual([
      ['create', id, patient.id],
      ['transition', id, patient.id],
      ['read', id, patient.id],
      ['delete', id, patient.id],
    ]);
  });

  it('names a refused withdrawal', async () => {
    const { id } = await available();
    await withdraw(id, owner, { reason: 'Of somebody else', version: 7 });
    expect((await audited()).at(-1)).toMatchObject({
      action: 'refuse',
      record: `${PATIENTS}/:id/documents/:docId/withdraw`,
    });
  });
});
