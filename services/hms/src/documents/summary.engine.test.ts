/** The summary of a patient: requested, rendered in the background and fetched, as a client does it. */
import { createHash } from 'node:crypto';
import { listTasks, retryTasks } from '@hms/database';
import { Renderer } from '@hms/documents';
import type { Document } from '@hms/domain/documents';
import type { Patient } from '@hms/domain/patients';
import { moduleEnv } from '@hms/local';
import { newId, type TaskContext, workFor } from '@hms/service';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { FileStorage } from '@hms/storage';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { FaultProxy } from '../../../../test/support/proxy.ts';
import { until } from '../../../../test/support/until.ts';
import { hmsModule } from '../module.ts';
import { settleTask } from './documents.routes.ts';
import { summaryOf, summaryTask } from './summary.ts';

const PATIENTS = '/api/hms/patients';
const JANE = { firstName: 'Zoë', lastName: 'ใจดี', phone: '+6281234567890', dateOfBirth: '1990-05-17' };

const renderer = new Renderer();
let settle: ReturnType<typeof settleTask>;
let proxy: FaultProxy;
let hms: TestModule;
let mary: TestHospital;
let nurse: string;
let patient: Patient;

beforeAll(async () => {
  proxy = await FaultProxy.before(new URL(platform().s3.endpoint).host);
  const env = moduleEnv(platform());
  const s3 = { ...env, S3_ENDPOINT: `http://${proxy.address}`, S3_PUBLIC_ENDPOINT: env.S3_ENDPOINT };
  hms = await startTestModule({ databaseUrls: platform().databaseUrls, define: hmsModule, s3 });
  settle = settleTask(hms.platform);
});
afterAll(async () => {
  await hms.close();
  await proxy.close();
  await renderer.end();
});
beforeEach(async () => {
  await proxy.set('pass');
  mary = await createTestHospital(hms.operator, hms.issuer);
  nurse = await mary.token(['NURSE']);
  patient = (await hms.send('POST', PATIENTS, { token: nurse, body: JANE })).data<Patient>();
});

const request = (token = nurse) => hms.send('POST', `${PATIENTS}/${patient.id}/summary`, { token });
const urlOf = (id: string, token = nurse) =>
  hms.send('GET', `${PATIENTS}/${patient.id}/documents/${id}/url`, { token });
const tasks = async (name: string) =>
  (await listTasks(hms.operator, { hospital: mary.hospital.prefix })).filter(({ task }) => task === name);
const summaries = () => tasks('patient-summary');
const finished = () => until('the task to be finished', summaries, (left) => left.length === 0);

async function listed(): Promise<Document[]> {
  const answer = await hms.send('GET', `${PATIENTS}/${patient.id}/documents`, { token: nurse });
  return answer.data<Document[]>();
}

