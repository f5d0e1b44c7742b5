/** For tests: a hospital with a patient, and documents that are uploaded and downloaded as a browser does it. */
import { createHash } from 'node:crypto';
import { ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { build } from '@hms/database';
import { type Document, settleDocument } from '@hms/domain/documents';
import type { Patient } from '@hms/domain/patients';
import { moduleEnv } from '@hms/local';
import { type TaskContext, workFor } from '@hms/service';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import type { UploadRequest } from '@hms/storage';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { FaultProxy } from '../../../../test/support/proxy.ts';
import { until } from '../../../../test/support/until.ts';
import { hmsModule } from '../module.ts';

export const PATIENTS = '/api/hms/patients';
export const JANE = { firstName: 'Jane', lastName: 'Doe', phone: '+6281234567890', dateOfBirth: '1990-05-17' };
export const PDF = Buffer.from('%PDF-1.7\nA report');
export const JPEG = Buffer.from('\xff\xd8\xff\xe0 a face', 'latin1');
export const { s3 } = platform();

export type NewDocument = Document & { readonly upload: UploadRequest };

export let proxy: FaultProxy;
let admin: S3Client;
export let hms: TestModule;
export let mary: TestHospital;
export let nurse: string;
export let owner: string;
export let patient: Patient;

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

export const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex');
export const announce = (content: Buffer, contentType: string, changes: object = {}) => ({
  fileName: 'report.pdf',
  contentType,
  size: content.length,
  sha256: sha256Of(content),
  ...changes,
});
export const documentsOf = ({ id }: Pick<Patient, 'id'>) => `${PATIENTS}/${id}/documents`;
export const create = (body: object, token = nurse) => hms.send('POST', documentsOf(patient), { token, body });
export const complete = (id: string, token = nurse) =>
  hms.send('POST', `${documentsOf(patient)}/${id}/complete`, { token });
export const urlOf = (id: string, token = nurse) => hms.send('GET', `${documentsOf(patient)}/${id}/url`, { token });
export const withdraw = (id: string, token = owner, body: object = { reason: 'Of somebody else' }) =>
  hms.send('POST', `${documentsOf(patient)}/${id}/withdraw`, { token, body });
export const setPhoto = (documentId: string | null) =>
  hms.send('PUT', `${PATIENTS}/${patient.id}/photo`, { token: nurse, body: { documentId } });
export const upload = ({ url, method, headers }: UploadRequest, content: Buffer<ArrayBuffer>) =>
  fetch(url, { method, headers, body: content });

/** A document whose file is uploaded, but not completed. */
export async function uploaded(
  content = PDF,
  contentType = 'application/pdf',
  changes: object = {},
): Promise<NewDocument> {
  const answer = await create(announce(content, contentType, changes));
  expect(answer).toMatchObject({ status: 201 });
  const document = answer.data<NewDocument>();
  expect((await upload(document.upload, content)).status).toBe(200);
  return document;
}

export async function available(...content: Parameters<typeof uploaded>): Promise<NewDocument> {
  const document = await uploaded(...content);
  expect(await complete(document.id)).toMatchObject({ status: 200 });
  return document;
}

export const photo = (content = JPEG) => available(content, 'image/jpeg', { kind: 'photo' });

export async function listed(query = ''): Promise<string[]> {
  const answer = await hms.send('GET', `${documentsOf(patient)}?${query}`, { token: nurse });
  expect(answer.status).toBe(200);
  return answer.data<Document[]>().map(({ id }) => id);
}

/** Keys in the hospital's folder, with all their versions. */
export async function objects(): Promise<(string | undefined)[]> {
  const listing = new ListObjectVersionsCommand({ Bucket: s3.bucket, Prefix: `${mary.hospital.prefix}/` });
  const { Versions = [], DeleteMarkers = [] } = await admin.send(listing);
  return [...Versions, ...DeleteMarkers].map(({ Key }) => Key);
}

export const keyOf = (id: string) => `${mary.hospital.prefix}/patients/${patient.patientCode}/${id}`;

/** What the task does later, for all documents of the hospital. */
export async function settleAll(): Promise<void> {
  const { hospital } = mary;
  const { tenants, storage } = hms.platform;
  const rows = await tenants.inTenant(hospital, (trx) =>
    trx.run<{ id: string }>(build.from('patient_documents').select('id')),
  );
  const inTransaction: TaskContext['inTransaction'] = (work) => workFor(hms.platform, hospital, 'settle', work);
  for (const { id } of rows) await settleDocument(storage, { hospital, inTransaction }, id);
}

export const erased = (left: number) => until('the objects to be erased', objects, ({ length }) => length === left);

/** Moves the creation of all documents of the hospital into the past. */
export async function letTimePass(minutes: number): Promise<void> {
  const { schema } = hospitalNames(mary.hospital.prefix);
  const changes = `created_at = created_at - make_interval(mins => ${minutes})`;
  await hms.operator.raw(`UPDATE ${schema}.patient_documents SET ${changes}`);
}

export async function audited(): Promise<{ action: string; record: string; record_id: string; patient_id: string }[]> {
  return hms.platform.tenants.inTenant(mary.hospital, (trx) =>
    trx.run(
      build.from('audit_events').select('action', 'record', 'record_id', 'patient_id', 'actor', 'after').orderBy('seq'),
    ),
  );
}
