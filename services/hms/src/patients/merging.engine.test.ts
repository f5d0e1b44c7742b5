/** Patients who are one person: candidates, merges, separations, and what is deleted and restored. */

import { build, updateHospital } from '@hms/database';
import { clinics } from '@hms/domain/clinics';
import type { Document } from '@hms/domain/documents';
import type { Candidate, Patient } from '@hms/domain/patients';
import { cancel, join } from '@hms/domain/queue';
import { checkIn, checkOut, createVisitor } from '@hms/domain/visitors';
import { records, type Work, workFor } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { DEFAULT_SETTINGS, hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
import { admin, create, doctor, hms, JANE, list, mary, PATIENTS } from './testing.ts';

const REPORT = { fileName: 'report.pdf', contentType: 'application/pdf', size: 9, sha256: '0'.repeat(64) };

const act = (action: string, { id }: Pick<Patient, 'id'>, body: object = {}, token = admin) =>
  hms.send('POST', `${PATIENTS}/${id}/${action}`, { token, body });
const merge = (merged: Patient, into: Patient) => act('merge', merged, { intoId: into.id });
const read = async ({ id }: Pick<Patient, 'id'>) =>
  (await hms.send('GET', `${PATIENTS}/${id}`, { token: doctor })).data<Patient>();
const addDocument = async ({ id }: Pick<Patient, 'id'>): Promise<Document> => {
  const answer = await hms.send('POST', `${PATIENTS}/${id}/documents`, { token: doctor, body: REPORT });
  expect(answer).toMatchObject({ status: 201 });
  return answer.data<Document>();
};
/** As if its file had arrived. */
const listDocument = async ({ id }: Document): Promise<void> => {
  const { schema } = hospitalNames(mary.hospital.prefix);
  await hms.operator(`${schema}.patient_documents`).where({ id }).update({ status: 'available' });
};
const documentsOf = async ({ id }: Pick<Patient, 'id'>) => {
  const answer = await hms.send('GET', `${PATIENTS}/${id}/documents?sort=createdAt`, { token: doctor });
  return answer.data<Document[]>().map((document) => document.id);
};
const three = async () => [await create(), await create(), await create()] as const;

async function tables(): Promise<unknown> {
  return hms.platform.tenants.inTenant(mary.hospital, async (trx) => {
    const rows = async (table: string) => trx.run<Record<string, unknown>>(build.from(table).select('*').orderBy('id'));
    const all = await Promise.all(['patients', 'families', 'family_members', 'patient_documents'].map(rows));
    // A merge and a separation are changes too.
    return all.map((some) => some.map(({ version: _, updated_at: __, updated_by: ___, ...rest }) => rest));
  });
}

describe('the duplicates of a patient', () => {
  const duplicatesOf = async ({ id }: Patient) =>
    (await hms.send('GET', `${PATIENTS}/${id}/duplicates`, { token: doctor })).data<Candidate[]>();

  it('are those whose score is high enough, the most likely first', async () => {
    const jane = await create();
    const same = await create({ email: null });
    const moved = await create({ phone: '+491701234567' });
    const swapped = await create({ firstName: 'DÓE', lastName: 'jane', dateOfBirth: '1990-05-11' });
    await create({ firstName: 'Omar', lastName: 'Haddad' });
    await create({ dateOfBirth: '1961-01-02' });
    const found = await duplicatesOf(jane);
    expect(found.map(({ id }) => id)).toEqual([same.id, swapped.id, moved.id]);
    expect(found.map(({ similarity }) => similarity)).toEqual([
      { score: 100, name: 100, dateOfBirth: 100, phone: 100, gender: null },
      { score: 90, name: 100, dateOfBirth: 70, phone: 100, gender: null },
      expect.objectContaining({ dateOfBirth: 100, phone: 0 }),
    ]);
  });

  it.each([
    ['accents', ['Séamus', 'Ó Súilleabháin'], ['Seamus', 'O Suilleabhain']],
    ['the order', ['Lan', 'Nguyễn Thị'], ['Nguyen Thi', 'Lan']],
    ['double spaces', ['Mary  Kate', 'Doe'], ['Mary Kate', 'Doe']],
    ['the apostrophe', ['Sinéad', 'O’Connor'], ['Sinead', "O'Connor"]],
    ['the hyphen', ['Jean-Luc', 'Smith-Jones'], ['Jean Luc', 'Smith Jones']],
    ['the space in it', ['عبد الرحمن', 'السيد'], ['عبدالرحمن', 'السيّد']],
    ['the umlaut', ['Jörg', 'Müller'], ['Joerg', 'Mueller']],
    ['the capital letters', ['ŞULE', 'IŞIK'], ['Şule', 'Işık']],
    ['the spelling', ['Mohammed', 'Ali'], ['Muhammad', 'Aly']],
    ['the script', ['محمد', 'القحطاني'], ['Mohammed', 'Al-Qahtani']],
  ])(
    'have the same day of birth and a name that differs in %s',
    async (_what, [first, last], [otherFirst, otherLast]) => {
      const one = await create({ firstName: first, lastName: last, phone: '+353861234501', email: null });
      const other = await create({ firstName: otherFirst, lastName: otherLast, phone: '+491701234567', email: null });
      expect((await duplicatesOf(other)).map(({ id }) => id)).toEqual([one.id]);
    },
  );

  it('are no twins, although these share the day, the number and the last name', async () => {
    const ann = await create({ firstName: 'Ann' });
    await create({ firstName: 'Anna' });
    await create({ firstName: 'Peter' });
    expect(await duplicatesOf(ann)).toEqual([]);
  });

  it('are less likely if one is female and the other male', async () => {
    const [jane, other] = [await create({ gender: 'female' }), await create({ gender: 'male' })];
    const [found] = await duplicatesOf(jane);
    expect(found).toMatchObject({ id: other.id, similarity: { score: 85, gender: 0 } });
  });

  it('have another script and the same day of birth, although hundreds have January 1', async () => {
    const born = { dateOfBirth: '1990-01-01', email: null };
    const one = await create({ ...born, firstName: 'محمد', lastName: 'القحطاني', phone: '+353861234501' });
    await workFor(hms.platform, mary.hospital, 'test', (work) =>
      work.trx.query(
        `INSERT INTO patients (id, patient_code, first_name, last_name, phone, date_of_birth, created_by, updated_by)
         SELECT gen_random_uuid(), 'X-' || n, 'Mohamed', 'Alqahtan', '+4917' || (10000000 + n), '1990-02-01', 'test', 'test'
         FROM generate_series(1, 250) n`,
      ),
    );
    const other = await create({ ...born, firstName: 'Mohammed', lastName: 'Al-Qahtani', phone: '+491701234567' });
    expect((await duplicatesOf(other)).map(({ id }) => id)).toContain(one.id);
  });

  it('are as many as the setting of the hospital lets through', async () => {
    const settings = { ...DEFAULT_SETTINGS, duplicateThreshold: 84 };
    await updateHospital(hms.operator, mary.hospital.prefix, { settings });
    const jane = await create();
    await create({ phone: '+491701234567' });
    expect(await duplicatesOf(jane)).toEqual([]);
  });

  it('are neither deleted nor merged, and looking at them is in the audit log', async () => {
    const [jane, gone, alias] = await three();
    await hms.send('DELETE', `${PATIENTS}/${gone.id}`, { token: admin });
    await merge(alias, jane);
    expect(await duplicatesOf(jane)).toEqual([]);
    const other = await create();
    expect((await duplicatesOf(alias)).map(({ id }) => id)).toEqual([other.id]);
    const access = await hms.send('GET', `${PATIENTS}/${other.id}/access`, { token: admin });
    expect(access.data()).toContainEqual(
      expect.objectContaining({ action: 'list', details: { ids: [other.id], reason: 'duplicates' } }),
    );
  });
});

it('patients who both wait in one clinic are merged once one of the tokens is cancelled', async () => {
  const within = <T>(run: (work: Work) => Promise<T>) => workFor(hms.platform, mary.hospital, 'test', run);
  const [jane, alias] = [await create(), await create()];
  const clinicId = await within(
    async (work) => (await records(work, clinics).insert({ code: 'ENT', name: 'ENT', tokenPrefix: 'A' })).id,
  );
  const queue = (patientId: string) => within((work) => join(work, clinicId, { patientId, priority: 0 }));
  const [, second] = [await queue(jane.id), await queue(alias.id)];
  expect(await merge(alias, jane)).toMatchObject({
    status: 409,
    error: { code: 'TWO_TOKENS', details: { open: [{ label: 'A-001' }, { label: 'A-002' }] } },
  });
  expect(await read(alias)).toMatchObject({ status: 'active', survivorId: null });
  await within((work) => cancel(work, second.id, {}));
  expect(await merge(alias, jane)).toMatchObject({ status: 200 });
});

describe('a merged patient', () => {
  it('is found as the survivor, and read with a reference to it', async () => {
    const jane = await create();
    const alias = await create({ firstName: 'Janet', phone: '+353861234567' });
    expect(await merge(alias, jane)).toMatchObject({ status: 200 });
    expect(await read(alias)).toMatchObject({ status: 'merged', mergedIntoId: jane.id, survivorId: jane.id });
    for (const query of ['', `q=${alias.patientCode}`, 'q=janet', 'q=0861234567']) {
      expect(await list(query)).toEqual({ names: ['Jane'], total: 1 });
    }
    expect(await list(`survivorId=${jane.id}`)).toEqual({ names: ['Janet'], total: 1 });
    expect(await list('status=merged')).toEqual({ names: ['Janet'], total: 1 });
  });

  it('shows its records with the survivor’s by either id, and new ones belong to the survivor', async () => {
    const [jane, alias] = await three();
    const [first, second] = [await addDocument(jane), await addDocument(alias)];
    await merge(alias, jane);
    const third = await addDocument(alias);
    expect(third.patientId).toBe(jane.id);
    for (const document of [first, second, third]) await listDocument(document);
    const ids = [first.id, second.id, third.id];
    expect(await documentsOf(jane)).toEqual(ids);
    expect(await documentsOf(alias)).toEqual(ids);
    const url = (patient: Patient, document: Document) =>
      hms.send('GET', `${PATIENTS}/${patient.id}/documents/${document.id}/url`, { token: doctor });
    for (const patient of [jane, alias]) {
      const answer = await url(patient, second);
      expect(answer.data<{ url: string }>().url).toContain(`/patients/${alias.patientCode}/${second.id}`);
    }
    // Another patient's document is none of theirs.
    const [stranger] = await three();
    expect(await url(stranger, second)).toMatchObject({ status: 404, error: { code: 'DOCUMENT_NOT_FOUND' } });
  });

  it('has exactly what it had after a separation, however often patients were merged meanwhile', async () => {
    const [a, b, c] = await three();
    for (const patient of [a, b, c]) await addDocument(patient);
    const before = await tables();
    await merge(a, b);
    await merge(b, c);
    expect(await read(a)).toMatchObject({ mergedIntoId: b.id, survivorId: c.id });
    expect([await read(b), await read(c)]).toMatchObject([{ hasMerged: false }, { hasMerged: true }]);
    expect((await act('unmerge', b)).data()).toMatchObject({ hasMerged: true });
    expect(await read(a)).toMatchObject({ mergedIntoId: b.id, survivorId: b.id });
    expect([await read(b), await read(c)]).toMatchObject([{ hasMerged: true }, { hasMerged: false }]);
    expect(await act('unmerge', a)).toMatchObject({ status: 200 });
    expect(await tables()).toEqual(before);
  });

  it('can be separated while the patient into whom it was merged stays merged', async () => {
    const [a, b, c] = await three();
    await merge(a, b);
    await merge(b, c);
    expect(await act('unmerge', a)).toMatchObject({ status: 200 });
    expect(await read(a)).toMatchObject({ status: 'active', mergedIntoId: null, survivorId: null });
    expect(await read(b)).toMatchObject({ status: 'merged', survivorId: c.id });
  });

  it('is not changed, deleted or merged again', async () => {
    const [jane, alias, other] = await three();
    await merge(alias, jane);
    const details = { patientId: alias.id, patientCode: alias.patientCode, survivorId: jane.id };
    const path = `${PATIENTS}/${alias.id}`;
    for (const [method, body] of [
      ['PUT', { firstName: 'J' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await hms.send(method, path, { token: admin, ...(body ? { body } : {}) });
      expect(answer).toMatchObject({ status: 409, error: { code: 'PATIENT_MERGED', details } });
    }
    for (const answer of [await merge(alias, other), await merge(other, alias)]) {
      expect(answer).toMatchObject({ status: 409, error: { code: 'PATIENT_ALREADY_MERGED', details } });
    }
  });
});

describe('merging', () => {
  it('refuses a patient with itself, a stale version, a separation of nobody', async () => {
    const [jane, other] = await three();
    expect(await merge(jane, jane)).toMatchObject({ status: 422, error: { code: 'MERGE_SELF' } });
    const stale = await act('merge', jane, { intoId: other.id, version: 7 });
    expect(stale).toMatchObject({ status: 409, error: { code: 'STALE_VERSION', details: { version: 1 } } });
    expect(await act('unmerge', jane)).toMatchObject({ status: 409, error: { code: 'PATIENT_NOT_MERGED' } });
  });

  it('knows no patient of another hospital', async () => {
    const john = await createTestHospital(hms.operator, hms.issuer);
    const foreign = await hms.send('POST', PATIENTS, { token: await john.token(['ADMIN']), body: JANE });
    const [jane] = await three();
    for (const answer of [await merge(jane, foreign.data()), await merge(foreign.data(), jane)]) {
      expect(answer).toMatchObject({ status: 404, error: { code: 'PATIENT_NOT_FOUND' } });
    }
  });

  it('succeeds once when both are merged into each other at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = await three();
      const answers = await Promise.all([merge(a, b), merge(b, a)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  it('separates two of one chain at the same time, and leaves each what is its own', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [a, b, c] = await three();
      const d = await create();
      for (const [one, into] of [
        [a, b],
        [b, c],
        [c, d],
      ] as const) {
        expect(await merge(one, into)).toMatchObject({ status: 200 });
      }
      const answers = await Promise.all([act('unmerge', c), act('unmerge', b), merge(await create(), d)]);
      expect(answers.map(({ status, error }) => error?.code ?? status)).toEqual([200, 200, 200]);
      const survivors = await Promise.all([a, b, c].map(async (one) => (await read(one)).survivorId));
      expect(survivors).toEqual([b.id, null, null]);
    }
  });

  it('gives a record that is created meanwhile to the new survivor', async () => {
    const [jane, other] = await three();
    const { schema } = hospitalNames(mary.hospital.prefix);
    const merging = await hms.operator.transaction();
    await merging(`${schema}.patients`).where({ id: jane.id }).forUpdate();
    const created = addDocument(jane);
    const waiting = `SELECT FROM pg_locks WHERE locktype = 'tuple' AND relation = '${schema}.patients'::regclass`;
    await until(
      'the request to wait',
      async () => (await hms.operator.raw(waiting)).rowCount as number,
      (count) => count > 0,
    );
    const merged = { status: 'merged', merged_into_id: other.id, survivor_id: other.id };
    await merging(`${schema}.patients`).where({ id: jane.id }).update(merged);
    await merging.commit();
    expect((await created).patientId).toBe(other.id);
  });

  it('is in the log of both', async () => {
    const [jane, alias] = await three();
    await merge(alias, jane);
    const log = async ({ id }: Patient) =>
      (await hms.send('GET', `${PATIENTS}/${id}/access`, { token: admin })).data<
        { action: string; recordId: string }[]
      >();
    for (const patient of [jane, alias]) {
      const events = (await log(patient)).map(({ action, recordId }) => [action, recordId]);
      expect(events).toEqual(
        expect.arrayContaining([
          ['transition', alias.id],
          ['update', jane.id],
        ]),
      );
    }
  });
});

describe('deleting and restoring', () => {
  it('refuses a patient with whom a visitor is, and names the visitor', async () => {
    const jane = await create();
    const visitor = await workFor(hms.platform, mary.hospital, 'test', async (work) => {
      const { id } = await createVisitor(work, { name: 'Ann', patientId: jane.id });
      return checkIn(work, id, {});
    });
    const refused = await hms.send('DELETE', `${PATIENTS}/${jane.id}`, { token: admin });
    const items = [{ record: 'visitors', id: visitor.id, name: 'Ann (VIS-000001)' }];
    expect(refused).toMatchObject({ status: 409, error: { code: 'PATIENT_HAS_OPEN_ITEMS', details: { items } } });
    await workFor(hms.platform, mary.hospital, 'test', (work) => checkOut(work, visitor.id, undefined));
    expect((await hms.send('DELETE', `${PATIENTS}/${jane.id}`, { token: admin })).status).toBe(200);
  });

  it('refuses a patient into whom others were merged, and names them', async () => {
    const [jane, alias] = await three();
    await merge(alias, jane);
    const refused = await hms.send('DELETE', `${PATIENTS}/${jane.id}`, { token: admin });
    const items = [{ record: 'patients', id: alias.id, name: alias.patientCode }];
    expect(refused).toMatchObject({ status: 409, error: { code: 'PATIENT_HAS_OPEN_ITEMS', details: { items } } });
    await act('unmerge', alias);
    expect(await hms.send('DELETE', `${PATIENTS}/${jane.id}`, { token: admin })).toMatchObject({ status: 200 });
  });

  it('gives a restored patient a family of their own', async () => {
    const jane = await create();
    expect(await act('restore', jane)).toMatchObject({ status: 409, error: { code: 'PATIENT_NOT_DELETED' } });
    await hms.send('DELETE', `${PATIENTS}/${jane.id}`, { token: admin });
    const answer = await act('restore', jane);
    expect(answer).toMatchObject({ status: 200 });
    const restored = answer.data<Patient>();
    expect(restored.deletedAt).toBeUndefined();
    expect(restored.familyId).not.toBe(jane.familyId);
    expect(await list('')).toEqual({ names: ['Jane'], total: 1 });
    expect(await act('restore', { id: crypto.randomUUID() })).toMatchObject({ status: 404 });
  });
});
