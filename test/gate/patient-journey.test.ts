/** From a manifest to a patient: everything through the gateway, as staff would. */
import { createHash } from 'node:crypto';
import { type ApiClient, dataOf } from '@hms/api-client';
import { demonstrationSession } from '@hms/local';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { api, call, tokenOf } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';
import { until } from '../support/until.ts';

const SLOW = 90_000;
const SIOBHAN = { firstName: 'Siobhán', lastName: 'Murphy', phone: '+35312345678', dateOfBirth: '1990-05-17' };

let prefix: string;
let hospitalId: string | undefined;
let token: string;
let doctor: ApiClient;

beforeAll(async () => {
  const hospital = await freshHospital();
  prefix = hospital.metadata.name;
  hospitalId = hospital.status?.hospitalId;
  token = await tokenOf(prefix, 'DOCTOR');
  doctor = api(token);
}, SLOW);

describe('a doctor', () => {
  it('has the identity of the token', async () => {
    const me = await dataOf(doctor.GET('/api/auth/me'));
    expect(me).toMatchObject({ email: `doctor@${prefix}.example`, hospitalId, roles: ['DOCTOR'] });
  });

  it('creates a patient with a family', async () => {
    const { data, response } = await doctor.POST('/api/hms/patients', { body: SIOBHAN });
    expect(response.status).toBe(201);
    const patient = data?.data;
    expect(patient).toMatchObject({ ...SIOBHAN, dateOfBirth: '1990-05-17T00:00:00.000Z', hospitalId });
    const params = { path: { id: patient?.familyId ?? '' } };
    expect(await dataOf(doctor.GET('/api/crm/families/{id}', { params }))).toMatchObject({
      primaryContactId: patient?.id,
      hospitalId,
      members: [expect.objectContaining({ patientId: patient?.id, relation: 'self' })],
    });
  });

  it('finds, changes and lists patients', async () => {
    const { id } = await dataOf(doctor.POST('/api/hms/patients', { body: { ...SIOBHAN, lastName: 'Quigley' } }));
    const change = doctor.PUT('/api/hms/patients/{id}', { params: { path: { id } }, body: { firstName: 'Sinéad' } });
    expect(await dataOf(change)).toMatchObject({ id, firstName: 'Sinéad', lastName: 'Quigley' });
    const found = await doctor.GET('/api/hms/patients', { params: { query: { q: 'quigl', limit: 5 } } });
    expect(found.data).toMatchObject({ success: true, data: [{ id }], meta: { page: 1, limit: 5, total: 1 } });
  });

  it('may not delete a patient, but an administrator may', async () => {
    const { id } = await dataOf(doctor.POST('/api/hms/patients', { body: SIOBHAN }));
    const params = { path: { id } };
    expect(await doctor.DELETE('/api/hms/patients/{id}', { params })).toMatchObject({
      response: { status: 403 },
      error: { error: { code: 'FORBIDDEN' } },
    });
    const admin = api(await tokenOf(prefix, 'ADMIN'));
    const { deletedAt } = await dataOf(admin.DELETE('/api/hms/patients/{id}', { params }));
    expect(deletedAt).toEqual(expect.any(String));
    expect(await doctor.GET('/api/hms/patients/{id}', { params })).toMatchObject({
      response: { status: 404 },
      error: { error: { code: 'PATIENT_NOT_FOUND' } },
    });
  });

  it("uploads and downloads a document from a page of the hospital's own", async () => {
    const { id } = await dataOf(doctor.POST('/api/hms/patients', { body: SIOBHAN }));
    const documents = '/api/hms/patients/{id}/documents';
    const file = Buffer.from('%PDF-1.7 a referral');
    const body = {
      fileName: 'referral.pdf',
      contentType: 'application/pdf',
      size: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
    };
    const created = await dataOf(doctor.POST(documents, { params: { path: { id } }, body }));
    const { url, method, headers } = created.upload;
    const params = { path: { id, docId: created.id } };
    const { port } = new URL(platform().baseUrl);
    const Origin = `http://${prefix}.${platform().domain}:${port}`;
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        Origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': Object.keys(headers).join().toLowerCase(),
      },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(Origin);
    const uploaded = await fetch(url, { method, headers: { ...headers, Origin }, body: file });
    expect(uploaded.status).toBe(200);
    expect(uploaded.headers.get('access-control-allow-origin')).toBe(Origin);
    await dataOf(doctor.POST(`${documents}/{docId}/complete`, { params }));
    const signed = await dataOf(doctor.GET(`${documents}/{docId}/url`, { params }));
    const download = await fetch(signed.url, { headers: { Origin } });
    expect(download.headers.get('access-control-allow-origin')).toBe(Origin);
    expect(Buffer.from(await download.arrayBuffer())).toEqual(file);
  });

  it('gets the summary of a patient as a PDF, and anybody can check who issued it', async () => {
    const { id } = await dataOf(doctor.POST('/api/hms/patients', { body: SIOBHAN }));
    const requested = await doctor.POST('/api/hms/patients/{id}/summary', { params: { path: { id } } });
    expect(requested.response.status).toBe(202);
    const params = { path: { id, docId: requested.data?.data.documentId ?? '' } };
    const signed = await until(
      'the document',
      () => doctor.GET('/api/hms/patients/{id}/documents/{docId}/url', { params }),
      ({ data }) => data !== undefined,
    );
    const pdf = Buffer.from(await (await fetch(signed.data?.data.url ?? '')).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    const anybody = await fetch(`${platform().baseUrl}/api/auth/verify/${sha256}`);
    expect(await anybody.json()).toMatchObject({ success: true, data: { issuedAt: expect.any(String) } });
  });

  it('sees the change of another person in a live list', async () => {
    const stream = await fetch(`${platform().baseUrl}/api/hms/patients/changes?jwt=${token}`);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const reader = (stream.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const readUntil = async (part: string) => {
      while (!text.includes(part)) text += (await reader.read()).value ?? '';
    };
    await readUntil('event: reset');
    const { id } = await dataOf(doctor.POST('/api/hms/patients', { body: SIOBHAN }));
    await readUntil(`{"id":"${id}"}`);
    await reader.cancel();
  });

  it('gets the names of invalid fields', async () => {
    const { status, body } = await call('POST', '/api/hms/patients', { token, body: { phone: '0123' } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, error: { code: 'VALIDATION_FAILED' } });
    expect(body?.error?.details?.fields?.map(({ field }) => field).sort()).toEqual([
      'dateOfBirth',
      'firstName',
      'lastName',
      'phone',
    ]);
    expect(Date.parse(body?.error?.timestamp ?? '')).not.toBeNaN();
  });

  it('carries one request id from the gateway to the answer', async () => {
    const { response } = await doctor.GET('/api/hms/patients');
    expect(response.headers.get('X-Request-ID')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('logs out, which ends the refresh token', async () => {
    const session = await demonstrationSession(platform(), prefix, 'NURSE');
    const open = api();
    const { refreshToken } = await dataOf(
      open.POST('/api/auth/refresh', { body: { refreshToken: session.refreshToken } }),
    );
    await dataOf(open.POST('/api/auth/logout', { body: { refreshToken } }));
    const { response } = await open.POST('/api/auth/refresh', { body: { refreshToken } });
    expect(response.status).toBe(401);
  });
});
