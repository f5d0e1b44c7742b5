/** Patients of whom something is unknown: unconscious people, newborns, people with one name, children without a phone. */
import type { Candidate, Patient } from '@hms/domain/patients';
import { describe, expect, it } from '@jest/globals';
import { admin, count, create, doctor, hms, JANE, list, mary, PATIENTS } from './testing.ts';

const ALL = ['firstName', 'lastName', 'phone', 'dateOfBirth'] as const;
const NOBODY = {
  firstName: undefined,
  lastName: undefined,
  phone: undefined,
  dateOfBirth: undefined,
  email: undefined,
};
const NULLS = { firstName: null, lastName: null, phone: null, dateOfBirth: null };

const unknown = (fields: readonly string[], more: object = {}): Promise<Patient> =>
  create({ ...Object.fromEntries(fields.map((field) => [field, undefined])), unknown: fields, ...more } as object);

const change = (id: string, body: object) => hms.send('PUT', `${PATIENTS}/${id}`, { token: doctor, body });

const familyOf = async (id: string | null) =>
  (
    await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.query<{ name: string }>('SELECT name FROM families WHERE id = $1', [id]),
    )
  )[0]?.name;

describe('registering somebody who can not tell everything', () => {
  it.each([
    ['an unconscious person', ALL],
    ['a newborn', ['firstName', 'phone']],
    ['somebody with one name', ['lastName']],
    ['a child without a phone', ['phone']],
    ['somebody who does not know the day of birth', ['dateOfBirth']],
  ])('takes %s', async (_, fields) => {
    const patient = await unknown(fields);
    expect(patient.unknown).toEqual(ALL.filter((field) => fields.includes(field)));
    for (const field of ALL) expect(patient[field] === null).toBe(fields.includes(field));
    const read = await hms.send('GET', `${PATIENTS}/${patient.id}`, { token: doctor });
    expect(read.data()).toEqual(patient);
  });

  it('takes null for what unknown names, as a record that was read has it', async () => {
    const patient = await create({ ...NOBODY, ...NULLS, unknown: ALL } as object);
    expect(patient).toMatchObject({ ...NULLS, unknown: ALL, patientCode: 'HSP-000001' });
  });

  it('names the family by what is known', async () => {
    expect(await familyOf((await unknown(ALL)).familyId)).toBe('HSP-000001');
    expect(await familyOf((await unknown(['lastName'])).familyId)).toBe('Jane');
    expect(await familyOf((await unknown(['firstName'])).familyId)).toBe('Doe');
  });

  it.each([
    [{ phone: undefined }, ['phone'], /^is required: .* unknown$/],
    [{ phone: null, unknown: [] }, ['phone'], /^can not be null: .* unknown$/],
    [{ unknown: ['phone'] }, ['phone'], /^has a value, but unknown names it/],
    [{ phone: '', unknown: ['phone'] }, ['phone'], /must not be empty|has a value/],
    [{ lastName: undefined, phone: undefined, unknown: ['phone'] }, ['lastName'], /^is required/],
    [{ firstName: undefined, email: 'jane' }, ['firstName', 'email'], /required|e-mail/],
    [{ firstName: undefined, lastName: 7, phone: '0123' }, ['firstName', 'lastName', 'phone'], /text|required|leading/],
    [{ unknown: ['email'] }, ['unknown.0'], /firstName/],
    [{ phone: undefined, unknown: ['phone', 'phone'] }, ['unknown'], /twice/],
    [{ phone: undefined, unknown: 'phone' }, ['unknown', 'phone'], /list|required/],
  ])('refuses %j', async (changes, fields, message) => {
    const answer = await hms.send('POST', PATIENTS, { token: doctor, body: { ...JANE, ...changes } });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    const named = (answer.error.details as { fields: { field: string; message: string }[] }).fields;
    expect(new Set(named.map(({ field }) => field))).toEqual(new Set(fields));
    expect(named[0]?.message).toMatch(message);
    expect(await count('patients')).toBe(0);
  });
});