/** The file of a document, as a client gets it. */
async function download(id: string): Promise<Buffer> {
  const { url } = (await urlOf(id)).data<{ url: string }>();
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

const hashOf = (pdf: Buffer) => createHash('sha256').update(pdf).digest('hex');
const rename = (lastName: string) => hms.send('PUT', `${PATIENTS}/${patient.id}`, { token: nurse, body: { lastName } });

/** Attempts at one summary, as processes make them that know nothing of each other. */
function attempts() {
  const input = { patientId: patient.id, documentId: newId(), requestedAt: new Date().toISOString() };
  const { hospital } = mary;
  const inTransaction: TaskContext['inTransaction'] = (work) =>
    workFor(hms.platform, hospital, 'patient-summary', work);
  const context = { hospital, log: hms.platform.log, signal: new AbortController().signal, inTransaction };
  const taskWith = (storage: FileStorage) => summaryTask({ ...hms.platform, storage }, renderer, settle);
  return {
    id: input.documentId,
    prepare: (storage = hms.platform.storage) => taskWith(storage).prepare(context, input),
    /** @param before the end of its transaction. */
    run: (prepared: unknown, before = async (): Promise<void> => undefined) =>
      inTransaction(async (work) => {
        await taskWith(hms.platform.storage).run(work, input, prepared);
        await before();
      }),
  };
}

/** Stores nothing before it may. */
class HeldStorage extends FileStorage {
  readonly reached = Promise.withResolvers<void>();
  readonly released = Promise.withResolvers<void>();

  override async put(...object: Parameters<FileStorage['put']>): Promise<void> {
    this.reached.resolve();
    await this.released.promise;
    return super.put(...object);
  }
}

describe('a summary', () => {
  it('is accepted, rendered, listed, fetched, and known as issued by this hospital', async () => {
    const answer = await request();
    expect(answer).toMatchObject({ status: 202 });
    const { documentId } = answer.data<{ documentId: string }>();
    await until(
      'its URL',
      () => urlOf(documentId),
      ({ status }) => status === 200,
    );
    const pdf = await download(documentId);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const sha256 = hashOf(pdf);
    expect(await listed()).toMatchObject([
      {
        id: documentId,
        kind: 'summary',
        status: 'available',
        fileName: expect.stringMatching(`^${patient.patientCode} [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{6}.pdf$`),
        sha256,
      },
    ]);
    const issued = await hms.operator.withSchema('platform').from('issued_documents').where({ sha256 }).select();
    expect(issued).toMatchObject([{ hospital_id: mary.hospital.id }]);
  });

  it('says which characters of its text it shows as codes, because no font has them', async () => {
    await rename('Quinn 😀');
    const { id, prepare, run } = attempts();
    await prepare();
    // The last attempt counts.
    await rename('Quinn 🧪');
    await run(await prepare());
    expect(await listed()).toMatchObject([{ id, missingCharacters: ['U+1F9EA'] }]);
  });

  it('is audited for who requested it and for the task that made it', async () => {
    const { documentId } = (await request(await mary.token(['DOCTOR'], { claims: { sub: 'jane' } }))).data<{
      documentId: string;
    }>();
    await finished();
    const events = await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
      // Each further attempt is an update. Any module runs the task, and those of other suites may have no S3 server.
      trx.query(
        "SELECT actor, action, patient_id FROM audit_events WHERE record_id = $1 AND action <> 'update' ORDER BY seq",
        [documentId],
      ),
    );
    expect(events).toEqual([
      { actor: 'jane', action: 'create', patient_id: patient.id },
      { actor: 'task:patient-summary', action: 'create', patient_id: patient.id },
      { actor: 'task:patient-summary', action: 'transition', patient_id: patient.id },
    ]);
  });

  it('survives an S3 server that fails: its row is not listed, and used by the next attempt', async () => {
    const { id, prepare, run } = attempts();
    await proxy.set('hang');
    await expect(prepare()).rejects.toThrow(/S3|storage/i);
    expect(await listed()).toEqual([]);
    await proxy.set('pass');
    await run(await prepare());
    const issued = await listed();
    expect(issued).toMatchObject([{ id, status: 'available' }]);
    // The task runs again after a crash, and the patient has changed meanwhile.
    await rename('Other');
    expect(await prepare()).toBeUndefined();
    expect(await listed()).toEqual(issued);
  });

  it('that two processes render at once, before and after a change, is the one that was issued', async () => {
    const { id, prepare, run } = attempts();
    const held = new HeldStorage(moduleEnv(platform()));
    const slow = prepare(held);
    await held.reached.promise;
    await rename('Other');
    const second = await prepare();
    held.released.resolve();
    const first = await slow;
    held.end();
    expect(first).not.toBe(second);
    await expect(run(first)).rejects.toThrow('another attempt');
    await run(second);
    expect(await listed()).toMatchObject([{ id, sha256: second }]);
    expect(hashOf(await download(id))).toBe(second);

    const key = (sha256: unknown) => `patients/${patient.patientCode}/${id}-${sha256}`;
    const { storage } = hms.platform;
    expect(await storage.head(mary.hospital, key(first))).toBeDefined();
    const settling = await tasks('settle-document');
    await retryTasks(
      hms.operator,
      settling.map((task) => task.id),
    );
    await until(
      'the tasks to be finished',
      () => tasks('settle-document'),
      (left) => left.length === 0,
    );
    expect(await storage.head(mary.hospital, key(first))).toBeUndefined();
    expect(hashOf(await download(id))).toBe(second);
  });

  it('that is just being issued is not replaced', async () => {
    const { id, prepare, run } = attempts();
    const first = await prepare();
    await rename('Other');
    let late: Promise<unknown> | undefined;
    await run(first, async () => {
      late = prepare();
      await until('the other attempt to wait', awaited, ({ length }) => length === 1);
    });
    expect(await late).toBeUndefined();
    expect(await listed()).toMatchObject([{ id, sha256: first }]);
  });

  /** Rows of documents for which a transaction waits. */
  async function awaited(): Promise<unknown[]> {
    const locks = hms.operator.from('pg_locks').where('locktype', 'tuple').select('pid');
    return locks.andWhereRaw('relation = ?::regclass', [documentsTable()]);
  }

  // Any process of the module may run the task, so the fault is in the hospital's schema.
  const breakSchema = () =>
    hms.operator.raw(`ALTER TABLE ${documentsTable()} ADD CONSTRAINT broken CHECK (kind <> 'summary') NOT VALID`);
  const mendSchema = () => hms.operator.raw(`ALTER TABLE ${documentsTable()} DROP CONSTRAINT broken`);
  const documentsTable = () => `${hospitalNames(mary.hospital.prefix).schema}.patient_documents`;
  const failedOnce = () => until('a failed attempt', summaries, ([task]) => task?.lastError != null);

  it('that fails at first is tried again', async () => {
    await breakSchema();
    const { documentId } = (await request()).data<{ documentId: string }>();
    await failedOnce();
    expect(await urlOf(documentId)).toMatchObject({ status: 404, error: { code: 'DOCUMENT_NOT_FOUND' } });
    await mendSchema();
    await finished();
    expect(await listed()).toMatchObject([{ id: documentId }]);
  });

  it('of a patient who is deleted meanwhile is not made', async () => {
    await breakSchema();
    await request();
    await failedOnce();
    await hms.send('DELETE', `${PATIENTS}/${patient.id}`, { token: await mary.token(['ADMIN']) });
    await mendSchema();
    await finished();
    const rows = await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.query('SELECT FROM patient_documents'),
    );
    expect(rows).toEqual([]);
  });

  it('is requested by staff of the hospital only', async () => {
    const anne = await createTestHospital(hms.operator, hms.issuer);
    expect(await request(await anne.token(['OWNER']))).toMatchObject({ status: 404 });
    expect(await request(await mary.token(['DISPLAY']))).toMatchObject({ status: 403 });
    expect(await summaries()).toEqual([]);
  });
});

