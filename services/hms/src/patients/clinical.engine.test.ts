/** What a patient's record says about the person: gender, blood group, address, allergies and alerts. */
import type { Patient } from '@hms/domain/patients';
import { describe, expect, it } from '@jest/globals';
import { create, doctor, hms, JANE, mary, PATIENTS } from './testing.ts';

const PENICILLIN = { substance: 'Penicillin', severity: 'severe', note: 'Anaphylaxis in 2019' };
const CLINICAL = {
  gender: 'female',
  bloodGroup: 'AB-',
  address: { street: '12 Main Street', city: 'Ennis', postalCode: 'V95 X2C1', country: 'IE' },
  allergies: [PENICILLIN, { substance: 'Latex', severity: 'mild' }],
  alerts: ['Risk of falls'],
};

const make = async (body: object): Promise<Patient> => create(body as Parameters<typeof create>[0]);
const change = (id: string, body: object) => hms.send('PUT', `${PATIENTS}/${id}`, { token: doctor, body });

it('is stored and returned as it was sent', async () => {
  const patient = await make(CLINICAL);
  expect(patient).toMatchObject(CLINICAL);
  expect((await hms.send('GET', `${PATIENTS}/${patient.id}`, { token: doctor })).data()).toEqual(patient);
});

it('is unknown until somebody says it, and no known allergies differ from unknown ones', async () => {
  const patient = await create();
  const unknown = { gender: null, bloodGroup: null, address: null, allergies: null, alerts: [] };
  expect(patient).toMatchObject(unknown);
  const asked = await change(patient.id, { allergies: [] });
  expect(asked.data()).toMatchObject({ ...unknown, allergies: [] });
  const all = await change(patient.id, CLINICAL);
  expect(all.data()).toMatchObject(CLINICAL);
  // A list is replaced as a whole, and what is not named stays.
  const fewer = await change(patient.id, { allergies: [PENICILLIN], address: null });
  expect(fewer.data()).toMatchObject({ ...CLINICAL, allergies: [PENICILLIN], address: null });
});

it('is in the audit log, before and after', async () => {
  const { id } = await make(CLINICAL);
  await change(id, { allergies: [] });
  const events = await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
    trx.query<{ before: object; after: object }>("SELECT before, after FROM audit_events WHERE action = 'update'"),
  );
  expect(events).toEqual([{ before: { allergies: CLINICAL.allergies }, after: { allergies: [] } }]);
});

describe('a body', () => {
  const line = 'x'.repeat(201);
  it.each([
    [{ gender: 'F' }, 'gender', /female/],
    [{ bloodGroup: 'A' }, 'bloodGroup', /A\+/],
    [{ address: {} }, 'address', /at least one part/],
    [{ address: { country: 'Ireland' } }, 'address.country', /two capital letters/],
    [{ address: { country: 'ie' } }, 'address.country', /two capital letters/],
    [{ address: { street: line } }, 'address.street', /at most 200/],
    [{ allergies: [{ substance: 'Nuts' }] }, 'allergies.0.severity', /is required/],
    [{ allergies: [{ substance: ' ', severity: 'mild' }] }, 'allergies.0.substance', /must not be empty/],
    [{ allergies: [PENICILLIN, { ...PENICILLIN, substance: 'PENICILLIN' }] }, 'allergies', /twice/],
    [{ allergies: Array.from({ length: 51 }, (_, n) => ({ ...PENICILLIN, substance: `${n}` })) }, 'allergies', /50/],
    [{ alerts: ['Risk of falls', 'risk of falls'] }, 'alerts', /twice/],
    [{ alerts: null }, 'alerts', /can not be null/],
    [{ alerts: [line] }, 'alerts.0', /at most 200/],
  ])('with %j is refused with the name of the field', async (changes, field, message) => {
    const answer = await hms.send('POST', PATIENTS, { token: doctor, body: { ...JANE, ...changes } });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    expect(answer.error.details).toMatchObject({
      fields: [{ field, in: 'body', message: expect.stringMatching(message) }],
    });
  });
});