describe('what is missing', () => {
  it('is listed until it is known', async () => {
    await create();
    const child = await unknown(['phone'], { firstName: 'Ben' });
    const baby = await unknown(['firstName'], { lastName: 'Roe' });
    expect((await list('incomplete=true&sort=createdAt')).names).toEqual(['Ben', 'null']);
    expect(await list('incomplete=false')).toEqual({ names: ['Jane'], total: 1 });
    expect((await change(child.id, { phone: '+353861234567' })).status).toBe(200);
    expect(await list('incomplete=true')).toEqual({ names: ['null'], total: 1 });
    expect((await change(baby.id, { firstName: 'Zoe' })).data()).toMatchObject({ firstName: 'Zoe', unknown: [] });
    expect(await list('incomplete=true')).toEqual({ names: [], total: 0 });
    expect((await list('incomplete=maybe').catch(() => 'refused')) === 'refused').toBe(true);
  });

  it('is completed part by part, and the family gets the name', async () => {
    const { id, familyId } = await unknown(ALL);
    expect((await change(id, { lastName: 'Brennan' })).data()).toMatchObject({
      lastName: 'Brennan',
      unknown: ['firstName', 'phone', 'dateOfBirth'],
    });
    expect(await familyOf(familyId)).toBe('Brennan');
    const rest = { firstName: 'Niamh', phone: '+353861234567', dateOfBirth: '1988-02-29', unknown: [] };
    expect((await change(id, rest)).data()).toMatchObject({ firstName: 'Niamh', unknown: [] });
    expect((await list('q=brennan, niamh')).names).toEqual(['Niamh']);
  });

  it('leaves the name of a family that somebody has chosen', async () => {
    const { id, familyId } = await unknown(['lastName']);
    await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.query("UPDATE families SET name = 'The Does' WHERE id = $1", [familyId]),
    );
    await change(id, { lastName: 'Doe' });
    expect(await familyOf(familyId)).toBe('The Does');
  });

  it('can turn out later: a phone number that was of somebody else', async () => {
    const { id } = await create();
    expect((await change(id, { unknown: ['phone'] })).data()).toMatchObject({ phone: null, unknown: ['phone'] });
    // `unknown` says all that is unknown after the change.
    const forgotten = await change(id, { unknown: [] });
    expect(forgotten).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    expect(forgotten.error.details).toMatchObject({ fields: [{ field: 'phone', in: 'body' }] });
    expect((await change(id, { phone: null })).status).toBe(400);
    expect((await change(id, { phone: '+353861234567', unknown: ['phone'] })).status).toBe(400);
    expect((await change(id, { phone: null, unknown: ['phone'] })).status).toBe(200);
    expect((await change(id, { gender: 'female' })).data()).toMatchObject({ phone: null, gender: 'female' });
  });
});

describe('a patient without a name', () => {
  it('is called by the code, found by it, and sorted after all names', async () => {
    await create();
    const { id, patientCode } = await unknown(ALL);
    expect((await list(`q=${patientCode}`)).total).toBe(1);
    expect((await list('sort=lastName')).names).toEqual(['Jane', 'null']);
    const answer = await fetch(`${hms.url}/api/hms/fhir/R4/Patient/${id}`, {
      headers: { Authorization: `Bearer ${doctor}` },
    });
    expect(await answer.json()).toEqual({
      ...{ resourceType: 'Patient', id, meta: expect.anything(), identifier: expect.anything(), active: true },
      ...{ telecom: [{ system: 'email', value: JANE.email }], managingOrganization: expect.anything() },
    });
  });
});

describe('who may be the same person', () => {
  const candidates = async (id: string) =>
    (await hms.send('GET', `${PATIENTS}/${id}/duplicates`, { token: doctor })).data<Candidate[]>();

  it('is told by two parts that are known, and never by one', async () => {
    const jane = await create();
    const byNameAndPhone = await unknown(['dateOfBirth']);
    const byPhone = await unknown(['firstName', 'lastName', 'dateOfBirth']);
    const byDay = await unknown(['phone', 'firstName', 'lastName']);
    const found = await candidates(byNameAndPhone.id);
    expect(found.map(({ id, similarity }) => [id, similarity])).toEqual([
      [jane.id, { score: 100, name: 100, dateOfBirth: null, phone: 100, gender: null }],
    ]);
    expect(await candidates(byPhone.id)).toEqual([]);
    expect(await candidates(byDay.id)).toEqual([]);
    expect(await candidates((await unknown(ALL)).id)).toEqual([]);
  });

  it('knows somebody with one name again', async () => {
    const first = await unknown(['lastName'], { firstName: 'Suharto' });
    const body = { ...JANE, firstName: 'SUHARTO', lastName: undefined, unknown: ['lastName'], rejectDuplicates: true };
    const again = await hms.send('POST', PATIENTS, { token: doctor, body });
    expect(again).toMatchObject({ status: 409, error: { code: 'PATIENT_DUPLICATE' } });
    expect((again.error.details as { candidates: { id: string }[] }).candidates.map(({ id }) => id)).toEqual([
      first.id,
    ]);
  });

  it('is merged when it turns out who somebody is', async () => {
    const jane = await create();
    const { id, version } = await unknown(ALL);
    const body = { intoId: jane.id, version };
    const merged = await hms.send('POST', `${PATIENTS}/${id}/merge`, { token: admin, body });
    expect(merged.status).toBe(200);
    expect(await list('')).toEqual({ names: ['Jane'], total: 1 });
  });
});
