/** Documents and photos of patients, at a real S3 server. Uploads and downloads are sent as a browser sends them. */
import type { Patient } from '@hms/domain/patients';
import { describe, expect, it } from '@jest/globals';
import {
  announce,
  audited,
  available,
  complete,
  create,
  documentsOf,
  erased,
  hms,
  JANE,
  JPEG,
  keyOf,
  listed,
  mary,
  type NewDocument,
  nurse,
  objects,
  PATIENTS,
  PDF,
  patient,
  photo,
  proxy,
  s3,
  setPhoto,
  sha256Of,
  upload,
  uploaded,
  urlOf,
  withdraw,
} from './testing.ts';

describe('a document', () => {
  it('is uploaded, completed, listed and downloaded', async () => {
    const answer = await create(announce(PDF, 'application/pdf', { fileName: 'تقرير.pdf' }));
    expect(answer.data()).toEqual({
      id: expect.any(String),
      hospitalId: mary.hospital.id,
      patientId: patient.id,
      kind: 'document',
      missingCharacters: [],
      title: null,
      fileName: 'تقرير.pdf',
      contentType: 'application/pdf',
      size: PDF.length,
      sha256: sha256Of(PDF),
      status: 'uploading',
      withdrawReason: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      version: 1,
      upload: {
        url: expect.stringContaining(s3.endpoint),
        method: 'PUT',
        headers: { 'Content-Type': 'application/pdf', 'x-amz-checksum-sha256': expect.any(String) },
        expiresAt: expect.any(String),
      },
    });
    const document = answer.data<NewDocument>();
    expect(await listed()).toEqual([]);
    expect(await urlOf(document.id)).toMatchObject({ status: 404, error: { code: 'DOCUMENT_NOT_FOUND' } });
    expect((await upload(document.upload, PDF)).status).toBe(200);
    expect((await complete(document.id)).data()).toMatchObject({ id: document.id, status: 'available', version: 2 });
    expect(await listed()).toEqual([document.id]);
    const signed = await urlOf(document.id);
    expect(signed.headers.get('cache-control')).toBe('no-store');
    const { url, expiresAt } = signed.data<{ url: string; expiresAt: string }>();
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
    const file = await fetch(url);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(file.headers.get('content-disposition')).toBe(
      'inline; filename="?????.pdf"; filename*=UTF-8\'\'%D8%AA%D9%82%D8%B1%D9%8A%D8%B1.pdf',
    );
    expect(await objects()).toEqual([keyOf(document.id)]);
  });

  it('has no text of a client in its key', async () => {
    const { id, upload: request } = await uploaded(PDF, 'application/pdf', { fileName: '../../st-john/"x' });
    expect(new URL(request.url).pathname).toBe(`/${s3.bucket}/${keyOf(id)}`);
  });

  it.each<[object, number, string, string, RegExp]>([
    [{ contentType: 'text/html' }, 415, 'DOCUMENT_TYPE_NOT_ALLOWED', 'contentType', /application\/pdf, image\/jpeg/],
    [{ contentType: 'application/pdf; x' }, 415, 'DOCUMENT_TYPE_NOT_ALLOWED', 'contentType', /must be one of/],
    [{ kind: 'photo' }, 415, 'DOCUMENT_TYPE_NOT_ALLOWED', 'contentType', /for the kind photo/],
    [{ size: 20_000_001 }, 413, 'DOCUMENT_TOO_LARGE', 'size', /at most 20,000,000 bytes/],
    [
      { size: 5_000_001, kind: 'photo', contentType: 'image/png' },
      413,
      'DOCUMENT_TOO_LARGE',
      'size',
      /at most 5,000,000 bytes/,
    ],
    [{ size: 0 }, 400, 'VALIDATION_FAILED', 'size', /at least 1/],
    [{ size: '7' }, 400, 'VALIDATION_FAILED', 'size', /number/],
    [{ sha256: 'abc' }, 400, 'VALIDATION_FAILED', 'sha256', /64 hexadecimal digits/],
    [{ kind: 'video' }, 400, 'VALIDATION_FAILED', 'kind', /document, photo/],
    [{ fileName: 'a\r\nb' }, 400, 'VALIDATION_FAILED', 'fileName', /control character/],
    [{ fileName: undefined }, 400, 'VALIDATION_FAILED', 'fileName', /required/],
  ])('is refused with %j', async (changes, status, code, field, message) => {
    const answer = await create(announce(PDF, 'application/pdf', changes));
    expect(answer).toMatchObject({ status, error: { code, message: expect.stringMatching(message) } });
    expect(answer.error.details).toMatchObject({ fields: [{ field, in: 'body' }] });
  });

  it('gets the same answer again with the same idempotency key', async () => {
    const request = { token: nurse, body: announce(PDF, 'application/pdf'), headers: { 'Idempotency-Key': 'a' } };
    const first = (await hms.send('POST', documentsOf(patient), request)).data<NewDocument>();
    const second = (await hms.send('POST', documentsOf(patient), request)).data<NewDocument>();
    expect(second).toEqual(first);
  });
});

