/** Prescriptions as PDF files: rendered in the background, fetched as a browser does it. */
import { retryTasks } from '@hms/database';
import { Renderer } from '@hms/documents';
import type { Patient } from '@hms/domain/patients';
import { prescriptionPdf, type ShownPrescription } from '@hms/domain/prescriptions';
import { createTestHospital } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, describe, expect, it } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
import {
  attemptsAt,
  download,
  hashOf,
  issuedBy,
  objectsIn,
  tasksOf,
  withoutFile,
} from '../documents/testing/issued.ts';
import { prescriptionPdfTask, sheetOf } from './pdf.ts';
import {
  aDrug,
  aPatient,
  aPrescription,
  doctor,
  get,
  hms,
  line,
  mary,
  outcome,
  type Prescribed,
  pharmacist,
  post,
  send,
  usePharmacy,
} from './testing.ts';

usePharmacy();
const renderer = new Renderer();
afterAll(() => renderer.end());

interface PdfUrl {
  readonly url: string;
  readonly sha256: string;
  readonly size: number;
}

const ready = async ({ id }: Pick<Prescribed, 'id'>) => {
  const answer = await until(
    'the PDF',
    () => get(`prescriptions/${id}/pdf`),
    ({ status }) => status === 200,
  );
  return answer.data<PdfUrl>();
};
const read = async ({ id }: Pick<Prescribed, 'id'>) => (await get(`prescriptions/${id}`)).data<ShownPrescription>();
const prescribed = async (patient?: Patient) => aPrescription(patient ?? (await aPatient()), [line(await aDrug(), 10)]);
/** As if no process had begun its task yet. */
const withoutTask = (make: () => Promise<Prescribed>) => withoutFile(hms, mary, prescriptionPdf.name, make);
const attempts = ({ id }: Prescribed) =>
  attemptsAt(hms, mary, prescriptionPdfTask(hms.platform, renderer), { prescriptionId: id });

describe('the PDF of a prescription', () => {
  it('is issued once it is written, with its hash in the record, and known as genuine', async () => {
    const written = await prescribed();
    const file = await ready(written);
    const pdf = await download(file);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(hashOf(pdf)).toBe(file.sha256);
    expect(await issuedBy(hms, file.sha256)).toEqual([mary.hospital.id]);
    expect(await objectsIn(mary, 'prescriptions')).toContain(
      `${mary.hospital.prefix}/prescriptions/${written.rxNo}-${file.sha256}.pdf`,
    );
    const { sha256, size } = file;
    expect(await read(written)).toMatchObject({ version: written.version, pdf: { sha256, size: pdf.length } });
    expect(size).toBe(pdf.length);
  });

  it('stays as it is when the prescription is cancelled, and its row can not be changed', async () => {
    const written = await prescribed();
    const { sha256 } = await ready(written);
    await post(`prescriptions/${written.id}/cancel`, { reason: 'Wrong patient' }, doctor);
    expect(await ready(written)).toMatchObject({ sha256 });
    const { schema, role } = hospitalNames(mary.hospital.prefix);
    const change = hms.operator.transaction(async (trx) => {
      await trx.raw(`SET LOCAL ROLE ${role}`);
      await trx.raw(`UPDATE ${schema}.issued_files SET size = 1 WHERE record_id = ?`, [written.id]);
    });
    await expect(change).rejects.toThrow('permission denied');
  });

  it('that two processes render at once, before and after a change of the name, is issued once', async () => {
    const patient = await aPatient();
    const written = await withoutTask(() => prescribed(patient));
    expect(outcome(await get(`prescriptions/${written.id}/pdf`))).toBe('PRESCRIPTION_PDF_NOT_READY');
    expect(await read(written)).toMatchObject({ pdf: null });
    const { prepare, run } = attempts(written);
    const first = await prepare();
    await send('PUT', `patients/${patient.id}`, doctor, { lastName: 'Other' });
    const second = await prepare();
    expect(second).not.toEqual(first);
    await Promise.all([run(second), run(first)]);
    const file = await ready(written);
    expect([first, second]).toContainEqual({ sha256: file.sha256, size: file.size, missingCharacters: [] });
    expect(hashOf(await download(file))).toBe(file.sha256);

    const own = async () => (await objectsIn(mary, 'prescriptions')).filter((key) => key.includes(written.rxNo));
    expect(await own()).toHaveLength(2);
    const settling = await tasksOf(hms, mary, 'issued-file-settle');
    await retryTasks(
      hms.operator,
      settling.map(({ id }) => id),
    );
    await until('the other object to be erased', own, ({ length }) => length === 1);
    expect(hashOf(await download(await ready(written)))).toBe(file.sha256);
  });

  it('is the same, byte for byte, when it is rendered again', async () => {
    const { prepare } = attempts(await withoutTask(() => prescribed()));
    expect(await prepare()).toEqual(await prepare());
  });

  it('is only for those who may read prescriptions of this hospital', async () => {
    const written = await prescribed();
    const other = await createTestHospital(hms.operator, hms.issuer);
    const path = `prescriptions/${written.id}/pdf`;
    expect(outcome(await get(path, await other.token(['DOCTOR'])))).toBe('PRESCRIPTION_NOT_FOUND');
    expect(outcome(await get(path, await mary.token(['DISPLAY'])))).toBe('FORBIDDEN');
    await ready(written);
    expect((await get(path, pharmacist)).headers.get('cache-control')).toBe('no-store');
  });
});

