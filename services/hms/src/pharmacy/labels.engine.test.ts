/** Labels for what is dispensed: what is on them, and who gets them. */
import type { ShownDispense, ShownPrescription } from '@hms/domain/prescriptions';
import { createTestHospital } from '@hms/service/testing';
import { describe, expect, it } from '@jest/globals';
import { labelsOf } from './labels.ts';
import {
  aBatch,
  aDrug,
  aPatient,
  aPrescription,
  type Dispensed,
  day,
  dispensed,
  get,
  hms,
  line,
  mary,
  outcome,
  pharmacist,
  post,
  usePharmacy,
} from './testing.ts';

usePharmacy();

const hospitalIn = (language: string, phone?: string) => ({
  timezone: 'Pacific/Auckland',
  settings: { ...mary.hospital.settings, language, ...(phone === undefined ? {} : { phone }) },
});

/** What is printed of a dispense. */
async function labels({ id }: Pick<Dispensed, 'id'>, hospital = hospitalIn('en')) {
  const shown = (await get(`dispenses/${id}`)).data<ShownDispense>();
  const prescription = (await get(`prescriptions/${shown.prescriptionId}`)).data<ShownPrescription>();
  return labelsOf(shown, prescription, hospital);
}
const factsOf = ({ facts }: Awaited<ReturnType<typeof labels>>['labels'][number]) => Object.fromEntries(facts);

/** Of two batches: four tablets of the first one, six of the other one. */
async function ofTwoBatches() {
  const drug = await aDrug({ strength: '500 mg' });
  await aBatch(drug, 4, { batchNo: 'B-1', expiresOn: '2096-12-31' });
  await aBatch(drug, 50, { batchNo: 'B-2', expiresOn: '2097-01-31' });
  const patient = await aPatient({ lastName: 'Doe' });
  const instructions = { dose: 0.5, timesPerDay: 3, durationDays: 7, instructions: 'After meals' };
  const prescription = await aPrescription(patient, [line(drug, 10, instructions)]);
  return { drug, patient, prescription, given: await dispensed(prescription) };
}
const takeBack = ({ id, lines }: Dispensed, index: number, quantity: number) =>
  post(`dispenses/${id}/return`, { lines: [{ lineId: lines[index]?.id, quantity }], reason: 'Rash' });

describe('a label', () => {
  it('is for each batch of a drug, with what the patient has to know', async () => {
    const { drug, patient, prescription, given } = await ofTwoBatches();
    const printed = await labels(given, hospitalIn('en', '+35315550100'));
    expect(printed).toMatchObject({
      ...{ dispenseNo: given.dispenseNo, name: 'Jane Doe', patientCode: patient.patientCode, phone: '+35315550100' },
      labels: [0, 1].map(() => ({
        drug: `${drug.name} \u2066500 mg\u2069, Tablet`,
        directions: '\u20680.5 tablet\u2069, 3 times a day, for 7 days',
        instructions: 'After meals',
      })),
    });
    const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Pacific/Auckland' });
    const [first, second] = printed.labels.map(factsOf);
    expect(first).toEqual({
      ...{ Quantity: '\u20684 tablet\u2069', Batch: '\u2066B-1\u2069', Expires: '31 Dec 2096' },
      ...{ Dispensed: today.format(new Date()), Prescription: `\u2066${prescription.rxNo}\u2069` },
    });
    expect(second).toMatchObject({
      Quantity: '\u20686 tablet\u2069',
      Batch: '\u2066B-2\u2069',
      Expires: '31 Jan 2097',
    });
  });

  it('names the drug that was given in place of another one', async () => {
    const drug = await aDrug({ strength: null });
    const other = await aDrug({ ingredients: drug.ingredients, strength: null });
    await aBatch(other, 5);
    const prescription = await aPrescription(await aPatient(), [line(drug, 5)]);
    const substitute = { drugId: other.id, reason: 'Not in stock' };
    const given = await dispensed(prescription, { items: [{ itemId: prescription.items[0]?.id, substitute }] });
    expect((await labels(given)).labels).toMatchObject([{ drug: `${other.name}, Tablet`, instructions: '' }]);
  });

  it('is only for what has not come back', async () => {
    const { given } = await ofTwoBatches();
    await takeBack(given, 0, 4);
    await takeBack(given, 1, 1);
    expect((await labels(given)).labels.map(factsOf)).toMatchObject([{ Quantity: '\u20685 tablet\u2069' }]);
    await takeBack(given, 1, 5);
    expect(outcome(await get(`dispenses/${given.id}/labels`))).toBe('DISPENSE_RETURNED');
  });

  it.each([
    ['en', 1, '\u20681 tablet\u2069, once a day, for 1 day', 'Batch'],
    ['ar', 1, '\u20681 tablet\u2069، مرة واحدة يوميًا، المدة: يوم', 'التشغيلة'],
    ['ar', 2, '\u20681 tablet\u2069، مرتين يوميًا، المدة: يومان', 'التشغيلة'],
    ['ar', 3, '\u20681 tablet\u2069، 3 مرات يوميًا، المدة: 3 أيام', 'التشغيلة'],
    ['ar', 11, '\u20681 tablet\u2069، 11 مرة يوميًا، المدة: 11 يومًا', 'التشغيلة'],
    ['hi', 3, '\u20681 tablet\u2069, दिन में 3 बार, 3 दिन तक', 'बैच'],
    ['id', 3, '\u20681 tablet\u2069, 3 kali sehari, selama 3 hari', 'Bets'],
    ['th', 3, '\u20681 tablet\u2069 วันละ 3 ครั้ง นาน 3 วัน', 'รุ่นผลิต'],
    ['nl', 3, '\u20681 tablet\u2069, 3 times a day, for 3 days', 'Batch'],
  ])('is written in %s, %s times a day', async (language, times, directions, batch) => {
    const drug = await aDrug();
    await aBatch(drug, 5, { expiresOn: day(20) });
    const howOften = { timesPerDay: times, durationDays: times };
    const given = await dispensed(await aPrescription(await aPatient(), [line(drug, 5, howOften)]));
    const [label] = (await labels(given, hospitalIn(language))).labels;
    expect(label).toMatchObject({ directions });
    expect(label?.facts.map(([name]) => name)).toContain(batch);
  });

  it('is a PDF for those who may read dispenses of this hospital', async () => {
    const { given } = await ofTwoBatches();
    const path = `dispenses/${given.id}/labels`;
    const response = await fetch(`${hms.url}/api/hms/${path}`, { headers: { Authorization: `Bearer ${pharmacist}` } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-.*\/Count 2/s);
    const other = await createTestHospital(hms.operator, hms.issuer);
    expect(outcome(await get(path, await other.token(['PHARMACIST'])))).toBe('DISPENSE_NOT_FOUND');
    expect(outcome(await get(path, await mary.token(['DISPLAY'])))).toBe('FORBIDDEN');
  });
});
