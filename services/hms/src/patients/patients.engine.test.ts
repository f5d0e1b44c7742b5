/** Patients: created, read, changed and deleted, and by whom. */
import { updateHospital } from '@hms/database';
import { addMember, changeFamily } from '@hms/domain/families';
import type { Patient } from '@hms/domain/patients';
import { workFor } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { DEFAULT_SETTINGS, hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { admin, count, create, doctor, hms, JANE, list, mary, PATIENTS } from './testing.ts';

describe('creating a patient', () => {
  it('answers 201 with the patient, the code and the family', async () => {
    const patient = await create();
    expect(patient).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'active',
      mergedIntoId: null,
      hasMerged: false,
      survivorId: null,
      hospitalId: mary.hospital.id,
      patientCode: 'HSP-000001',
      familyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      photoId: null,
      firstName: 'Jane',
      lastName: 'Doe',
      phone: '+6281234567890',
      email: 'jane@example.org',
      dateOfBirth: '1990-05-17T00:00:00.000Z',
      timeOfBirth: null,
      unknown: [],
      language: null,
      gender: null,
      bloodGroup: null,
      address: null,
      allergies: null,
      alerts: [],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: patient.createdAt,
      version: 1,
    });
    expect(await count('families', { id: patient.familyId, primary_contact_id: patient.id })).toBe(1);
    expect(await count('family_members', { patient_id: patient.id, relation: 'self' })).toBe(1);
  });

  it('leaves no patient, number or member behind if the family can not be created', async () => {
    const { schema } = hospitalNames(mary.hospital.prefix);
    await hms.operator.raw(`ALTER TABLE ${schema}.families ADD CONSTRAINT refuse CHECK (name <> 'Doe')`);
    const answer = await hms.send('POST', PATIENTS, { token: doctor, body: JANE });
    expect(answer).toMatchObject({ status: 500, error: { message: 'Internal server error', code: 'INTERNAL_ERROR' } });
    expect(await count('patients')).toBe(0);
    expect(await count('counters')).toBe(0);
    expect((await create({ lastName: 'Roe' })).patientCode).toBe('HSP-000001');
  });

  it('gives 50 parallel requests 50 different codes without a gap', async () => {
    const patients = await Promise.all(Array.from({ length: 50 }, (_, n) => create({ firstName: `P${n}` })));
    const expected = Array.from({ length: 50 }, (_, n) => `HSP-${String(n + 1).padStart(6, '0')}`);
    expect(patients.map(({ patientCode }) => patientCode).sort()).toEqual(expected);
  });

  it.each([
    ['1990-05-17T00:00:00.000Z', '1990-05-17'],
    ['1990-05-17T23:30:00-11:00', '1990-05-17'],
    ['1990-05-17T00:30:00+14:00', '1990-05-17'],
    ['2000-02-29', '2000-02-29'],
  ])('keeps the day of %s as written', async (dateOfBirth, day) => {
    expect((await create({ dateOfBirth })).dateOfBirth).toBe(`${day}T00:00:00.000Z`);
  });

  it.each([
    [{ firstName: undefined }, 'firstName', /is required/],
    [{ lastName: '   ' }, 'lastName', /must not be empty/],
    [{ lastName: null }, 'lastName', /can not be null/],
    [{ firstName: 'a'.repeat(101) }, 'firstName', /at most 100/],
    [{ firstName: 7 }, 'firstName', /must be a text/],
    [{ firstName: 'Ja\u0000ne' }, 'firstName', /the control character U\+0000/],
    [{ firstName: '\u200b' }, 'firstName', /the hidden character U\+200B/],
    [{ lastName: 'Do\u202ee' }, 'lastName', /the hidden character U\+202E/],
    [{ firstName: 'Ja\ud800ne' }, 'firstName', /broken character/],
    [{ phone: '0812345678' }, 'phone', /leading \+/],
    [{ phone: '+62812abc' }, 'phone', /leading \+/],
    [{ phone: undefined }, 'phone', /is required/],
    [{ email: 'jane' }, 'email', /e-mail address/],
    [{ language: 'fr' }, 'language', /en.*ar/],
    [{ dateOfBirth: undefined }, 'dateOfBirth', /is required/],
    [{ dateOfBirth: '1990-02-30' }, 'dateOfBirth', /must be a date/],
    [{ dateOfBirth: '9999-01-01' }, 'dateOfBirth', /future/],
    [{ dateOfBirth: 642_902_400_000 }, 'dateOfBirth', /must be a date/],
  ])('refuses %j and names the field', async (changes, field, message) => {
    const answer = await hms.send('POST', PATIENTS, { token: doctor, body: { ...JANE, ...changes } });
    expect(answer).toMatchObject({ status: 400, success: false, error: { code: 'VALIDATION_FAILED' } });
    expect(answer.error.details).toMatchObject({
      fields: [{ field, in: 'body', message: expect.stringMatching(message) }],
    });
    expect(answer.error.message).toMatch(message);
    expect(answer.error.message).toContain(field);
    expect(Date.parse(answer.error.timestamp)).toBeGreaterThan(0);
  });

  it('names all invalid fields together', async () => {
    const answer = await hms.send('POST', PATIENTS, { token: doctor, body: {} });
    const { fields } = answer.error.details as { fields: { field: string }[] };
    expect(fields.map(({ field }) => field)).toEqual(['firstName', 'lastName', 'phone', 'dateOfBirth']);
  });

  it('reads the tenant from the token, whatever the body contains', async () => {
    const patient = await create({ hospitalId: '00000000-0000-4000-8000-000000000000', id: 'x' } as object);
    expect(patient.hospitalId).toBe(mary.hospital.id);
  });

  it('refuses a duplicate only on request, and returns the candidates', async () => {
    const first = await create();
    const twin = { ...JANE, firstName: 'JANE', phone: '+628999999999' };
    const refused = await hms.send('POST', PATIENTS, { token: doctor, body: { ...twin, rejectDuplicates: true } });
    expect(refused).toMatchObject({ status: 409, error: { code: 'PATIENT_DUPLICATE' } });
    expect(refused.error.details).toEqual({
      candidates: [{ ...first, similarity: { score: 83, name: 100, dateOfBirth: 100, phone: 0, gender: null } }],
    });
    // A brother: same phone, another name and day.
    const brother = { ...JANE, firstName: 'John', dateOfBirth: '1992-01-01', rejectDuplicates: true };
    expect((await hms.send('POST', PATIENTS, { token: doctor, body: brother })).status).toBe(201);
    expect((await create(twin)).patientCode).toBe('HSP-000003');
  });

  it('lists who is alike before somebody is registered, and keeps why it was another person', async () => {
    const first = await create();
    const alike = async (person: object) => {
      const answer = await hms.send('POST', `${PATIENTS}/alike`, { token: doctor, body: person });
      expect(answer.error).toBe(undefined);
      return answer.data<readonly { id: string }[]>();
    };
    const twin = { ...JANE, firstName: 'JANE', phone: '+628999999999' };
    const { firstName, lastName, dateOfBirth } = twin;
    expect(await alike({ firstName, lastName, dateOfBirth })).toMatchObject([
      { id: first.id, similarity: { name: 100 } },
    ]);
    for (const nobody of [{}, { firstName, lastName }, { firstName: 'Zoe', lastName: null, dateOfBirth }])
      expect(await alike(nobody)).toEqual([]);
    expect((await hms.send('POST', `${PATIENTS}/alike`, { token: doctor, body: { phone: '12' } })).status).toBe(400);
    const reason = 'A cousin with the same name';
    const otherThan = { patientIds: [first.id], reason };
    const second = await create({ ...twin, rejectDuplicates: true, otherThan } as object);
    // Whoever was not shown is not overruled.
    const third = await hms.send('POST', PATIENTS, { token: doctor, body: { ...twin, otherThan } });
    expect([third.status, third.error.code]).toEqual([409, 'PATIENT_DUPLICATE']);
    // Without anybody who is alike, there is nothing to overrule.
    await create({ firstName: 'Zoe', dateOfBirth: '2001-02-03', phone: '+628111111111', otherThan } as object);
    const events = await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.query(`SELECT record, patient_id, details FROM audit_events WHERE action = 'overrule'`),
    );
    const candidates = [{ id: first.id, patientCode: first.patientCode }];
    expect(events).toMatchObject([{ record: 'patients', patient_id: second.id, details: { reason, candidates } }]);
  });

  it('follows the settings of the hospital: letters of codes, and whether duplicates are refused', async () => {
    const settings = { ...DEFAULT_SETTINGS, patientCodeLetters: 'MRN', rejectDuplicates: true };
    await updateHospital(hms.operator, mary.hospital.prefix, { settings });
    expect((await create()).patientCode).toBe('MRN-000001');
    const refused = await hms.send('POST', PATIENTS, { token: doctor, body: JANE });
    expect(refused).toMatchObject({ status: 409, error: { code: 'PATIENT_DUPLICATE' } });
    expect((await create({ rejectDuplicates: false } as object)).patientCode).toBe('MRN-000002');
  });

  it('creates one of ten equal patients when parallel requests refuse duplicates', async () => {
    const body = { ...JANE, rejectDuplicates: true };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => hms.send('POST', PATIENTS, { token: doctor, body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });
});