describe('completing', () => {
  it('without an upload is refused, and possible later', async () => {
    const document = (await create(announce(PDF, 'application/pdf'))).data<NewDocument>();
    expect(await complete(document.id)).toMatchObject({ status: 409, error: { code: 'DOCUMENT_NOT_UPLOADED' } });
    await upload(document.upload, PDF);
    expect(await complete(document.id)).toMatchObject({ status: 200 });
  });

  it.each([
    ['a page', Buffer.from('<html>%PDF-1.7'), 'application/pdf', /of no known type/],
    ['a page behind a header', Buffer.from('\n%PDF-1.7<html>'), 'application/pdf', /of no known type/],
    ['a program', Buffer.from('MZ\x90\x00 a program'), 'image/png', /of no known type/],
    ['another type', JPEG, 'image/png', /the file is image\/jpeg/],
    ['a sound in the same container', Buffer.from('RIFF\x10\x00\x00\x00WAVE'), 'image/webp', /of no known type/],
    ['three bytes', Buffer.from('%PD'), 'application/pdf', /of no known type/],
  ])('refuses and deletes %s', async (_, content, contentType, message) => {
    const { id } = await uploaded(content, contentType);
    expect(await complete(id)).toMatchObject({
      status: 415,
      error: { code: 'DOCUMENT_TYPE_NOT_ALLOWED', message: expect.stringMatching(message) },
    });
    await erased(0);
    expect(await complete(id)).toMatchObject({ status: 404, error: { code: 'DOCUMENT_NOT_FOUND' } });
  });

  it.each([
    ['image/png', Buffer.from('\x89PNG\r\n\x1a\n a picture', 'latin1')],
    ['image/webp', Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ', 'latin1')],
    ['image/jpeg', JPEG],
  ])('accepts %s', async (contentType, content) => {
    expect(await listed()).toEqual([]);
    const { id } = await available(content, contentType);
    expect(await listed()).toEqual([id]);
  });

  it('refuses and deletes an object that is not what was announced', async () => {
    const document = (await create(announce(PDF, 'application/pdf'))).data<NewDocument>();
    // As on a server that does not enforce what is signed.
    const [, , ...rest] = keyOf(document.id).split('/');
    const key = `patients/${rest.join('/')}`;
    await hms.platform.storage.put(mary.hospital, key, Buffer.concat([PDF, PDF]), { contentType: 'application/pdf' });
    expect(await complete(document.id)).toMatchObject({
      status: 422,
      error: { code: 'DOCUMENT_DIFFERS', details: { field: 'size' }, message: expect.stringMatching(/size is 34/) },
    });
    await erased(0);
  });

  it('twice at once and again later has one effect', async () => {
    const { id } = await uploaded();
    const answers = await Promise.all([complete(id), complete(id), complete(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await complete(id)).data()).toMatchObject({ status: 'available', version: 2 });
    const transitions = (await audited()).filter(({ action }) => action === 'transition');
    expect(transitions).toHaveLength(1);
  });

  it('after a deletion is refused', async () => {
    const { id } = await uploaded();
    await withdraw(id);
    expect(await complete(id)).toMatchObject({ status: 404, error: { code: 'DOCUMENT_NOT_FOUND' } });
  });
});

describe('a photo', () => {
  it('is a document that the patient points at, and is replaced with its file', async () => {
    const first = await photo();
    expect((await setPhoto(first.id)).data()).toMatchObject({ id: patient.id, photoId: first.id, version: 2 });
    expect((await setPhoto(first.id)).data()).toMatchObject({ photoId: first.id, version: 2 });
    // Nothing changed, but the answer shows the patient.
    expect((await audited()).at(-1)).toMatchObject({ action: 'read', record: 'patients', record_id: patient.id });
    expect(await listed('kind=photo')).toEqual([first.id]);
    expect(await listed('kind=document')).toEqual([]);
    const second = await photo(Buffer.concat([JPEG, JPEG]));
    expect((await setPhoto(second.id)).data()).toMatchObject({ photoId: second.id, version: 3 });
    await erased(1);
    expect(await objects()).toEqual([keyOf(second.id)]);
    expect((await setPhoto(null)).data()).toMatchObject({ photoId: null });
    await erased(0);
  });

  it('is removed from the patient when its document is deleted', async () => {
    const { id } = await photo();
    await setPhoto(id);
    await withdraw(id);
    expect((await hms.send('GET', `${PATIENTS}/${patient.id}`, { token: nurse })).data()).toMatchObject({
      photoId: null,
    });
  });

  it('must be an available photo of this patient', async () => {
    const document = await available();
    expect(await setPhoto(document.id)).toMatchObject({ status: 422, error: { code: 'DOCUMENT_IS_NO_PHOTO' } });
    const unfinished = await uploaded(JPEG, 'image/jpeg', { kind: 'photo' });
    expect(await setPhoto(unfinished.id)).toMatchObject({ status: 404, error: { code: 'DOCUMENT_NOT_FOUND' } });
    const { id } = await photo();
    const other = (await hms.send('POST', PATIENTS, { token: nurse, body: JANE })).data<Patient>();
    const body = { documentId: id };
    expect(await hms.send('PUT', `${PATIENTS}/${other.id}/photo`, { token: nurse, body })).toMatchObject({
      status: 404,
      error: { code: 'DOCUMENT_NOT_FOUND' },
    });
  });
});

describe('an S3 server that', () => {
  it.each(['hang', 'refuse'] as const)(
    'does not answer (%s) is reported in seconds, and changes nothing',
    async (mode) => {
      const { id } = await uploaded();
      await proxy.set(mode);
      const start = performance.now();
      const answers = await Promise.all(Array.from({ length: 20 }, () => complete(id)));
      expect(performance.now() - start).toBeLessThan(8_000);
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 503, error: { code: 'STORAGE_UNAVAILABLE' } });
        expect(answer.headers.get('retry-after')).toBe('5');
      }
      await proxy.set('pass');
      expect(await listed()).toEqual([]);
      expect(await complete(id)).toMatchObject({ status: 200 });
    },
  );

  it('hangs holds up no other request', async () => {
    const { id } = await uploaded();
    await proxy.set('hang');
    let answered = 0;
    const waiting = Array.from({ length: 30 }, async () => {
      await complete(id);
      answered += 1;
    });
    // Neither the list nor a new URL needs the server.
    expect(await listed()).toEqual([]);
    expect(await create(announce(PDF, 'application/pdf'))).toMatchObject({ status: 201 });
    expect(answered).toBe(0);
    await Promise.all(waiting);
  });
});