describe('what is printed', () => {
  const hospitalIn = (language: string) => ({ ...mary.hospital, settings: { ...mary.hospital.settings, language } });

  it('has each drug with its dose, how long it is taken, and what to know', async () => {
    const patient = await aPatient();
    const drug = await aDrug({ strength: '500 mg' });
    const other = await aDrug({ strength: null });
    const changes = { dose: 0.5, timesPerDay: 3, durationDays: 7, instructions: 'After meals', maySubstitute: false };
    const items = [line(drug, 11, changes), line(other, 1, { durationDays: 1 })];
    const written = await read(await aPrescription(patient, items, { notes: 'Call me' }));
    const sheet = sheetOf(written, patient, hospitalIn('en'));
    expect(sheet.rows).toEqual([
      {
        drug: `${drug.name} \u2066500 mg\u2069`,
        ...{ dose: '0.5 tablet', timesPerDay: '3', duration: '7 days', quantity: '11 tablet' },
        notes: ['After meals', 'No substitute'],
      },
      {
        drug: other.name,
        ...{ dose: '1 tablet', timesPerDay: '1', duration: '1 day', quantity: '1 tablet' },
        notes: [],
      },
    ]);
    expect(JSON.stringify(sheet)).not.toContain('Call me');
  });

  it.each([
    ['en', 'Prescription', '10 days'],
    ['ar', 'وصفة طبية', '10 أيام'],
    ['th', 'ใบสั่งยา', '10 วัน'],
    ['nl', 'Prescription', '10 dagen'],
  ])('is written in %s', async (language, title, duration) => {
    const patient = await aPatient();
    const written = await read(await prescribed(patient));
    const sheet = sheetOf(written, patient, hospitalIn(language));
    expect(sheet).toMatchObject({ title, rows: [{ duration }] });
  });

  it.each([
    ['en', ['Weight', '12.45 kg, 29 January 2026']],
    ['ar', ['الوزن', '12.45 كغم، 29 يناير 2026']],
    ['hi', ['वज़न', '12.45 कि॰ग्रा॰, 29 जनवरी 2026']],
    ['id', ['Berat badan', '12,45 kg, 29 Januari 2026']],
    ['th', ['น้ำหนัก', '12.45 กก., 29 มกราคม 2569']],
  ])('has the weight and its day in %s, if somebody has said it', async (language, expected) => {
    const patient = await aPatient();
    const weighed = { weightKg: 12.45, weighedOn: '2026-01-29' };
    const written = await read(await aPrescription(patient, [line(await aDrug(), 1)], weighed));
    const [, ...facts] = sheetOf(written, patient, hospitalIn(language)).facts;
    expect(facts).toContainEqual(expected);
    const unweighed = sheetOf({ ...written, weightKg: null, weighedOn: null }, patient, hospitalIn(language));
    expect(unweighed.facts).toHaveLength(facts.length);
  });
});
