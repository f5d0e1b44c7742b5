/** Documents and photos of patients, at a real S3 server. Uploads and downloads are sent as a browser sends them. */
import { createHash } from 'node:crypto';
import { ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { build } from '@hms/database';
import { type Document, removeDocument, settleDocument } from '@hms/domain/documents';
import type { Patient } from '@hms/domain/patients';
import { moduleEnv } from '@hms/local';
import { type TaskContext, workFor } from '@hms/service';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import type { UploadRequest } from '@hms/storage';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { FaultProxy } from '../../../../test/support/proxy.ts';
import { until } from '../../../../test/support/until.ts';
import { hmsModule } from '../module.ts';

const PATIENTS = '/api/hms/patients';
const JANE = { firstName: 'Jane', lastName: 'Doe', phone: '+6281234567890', dateOfBirth: '1990-05-17' };
const PDF = Buffer.from('%PDF-1.7\nA report');
const JPEG = Buffer.from('\xff\xd8\xff\xe0 a face', 'latin1');
const { s3 } = platform();

type NewDocument = Document & { readonly upload: UploadRequest };

let proxy: FaultProxy;
let admin: S3Client;
let hms: TestModule;
let mary: TestHospital;
let nurse: string;
let owner: string;
let patient: Patient;

beforeAll(async () => {
  const { accessKeyId, secretAccessKey } = s3;
  admin = new S3Client({ ...s3, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } });
  proxy = await FaultProxy.before(new URL(s3.endpoint).host);
  // Only the module itself is behind the proxy: a browser reaches the server at its own address.
  const env = moduleEnv(platform());
  const settings = { ...env, S3_ENDPOINT: `http://${proxy.address}`, S3_PUBLIC_ENDPOINT: env.S3_ENDPOINT };
  hms = await startTestModule({ databaseUrls: platform().databaseUrls, define: hmsModule, s3: settings });
});
afterAll(async () => {
  await hms.close();
  await proxy.close();
  admin.destroy();
});
afterEach(() => proxy.set('pass'));

beforeEach(async () => {
  mary = await createTestHospital(hms.operator, hms.issuer);
  nurse = await mary.token(['NURSE']);
  owner = await mary.token(['OWNER']);
  patient = (await hms.send('POST', PATIENTS, { token: nurse, body: JANE })).data<Patient>();
});

const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const announce = (content: Buffer, contentType: string, changes: object = {}) => ({
  fileName: 'report.pdf',
  contentType,
  size: content.length,
  sha256: sha256Of(content),
  ...changes,
});
const documentsOf = ({ id }: Pick<Patient, 'id'>) => `${PATIENTS}/${id}/documents`;
const create = (body: object, token = nurse) => hms.send('POST', documentsOf(patient), { token, body });
const complete = (id: string, token = nurse) => hms.send('POST', `${documentsOf(patient)}/${id}/complete`, { token });
const urlOf = (id: string, token = nurse) => hms.send('GET', `${documentsOf(patient)}/${id}/url`, { token });
const remove = (id: string, token = owner) => hms.send('DELETE', `${documentsOf(patient)}/${id}`, { token });
const setPhoto = (documentId: string | null) =>
  hms.send('PUT', `${PATIENTS}/${patient.id}/photo`, { token: nurse, body: { documentId } });
const upload = ({ url, method, headers }: UploadRequest, content: Buffer<ArrayBuffer>) =>
  fetch(url, { method, headers, body: content });

/** A document whose file is uploaded, but not completed. */
async function uploaded(content = PDF, contentType = 'application/pdf', changes: object = {}): Promise<NewDocument> {
  const answer = await create(announce(content, contentType, changes));
  expect(answer).toMatchObject({ status: 201 });
  const document = answer.data<NewDocument>();
  expect((await upload(document.upload, content)).status).toBe(200);
  return document;
}

async function available(...content: Parameters<typeof uploaded>): Promise<NewDocument> {
  const document = await uploaded(...content);
  expect(await complete(document.id)).toMatchObject({ status: 200 });
  return document;
}

const photo = (content = JPEG) => available(content, 'image/jpeg', { kind: 'photo' });

async function listed(query = ''): Promise<string[]> {
  const answer = await hms.send('GET', `${documentsOf(patient)}?${query}`, { token: nurse });
  expect(answer.status).toBe(200);
  return answer.data<Document[]>().map(({ id }) => id);
}

/** Keys in the hospital's folder, with all their versions. */
async function objects(): Promise<(string | undefined)[]> {
  const listing = new ListObjectVersionsCommand({ Bucket: s3.bucket, Prefix: `${mary.hospital.prefix}/` });
  const { Versions = [], DeleteMarkers = [] } = await admin.send(listing);
  return [...Versions, ...DeleteMarkers].map(({ Key }) => Key);
}