describe('reading, changing and deleting a patient', () => {
  it("answers 404 for another hospital's patient, for every method", async () => {
    const patient = await create();
    const other = await createTestHospital(hms.operator, hms.issuer);
    const token = await other.token(['OWNER']);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await hms.send(method, `${PATIENTS}/${patient.id}`, {
        token,
        ...(method === 'PUT' ? { body: { firstName: 'Eve' } } : {}),
      });
      expect(answer).toMatchObject({ status: 404, error: { code: 'PATIENT_NOT_FOUND' } });
    }
    const same = await hms.send('GET', `${PATIENTS}/${patient.id}`, { token: doctor });
    expect(same.data<Patient>()).toEqual(patient);
    expect((await list('', token)).total).toBe(0);
  });

  it('answers 400 INVALID_ID for an id that is not a UUID', async () => {
    const answer = await hms.send('GET', `${PATIENTS}/42`, { token: doctor });
    expect(answer).toMatchObject({ status: 400, error: { code: 'INVALID_ID' } });
  });

  it('changes the given fields, clears those set to null, and keeps the others', async () => {
    const patient = await create();
    const answer = await hms.send('PUT', `${PATIENTS}/${patient.id}`, {
      token: doctor,
      body: { lastName: 'Roe', email: null, language: 'ar' },
    });
    const changed = answer.data<Patient>();
    expect(changed).toEqual({
      ...patient,
      lastName: 'Roe',
      email: null,
      language: 'ar',
      version: 2,
      updatedAt: changed.updatedAt,
    });
    expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(patient.updatedAt));
    const refused = await hms.send('PUT', `${PATIENTS}/${patient.id}`, { token: doctor, body: { phone: null } });
    expect(refused).toMatchObject({
      status: 400,
      error: { message: expect.stringMatching(/^phone can not be null: .* unknown$/) },
    });
  });

  it('refuses a change with a stale version', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      ['Ann', 'Bea', 'Cat'].map((firstName) =>
        hms.send('PUT', `${PATIENTS}/${id}`, { token: doctor, body: { firstName, version: 1 } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const stale = answers.find(({ status }) => status === 409);
    expect(stale?.error).toMatchObject({ code: 'STALE_VERSION', details: { version: 2 } });
  });

  it('soft-deletes the patient and the empty family', async () => {
    const patient = await create();
    expect((await hms.send('DELETE', `${PATIENTS}/${patient.id}`, { token: doctor })).status).toBe(403);
    const answer = await hms.send('DELETE', `${PATIENTS}/${patient.id}`, { token: admin });
    expect(answer.status).toBe(200);
    expect(answer.data<Patient>()).toMatchObject({ id: patient.id, deletedAt: expect.any(String), familyId: null });
    expect((await hms.send('GET', `${PATIENTS}/${patient.id}`, { token: admin })).status).toBe(404);
    expect((await hms.send('DELETE', `${PATIENTS}/${patient.id}`, { token: admin })).status).toBe(404);
    expect(await list('')).toEqual({ names: [], total: 0 });
    expect(await list('includeDeleted=true', admin)).toEqual({ names: ['Jane'], total: 1 });
    expect((await hms.send('GET', `${PATIENTS}?includeDeleted=true`, { token: doctor })).status).toBe(403);
    expect(await count('families', { id: patient.familyId, primary_contact_id: null })).toBe(1);
  });
});

