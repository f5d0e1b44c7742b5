/** From a manifest to a patient: everything through the gateway, as staff would. */
import { demonstrationUser } from '@hms/local';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from './platform.ts';
import { call, tokenOf } from './support/gateway.ts';
import { freshHospital } from './support/hospitals.ts';

const SLOW = 90_000;
const SIOBHAN = { firstName: 'Siobhán', lastName: 'Murphy', phone: '+35312345678', dateOfBirth: '1990-05-17' };

interface Patient {
  readonly id: string;
  readonly hospitalId: string;
  readonly familyId: string;
  readonly firstName: string;
}

let prefix: string;
let hospitalId: string | undefined;
let doctor: string;

beforeAll(async () => {
  const hospital = await freshHospital();
  prefix = hospital.metadata.name;
  hospitalId = hospital.status?.hospitalId;
  doctor = await tokenOf(prefix, 'DOCTOR');
}, SLOW);

describe('a doctor', () => {
  it('has the identity of the token', async () => {
    const { status, body } = await call('GET', '/api/auth/me', { token: doctor });
    expect(status).toBe(200);
    expect(body?.data).toMatchObject({ email: `doctor@${prefix}.example`, hospitalId, roles: ['DOCTOR'] });
  });

  it('creates a patient with a family', async () => {
    const created = await call('POST', '/api/hms/patients', { token: doctor, body: SIOBHAN });
    expect(created.status).toBe(201);
    const patient = created.data<Patient>();
    expect(patient).toMatchObject({ ...SIOBHAN, dateOfBirth: '1990-05-17T00:00:00.000Z', hospitalId });
    const family = await call('GET', `/api/crm/families/${patient.familyId}`, { token: doctor });
    expect(family.body?.data).toMatchObject({
      primaryContactId: patient.id,
      hospitalId,
      members: [expect.objectContaining({ patientId: patient.id, relation: 'self' })],
    });
  });

  it('finds, changes and lists patients', async () => {
    const created = await call('POST', '/api/hms/patients', {
      token: doctor,
      body: { ...SIOBHAN, lastName: 'Quigley' },
    });
    const { id } = created.data<Patient>();
    const changed = await call('PUT', `/api/hms/patients/${id}`, { token: doctor, body: { firstName: 'Sinéad' } });
    expect(changed.body?.data).toMatchObject({ id, firstName: 'Sinéad', lastName: 'Quigley' });
    const found = await call('GET', '/api/hms/patients?q=quigl&limit=5', { token: doctor });
    expect(found.body).toMatchObject({ success: true, data: [{ id }], meta: { page: 1, limit: 5, total: 1 } });
  });

  it('may not delete a patient, but an administrator may', async () => {
    const created = await call('POST', '/api/hms/patients', { token: doctor, body: SIOBHAN });
    const path = `/api/hms/patients/${created.data<Patient>().id}`;
    expect(await call('DELETE', path, { token: doctor })).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN' } },
    });
    const admin = await tokenOf(prefix, 'ADMIN');
    expect(await call('DELETE', path, { token: admin })).toMatchObject({ status: 200, body: { success: true } });
    expect(await call('GET', path, { token: doctor })).toMatchObject({
      status: 404,
      body: { error: { code: 'PATIENT_NOT_FOUND' } },
    });
  });

  it('gets the names of invalid fields', async () => {
    const { status, body } = await call('POST', '/api/hms/patients', { token: doctor, body: { phone: '0123' } });
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
    const { headers } = await call('GET', '/api/hms/patients', { token: doctor });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('logs out, which ends the refresh token', async () => {
    const login = await demonstrationUser(platform(), prefix, 'NURSE');
    const session = await call('POST', '/api/auth/login', { body: login });
    const { refreshToken } = session.data<{ refreshToken: string }>();
    const refreshed = await call('POST', '/api/auth/refresh', { body: { refreshToken } });
    expect(refreshed.status).toBe(200);
    const next = refreshed.data<{ refreshToken: string }>().refreshToken;
    expect((await call('POST', '/api/auth/logout', { body: { refreshToken: next } })).status).toBe(200);
    expect((await call('POST', '/api/auth/refresh', { body: { refreshToken: next } })).status).toBe(401);
  });
});