const keyOf = (id: string) => `${mary.hospital.prefix}/patients/${patient.patientCode}/${id}`;

/** What the task does later, for all documents of the hospital. */
async function settleAll(): Promise<void> {
  const { hospital } = mary;
  const { tenants, storage } = hms.platform;
  const rows = await tenants.inTenant(hospital, (trx) =>
    trx.run<{ id: string }>(build.from('patient_documents').select('id')),
  );
  const inTransaction: TaskContext['inTransaction'] = (work) => workFor(hms.platform, hospital, 'settle', work);
  for (const { id } of rows) await settleDocument(storage, { hospital, inTransaction }, id);
}

const erased = (left: number) => until('the objects to be erased', objects, ({ length }) => length === left);

/** Moves the creation of all documents of the hospital into the past. */
async function letTimePass(minutes: number): Promise<void> {
  const { schema } = hospitalNames(mary.hospital.prefix);
  const changes = `created_at = created_at - make_interval(mins => ${minutes})`;
  await hms.operator.raw(`UPDATE ${schema}.patient_documents SET ${changes}`);
}

async function audited(): Promise<{ action: string; record: string; record_id: string; patient_id: string }[]> {
  return hms.platform.tenants.inTenant(mary.hospital, (trx) =>
    trx.run(build.from('audit_events').select('action', 'record', 'record_id', 'patient_id', 'actor').orderBy('seq')),
  );
}