describe('registering a patient into a family', () => {
  const register = (family: unknown, body: object = {}, token = admin) =>
    hms.send('POST', PATIENTS, { token, body: { ...JANE, firstName: 'Jim', ...body, family } });

  it('makes them a member with the relation, and founds no other family', async () => {
    const jane = await create();
    const answer = await register({ id: jane.familyId, relation: 'child' });
    expect(answer.status).toBe(201);
    const jim = answer.data<Patient>();
    expect(jim.familyId).toBe(jane.familyId);
    expect(await count('family_members', { patient_id: jim.id, family_id: jane.familyId, relation: 'child' })).toBe(1);
    expect(await count('families')).toBe(1);
  });

  it('is all or nothing', async () => {
    const jane = await create();
    const unknown = await register({ id: '00000000-0000-4000-8000-000000000000', relation: 'child' });
    expect(unknown).toMatchObject({ status: 404, error: { code: 'FAMILY_NOT_FOUND' } });
    expect(unknown.error.details).toMatchObject({ fields: [{ field: 'family.id', in: 'body' }] });
    const wrong = [
      [{ id: jane.familyId }, 'family.relation is required'],
      [{ id: jane.familyId, relation: 'self' }, 'family.relation must be one of spouse, child, parent, other'],
      [{ relation: 'child' }, 'family.id is required'],
    ] as const;
    for (const [family, message] of wrong)
      expect((await register(family)).error).toMatchObject({ code: 'VALIDATION_FAILED', message });
    const alike = await register(
      { id: jane.familyId, relation: 'child' },
      { firstName: 'Jane', rejectDuplicates: true },
    );
    expect(alike.error.code).toBe('PATIENT_DUPLICATE');
    expect(await count('patients')).toBe(1);
    expect(await count('family_members')).toBe(1);
  });

  it('is for those who may change families', async () => {
    const jane = await create();
    const refused = await register({ id: jane.familyId, relation: 'child' }, {}, doctor);
    expect(refused).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
    expect(await count('patients')).toBe(1);
  });

  it('does not deadlock with others that look for duplicates', async () => {
    const [jane, john] = [await create(), await create({ firstName: 'John' })];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        register(
          { id: (n % 2 ? jane : john).familyId, relation: 'other' },
          {
            firstName: `Jim${'abcdefghijkl'[n]}`,
            lastName: 'Roe',
            phone: `+628123456${1000 + n}`,
            rejectDuplicates: n % 3 > 0,
          },
        ),
      ),
    );
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
  });
});

