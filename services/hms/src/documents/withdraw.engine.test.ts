/** What a document is called, what kind it is of, and who may withdraw it. */
import type { Document } from '@hms/domain/documents';
import { describe, expect, it } from '@jest/globals';
import {
  announce,
  audited,
  available,
  create,
  documentsOf,
  erased,
  hms,
  JPEG,
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
  photo,
  setPhoto,
  withdraw,
} from './testing.ts';

const change = (id: string, body: object, token = nurse) =>
  hms.send('PUT', `${documentsOf(patient)}/${id}`, { token, body });
const timeline = async () => {
  const answer = await hms.send('GET', `${PATIENTS}/${patient.id}/timeline`, { token: nurse });
  return answer.data<{ kind: string; details: object }[]>().filter(({ kind }) => kind.startsWith('document.'));
};
const KEPT = { status: 403, error: { code: 'DOCUMENT_KEPT', message: expect.stringMatching(/documents\.delete/) } };

describe('the kind and the title of a document', () => {
  it('are given with the file, and can be changed', async () => {
    const { id } = await available(PDF, 'application/pdf', { kind: 'referral', title: ' From Dr. Byrne ' });
    expect(await listed('kind=referral')).toEqual([id]);
    expect(await listed('kind=letter')).toEqual([]);
    const changed = await change(id, { kind: 'letter', title: 'Letter of Dr. Byrne', version: 2 });
    expect(changed.data()).toMatchObject({ kind: 'letter', title: 'Letter of Dr. Byrne', fileName: 'report.pdf' });
    expect(await listed('kind=letter')).toEqual([id]);
    expect((await audited()).at(-2)).toMatchObject({ action: 'update', record: 'patient_documents', record_id: id });
    expect(await change(id, { title: 'Later', version: 2 })).toMatchObject({
      status: 409,
      error: { code: 'STALE_VERSION' },
    });
    expect((await change(id, { title: null })).data()).toMatchObject({ kind: 'letter', title: null });
  });

  it.each<[object, string, RegExp]>([
    [{ title: 'x'.repeat(201) }, 'title', /at most 200 characters/],
    [{ title: 'a\u001b[2Jb' }, 'title', /control character/],
    [{ kind: 'photo' }, 'kind', /referral, letter/],
    [{ kind: 'summary' }, 'kind', /referral, letter/],
  ])('can not become %j', async (body, field, message) => {
    const { id } = await available();
    const answer = await change(id, body);
    expect(answer).toMatchObject({ status: 400, error: { message: expect.stringMatching(message) } });
    expect(answer.error.details).toMatchObject({ fields: [{ field, in: 'body' }] });
  });

  it('belong to what is listed: a photo stays one, and an upload has to end first', async () => {
    const { id } = await photo();
    expect(await change(id, { kind: 'imaging' })).toMatchObject({
      status: 422,
      error: { code: 'DOCUMENT_KIND_FIXED', details: { fields: [{ field: 'kind' }] } },
    });
    expect((await change(id, { title: 'In 2019' })).data()).toMatchObject({ kind: 'photo', title: 'In 2019' });
    const unfinished = (await create(announce(PDF, 'application/pdf'))).data<Document>();
    expect(await change(unfinished.id, { title: 'Early' })).toMatchObject({
      status: 404,
      error: { code: 'DOCUMENT_NOT_FOUND' },
    });
  });
});

describe('withdrawing', () => {
  it('is for an hour possible for who added it, and the reason stays in the history', async () => {
    const { id } = await available(PDF, 'application/pdf', { kind: 'consent', title: 'Consent' });
    await letTimePass(59);
    const answer = await withdraw(id, nurse, { reason: ' Of another patient ', version: 2 });
    expect(answer.data()).toMatchObject({ id, withdrawReason: 'Of another patient', deletedAt: expect.any(String) });
    await erased(0);
    expect(await listed()).toEqual([]);
    const deletions = (await audited()).filter(({ action }) => action === 'delete');
    const after = expect.objectContaining({ withdrawReason: 'Of another patient' });
    expect(deletions).toEqual([expect.objectContaining({ record_id: id, after })]);
    const details = { fileName: 'report.pdf', title: 'Consent', documentKind: 'consent' };
    expect(await timeline()).toEqual([
      expect.objectContaining({ kind: 'document.withdrawn', details: { ...details, reason: 'Of another patient' } }),
      expect.objectContaining({ kind: 'document.added', details }),
    ]);
  });

  it('needs another permission later, and for what somebody else added', async () => {
    const { id } = await photo(JPEG);
    await setPhoto(id);
    expect(await withdraw(id, await mary.token(['NURSE']))).toMatchObject(KEPT);
    await letTimePass(61);
    expect(await withdraw(id, nurse)).toMatchObject(KEPT);
    expect(await objects()).toEqual([keyOf(id)]);
    const kept = await hms.send('GET', `${PATIENTS}/${patient.id}`, { token: nurse });
    expect(kept.data()).toMatchObject({ photoId: id });
    expect(await withdraw(id, owner)).toMatchObject({ status: 200 });
    await erased(0);
  });

  it('is shown to who may', async () => {
    const { id } = await available();
    const shown = async (token: string) => {
      const answer = await hms.send('GET', documentsOf(patient), { token });
      return answer.data<(Document & { mayWithdraw: boolean })[]>().map((one) => [one.id, one.mayWithdraw]);
    };
    expect(await shown(nurse)).toEqual([[id, true]]);
    expect(await shown(await mary.token(['DOCTOR']))).toEqual([[id, false]]);
    expect(await shown(await mary.token(['CASHIER']))).toEqual([[id, false]]);
    await letTimePass(61);
    expect(await shown(nurse)).toEqual([[id, false]]);
    expect(await shown(owner)).toEqual([[id, true]]);
  });

  it.each<[object, RegExp]>([
    [{}, /reason is required/],
    [{ reason: ' x ' }, /reason .*at least 3/],
    [{ reason: 'x'.repeat(201) }, /reason .*at most 200/],
    [{ reason: 'a\nb c' }, /reason .*control character/],
  ])('is refused with %j', async (body, message) => {
    const { id } = await available();
    const answer = await withdraw(id, nurse, body);
    expect(answer).toMatchObject({ status: 400, error: { message: expect.stringMatching(message) } });
    expect(answer.error.details).toMatchObject({ fields: [{ field: 'reason', in: 'body' }] });
    expect(await listed()).toEqual([id]);
  });

  it('by two at once has one effect', async () => {
    const { id } = await available();
    const answers = await Promise.all([withdraw(id, nurse), withdraw(id, owner), withdraw(id, nurse)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect((await audited()).filter(({ action }) => action === 'delete')).toHaveLength(1);
    await erased(0);
  });
});