describe('a document', () => {
  it('is uploaded, completed, listed and downloaded', async () => {
    const answer = await create(announce(PDF, 'application/pdf', { fileName: 'تقرير.pdf' }));
    expect(answer.data()).toEqual({
      id: expect.any(String),
      hospitalId: mary.hospital.id,
      patientId: patient.id,
      kind: 'document',
      fileName: 'تقرير.pdf',
      contentType: 'application/pdf',
      size: PDF.length,
      sha256: sha256Of(PDF),
      status: 'uploading',
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
    [{ kind: 'photo' }, 415, 'DOCUMENT_TYPE_NOT_ALLOWED', 'contentType', /for a photo/],
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
    await remove(id);
    expect(await complete(id)).toMatchObject({ status: 404, error: { code: 'DOCUMENT_NOT_FOUND' } });
  });
});

describe('deleting', () => {
  it('erases the file with all its versions', async () => {
    const document = await available();
    // The URL still works, and can only store the same content again.
    await upload(document.upload, PDF);
    const { url } = (await urlOf(document.id)).data<{ url: string }>();
    expect((await remove(document.id)).data()).toMatchObject({ id: document.id, deletedAt: expect.any(String) });
    await erased(0);
    expect((await fetch(url)).status).toBe(404);
    expect(await listed()).toEqual([]);
    expect(await urlOf(document.id)).toMatchObject({ status: 404 });
    expect(await remove(document.id)).toMatchObject({ status: 404 });
  });

  it('demands the version that was read, if the client says one', async () => {
    const { id } = await available();
    const stale = await hms.send('DELETE', `${documentsOf(patient)}/${id}?version=1`, { token: owner });
    expect(stale).toMatchObject({ status: 409, error: { code: 'STALE_VERSION', details: { version: 2 } } });
    const header = { token: owner, headers: { 'If-Match': '"2"' } };
    expect(await hms.send('DELETE', `${documentsOf(patient)}/${id}`, header)).toMatchObject({ status: 200 });
  });

  it('erases the file later if the S3 server fails', async () => {
    const { id } = await available();
    // Not by the route: any process of the module may run its task, and only this one is behind the proxy.
    await workFor(hms.platform, mary.hospital, 'test', (work) => removeDocument(work, id));
    await proxy.set('refuse');
    await expect(settleAll()).rejects.toThrow('S3 server');
    expect(await objects()).toHaveLength(1);
    await proxy.set('pass');
    await settleAll();
    expect(await objects()).toEqual([]);
  });

  it('during an upload leaves nothing for ever', async () => {
    const document = (await create(announce(PDF, 'application/pdf'))).data<NewDocument>();
    await remove(document.id);
    const completed = () =>
      hms.platform.tenants.inTenant(mary.hospital, (trx) => trx.run(build.from('completed_tasks').select('id')));
    await until('the task to end', completed, ({ length }) => length === 1);
    expect((await upload(document.upload, PDF)).status).toBe(200);
    expect(await objects()).toHaveLength(1);
    await letTimePass(61);
    await settleAll();
    expect(await objects()).toEqual([]);
  });
});

describe('after an hour', () => {
  it('the task of each document runs', async () => {
    const { createdAt } = (await create(announce(PDF, 'application/pdf'))).data<NewDocument>();
    const { rows } = await hms.operator.raw<{ rows: { run_at: Date }[] }>(
      "SELECT j.run_at FROM graphile_worker._private_jobs j WHERE j.payload->>'hospital' = ?",
      [mary.hospital.id],
    );
    expect(rows).toHaveLength(1);
    const seconds = (Number(rows[0]?.run_at) - Date.parse(createdAt)) / 1000;
    expect(seconds).toBeGreaterThan(3600);
    expect(seconds).toBeLessThan(3700);
  });

  const states = async () => {
    const rows = await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.run<{ id: string; deleted_at: Date | null }>(
        build.from('patient_documents').select('id', 'deleted_at').orderBy('created_at'),
      ),
    );
    return rows.map(({ deleted_at }) => deleted_at !== null);
  };

  it('deletes uploads that were never completed, and nothing else', async () => {
    const old = await uploaded();
    const kept = await available();
    await letTimePass(61);
    const recent = await uploaded();
    await settleAll();
    expect((await objects()).sort()).toEqual([keyOf(kept.id), keyOf(recent.id)].sort());
    expect(await complete(old.id)).toMatchObject({ status: 404 });
    expect(await complete(recent.id)).toMatchObject({ status: 200 });
    expect(await states()).toEqual([true, false, false]);
  });

  it('can run twice at once', async () => {
    await uploaded();
    await letTimePass(61);
    await Promise.all([settleAll(), settleAll(), settleAll()]);
    expect(await objects()).toEqual([]);
    const deletions = (await audited()).filter(({ action }) => action === 'delete');
    expect(deletions).toEqual([expect.objectContaining({ actor: 'task:settle', patient_id: patient.id })]);
  });

  it('finishes what an earlier one left when the S3 server failed', async () => {
    await uploaded();
    await letTimePass(61);
    await proxy.set('refuse');
    await expect(settleAll()).rejects.toThrow('S3 server');
    expect(await states()).toEqual([true]);
    await proxy.set('pass');
    await settleAll();
    expect(await states()).toEqual([true]);
    expect(await objects()).toEqual([]);
  });
});

describe('a photo', () => {
  it('is a document that the patient points at, and is replaced with its file', async () => {
    const first = await photo();
    expect((await setPhoto(first.id)).data()).toMatchObject({ id: patient.id, photoId: first.id, version: 2 });
    expect((await setPhoto(first.id)).data()).toMatchObject({ photoId: first.id, version: 2 });
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
    await remove(id);
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

describe('who may', () => {
  it('not touch documents of another patient or hospital', async () => {
    const { id } = await available();
    const other = (await hms.send('POST', PATIENTS, { token: nurse, body: JANE })).data<Patient>();
    const john = await createTestHospital(hms.operator, hms.issuer);
    const stranger = await john.token(['OWNER', 'NURSE']);
    const routes = [
      ['GET', `/${id}/url`],
      ['POST', `/${id}/complete`],
      ['DELETE', `/${id}`],
    ] as const;
    for (const [method, path] of routes) {
      expect(await hms.send(method, `${documentsOf(other)}${path}`, { token: owner })).toMatchObject({
        status: 404,
        error: { code: 'DOCUMENT_NOT_FOUND' },
      });
      expect(await hms.send(method, `${documentsOf(patient)}${path}`, { token: stranger })).toMatchObject({
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
      await remove(id, token),
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
  it('names who read, created, completed and deleted a document, and of which patient', async () => {
    const { id } = await available();
    await urlOf(id);
    await remove(id, nurse);
    await remove(id);
    const events = (await audited()).filter(({ record }) => /documents/.test(record));
    expect(events.map(({ action, record_id, patient_id }) => [action, record_id, patient_id])).toEqual([
      ['create', id, patient.id],
      ['transition', id, patient.id],
      ['read', id, patient.id],
      ['delete', id, patient.id],
    ]);
  });

  it('names a refused deletion', async () => {
    const { id } = await available();
    await hms.send('DELETE', `${documentsOf(patient)}/${id}?version=7`, { token: owner });
    expect((await audited()).at(-1)).toMatchObject({ action: 'refuse', record: `${PATIENTS}/:id/documents/:docId` });
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
    const waiting = Array.from({ length: 30 }, () => complete(id));
    const start = performance.now();
    // Neither the list nor a new URL needs the server.
    expect(await listed()).toEqual([]);
    expect(await create(announce(PDF, 'application/pdf'))).toMatchObject({ status: 201 });
    expect(performance.now() - start).toBeLessThan(2_000);
    await Promise.all(waiting);
  });
});