describe('deleting a member of a family', () => {
  it('is refused while others have nobody else as primary contact or payer', async () => {
    const [jane, john, jim] = [await create(), await create({ firstName: 'John' }), await create({ firstName: 'Jim' })];
    const familyId = jane.familyId ?? '';
    await workFor(hms.platform, mary.hospital, 'test', async (work) => {
      await addMember(work, familyId, { patientId: john.id, relation: 'child', isPayer: false });
      await addMember(work, familyId, { patientId: jim.id, relation: 'child', isPayer: true });
    });
    const remove = async ({ id }: Patient) => hms.send('DELETE', `${PATIENTS}/${id}`, { token: admin });
    expect(await remove(jane)).toMatchObject({ status: 409, error: { code: 'PRIMARY_CONTACT_REQUIRED' } });
    expect(await remove(jim)).toMatchObject({ status: 409, error: { code: 'PAYER_REQUIRED' } });
    expect((await remove(john)).data()).toMatchObject({ id: john.id, familyId: null });
    expect(await list(`familyId=${familyId}`)).toEqual({ names: ['Jim', 'Jane'], total: 2 });
    await workFor(hms.platform, mary.hospital, 'test', (work) =>
      changeFamily(work, familyId, { payerId: jane.id }, undefined),
    );
    expect((await remove(jim)).status).toBe(200);
    // The last one leaves, and the family is closed.
    expect((await remove(jane)).status).toBe(200);
    expect(await count('families', { id: familyId, primary_contact_id: null, payer_id: null })).toBe(1);
  });
});

