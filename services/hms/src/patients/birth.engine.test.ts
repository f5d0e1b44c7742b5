/** The time of birth of a newborn. */
import type { Patient } from '@hms/domain/patients';
import { hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { create, doctor, hms, JANE, mary, PATIENTS } from './testing.ts';

const change = (id: string, body: object) => hms.send('PUT', `${PATIENTS}/${id}`, { token: doctor, body });
const newborn = () => create({ dateOfBirth: '2026-06-14', timeOfBirth: '05:07' } as object);
const refused = (message: string) => ({
  status: 400,
  error: {
    code: 'VALIDATION_FAILED',
    details: { fields: [{ field: 'timeOfBirth', in: 'body', message: expect.stringContaining(message) }] },
  },
});

describe('the time of birth', () => {
  it('is kept as the clock of the hospital shows it, changed and removed', async () => {
    const { id, timeOfBirth } = await newborn();
    expect(timeOfBirth).toBe('05:07');
    expect((await change(id, { gender: 'female' })).data<Patient>().timeOfBirth).toBe('05:07');
    expect((await change(id, { timeOfBirth: '23:59' })).data<Patient>().timeOfBirth).toBe('23:59');
    expect((await change(id, { dateOfBirth: '2026-06-13' })).data<Patient>().timeOfBirth).toBe('23:59');
    expect((await change(id, { timeOfBirth: null })).data<Patient>().timeOfBirth).toBeNull();
    expect((await create()).timeOfBirth).toBeNull();
  });

  it('is forgotten together with the day, and comes back with it', async () => {
    const { id } = await newborn();
    const forgotten = await change(id, { unknown: ['dateOfBirth'] });
    expect(forgotten.data()).toMatchObject({ dateOfBirth: null, timeOfBirth: null, unknown: ['dateOfBirth'] });
    expect(await change(id, { timeOfBirth: '05:07' })).toMatchObject(refused('send dateOfBirth too'));
    const known = await change(id, { dateOfBirth: '2026-06-14', timeOfBirth: '05:07', unknown: [] });
    expect(known.data()).toMatchObject({ timeOfBirth: '05:07', unknown: [] });
    const both = await change(id, { timeOfBirth: '05:07', unknown: ['dateOfBirth'] });
    expect(both).toMatchObject(refused('leave out timeOfBirth'));
  });

  it.each([
    [{ timeOfBirth: '24:00' }, 'from 00:00 to 23:59'],
    [{ timeOfBirth: '5:07' }, 'from 00:00 to 23:59'],
    [{ timeOfBirth: '05:07', dateOfBirth: undefined, unknown: ['dateOfBirth'] }, 'needs a day of birth'],
  ])('in a registration with %j is refused, and says what to write', async (changes, message) => {
    const answer = await hms.send('POST', PATIENTS, { token: doctor, body: { ...JANE, ...changes } });
    expect(answer).toMatchObject(refused(message));
  });

  it('is not in the future, though the day may be today', async () => {
    const { id } = await create();
    const clock = (at: number) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: mary.hospital.timezone, dateStyle: 'short', timeStyle: 'short' })
        .format(at)
        .split(' ');
    const [dateOfBirth, now] = clock(Date.now());
    expect(await change(id, { dateOfBirth, timeOfBirth: now })).toMatchObject({ status: 200 });
    const [laterDay, later] = clock(Date.now() + 120_000);
    // Before midnight, two minutes from now is another day, which is refused as such.
    const field = laterDay === dateOfBirth ? 'timeOfBirth' : 'dateOfBirth';
    const answer = await change(id, { dateOfBirth: laterDay, timeOfBirth: later });
    expect(answer.error.details).toMatchObject({ fields: [{ field, message: 'must not be in the future' }] });
  });

  it('is in FHIR with the offset of the hospital, beside the day', async () => {
    const { id } = await newborn();
    const answer = await fetch(`${hms.url}/api/hms/fhir/R4/Patient/${id}`, {
      headers: { Authorization: `Bearer ${doctor}` },
    });
    const url = 'http://hl7.org/fhir/StructureDefinition/patient-birthTime';
    expect(await answer.json()).toMatchObject({
      ...{ birthDate: '2026-06-14', _birthDate: { extension: [{ url, valueDateTime: '2026-06-14T05:07:00+07:00' }] } },
    });
  });

  it('needs a day in PostgreSQL too', async () => {
    const { id } = await newborn();
    const patients = hms.operator(`${hospitalNames(mary.hospital.prefix).schema}.patients`);
    const attempt = patients.where({ id }).update({ date_of_birth: null });
    await expect(attempt).rejects.toMatchObject({ code: '23514' });
  });
});