describe('summaryOf', () => {
  it.each([
    ['en', 'Date of birth', '17 May 1990'],
    ['ar', 'تاريخ الميلاد', '1990'],
    ['th', 'วันเกิด', '2533'],
    ['hi', 'जन्म तिथि', '17 मई 1990'],
    ['nl', 'Date of birth', '17 mei 1990'],
  ])('is written in %s', (language, label, date) => {
    const { settings } = mary.hospital;
    const hospital = { ...mary.hospital, settings: { ...settings, language } };
    const { facts } = summaryOf(patient, undefined, hospital, new Date('2026-11-22T20:00:00Z'));
    expect(facts[0]?.[0]).toBe(label);
    expect(facts[0]?.[1].replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))).toContain(date);
  });

  it('names allergies and alerts, and says whether somebody asked', () => {
    const factsOf = (more: Partial<Patient>) =>
      Object.fromEntries(summaryOf({ ...patient, ...more }, undefined, mary.hospital, new Date()).facts);
    expect(factsOf({})).toMatchObject({ Allergies: 'Not asked' });
    expect(factsOf({ allergies: [] })).toMatchObject({ Allergies: 'None known' });
    const known: Partial<Patient> = {
      gender: 'female',
      bloodGroup: 'O-',
      address: { street: '12 Main Street', postalCode: 'V95 X2C1', city: 'Ennis', country: 'IE' },
      allergies: [
        { substance: 'Penicillin', severity: 'severe', note: 'rash' },
        { substance: 'Latex', severity: 'mild' },
      ],
      alerts: ['Risk of falls', 'Pacemaker'],
    };
    expect(factsOf(known)).toMatchObject({
      Gender: 'Female',
      Address: '12 Main Street, V95 X2C1 Ennis, Ireland',
      'Blood group': '\u2066O−\u2069',
      Allergies: 'Penicillin (severe), rash; Latex (mild)',
      Alerts: 'Risk of falls; Pacemaker',
    });
  });

  it('says what is unknown of the patient, and calls somebody without a name by the code', () => {
    const nobody = { ...patient, firstName: null, lastName: null, phone: null, dateOfBirth: null };
    const { name, facts } = summaryOf(nobody, undefined, mary.hospital, new Date());
    expect(name).toBe(patient.patientCode);
    expect(Object.fromEntries(facts)).toMatchObject({ 'Date of birth': 'Not known', Phone: 'Not known' });
    expect(summaryOf({ ...patient, lastName: null }, undefined, mary.hospital, new Date()).name).toBe('Zoë');
  });

  it("has times in the hospital's zone", () => {
    const { issued } = summaryOf(patient, undefined, mary.hospital, new Date('2026-11-22T20:00:00Z'));
    expect(issued).toBe('Issued 23 November 2026 at 03:00');
  });
});