it('reads, lists and changes of a patient are in the audit log', async () => {
  const { id } = await create();
  await hms.send('GET', `${PATIENTS}/${id}`, { token: doctor });
  await hms.send('GET', `${PATIENTS}?q=jane`, { token: doctor });
  await hms.send('PUT', `${PATIENTS}/${id}`, { token: doctor, body: { phone: '+4912345678' } });
  await hms.send('PUT', `${PATIENTS}/${id}`, { token: doctor, body: { version: 1 } });
  // The refusal shows the candidates.
  await hms.send('POST', PATIENTS, { token: doctor, body: { ...JANE, phone: '+4912345678', rejectDuplicates: true } });
  const events = await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
    trx.query<{ action: string; record: string; patient_id: string; before: object; after: object; details: object }>(
      'SELECT action, record, patient_id, before, after, details FROM audit_events ORDER BY seq',
    ),
  );
  const phone = (value: string) => ({ phone: value });
  const created = events.splice(0, 3).sort((a, b) => (a.record < b.record ? -1 : 1));
  expect(created).toMatchObject([
    { action: 'create', record: 'families' },
    { action: 'create', record: 'family_members', patient_id: id },
    { action: 'create', record: 'patients', patient_id: id },
  ]);
  expect(events).toMatchObject([
    { action: 'read', record: 'patients', patient_id: id },
    { action: 'list', record: 'patients', details: { q: 'jane', ids: [id] } },
    { action: 'update', patient_id: id, before: phone('+6281234567890'), after: phone('+4912345678') },
    { action: 'refuse', details: { code: 'STALE_VERSION' } },
    { action: 'list', record: 'patients', details: { reason: 'duplicates', ids: [id] } },
    { action: 'refuse', details: { code: 'PATIENT_DUPLICATE' } },
  ]);
});

describe('roles', () => {
  it.each(['RECEPTION', 'NURSE', 'DOCTOR', 'ADMIN', 'OWNER'] as const)('allows %s to create', async (role) => {
    const answer = await hms.send('POST', PATIENTS, { token: await mary.token([role]), body: JANE });
    expect(answer.status).toBe(201);
  });

  it.each(['CASHIER', 'ACCOUNTANT', 'PHARMACIST', 'LAB_TECH'] as const)('allows %s only to read', async (role) => {
    const token = await mary.token([role]);
    expect((await hms.send('GET', PATIENTS, { token })).status).toBe(200);
    const refused = await hms.send('POST', PATIENTS, { token, body: JANE });
    expect(refused).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
    // The platform's own roles too, which administrators may add at any time.
    expect(refused.error.details).toEqual({
      requiredPermission: 'patients.write',
      requiredRoles: expect.arrayContaining(['OWNER', 'ADMIN', 'DOCTOR', 'NURSE', 'RECEPTION']),
    });
    expect(refused.error.details?.requiredRoles).not.toContain(role);
  });

  it('refuses DISPLAY and people without a role', async () => {
    expect((await hms.send('GET', PATIENTS, { token: await mary.token(['DISPLAY']) })).status).toBe(403);
    expect((await hms.send('GET', PATIENTS, { token: await mary.token([]) })).status).toBe(403);
  });
});
