/** One hospital from its manifest to its deletion, checked in each engine. test/journeys/hospital-lifecycle has more. */
import { DeleteObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { Engines, NOTHING } from '../support/engines.ts';
import { api, call, tokenOf } from '../support/gateway.ts';
import {
  annotate,
  applyHospital,
  deleteHospital,
  eventsOf,
  freshPrefix,
  HOSPITALS,
  kubernetes,
  readHospital,
  resync,
  whenCondition,
  whenReady,
  whenTold,
} from '../support/hospitals.ts';
import { mailsTo } from '../support/mails.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
const PATIENT = { firstName: 'Ann', lastName: 'Byrne', phone: '+35311111111', dateOfBirth: '1980-01-01' };
const name = freshPrefix();
const owner = { email: `ann@${name}.example`, firstName: 'Ann', lastName: 'Byrne' };
const engines = new Engines(platform());
const { s3, db, bucket: Bucket } = engines;
/** Stays the same through drift, suspension and deletion with Retain. */
let hospitalId: string;
let patientId: string;

beforeAll(async () => {
  await applyHospital(name, { owner });
  hospitalId = (await whenReady(name)).status?.hospitalId ?? '';
  const doctor = api(await tokenOf(name, 'DOCTOR'));
  patientId = (await dataOf(doctor.POST('/api/hms/patients', { body: PATIENT }))).id;
}, SLOW);
afterAll(() => engines.close());

const readPatient = (token: string) => call('GET', `/api/hms/patients/${patientId}`, { token });

async function isServed(): Promise<void> {
  const token = await tokenOf(name, 'DOCTOR');
  await until(
    'the patient',
    () => readPatient(token),
    ({ status }) => status === 200,
  );
}

it('is Ready with a marked part in every engine, and has invited its owner once', async () => {
  const { metadata, status } = await readHospital(name);
  for (const type of ['Ready', 'IdentityReady', 'StorageReady', 'DatabaseReady', 'GatewayReady', 'Synced'])
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type, status: 'True', observedGeneration: 1 }));
  expect((await (await engines.keycloak()).realms.findOne({ realm: name }))?.id).toBe(hospitalId);
  const marker = await s3.send(new HeadObjectCommand({ Bucket, Key: `${name}/lab-reports/` }));
  expect(marker.Metadata).toEqual({ 'hospital-id': hospitalId, 'owner-uid': metadata.uid });
  expect(await engines.row(name)).toMatchObject({ id: hospitalId, state: 'Active', ownerUid: metadata.uid });
  expect(await engines.tagged('consumers', name)).toEqual([expect.objectContaining({ custom_id: hospitalId })]);
  expect(await whenTold(name, 'Created')).toMatchObject([{ count: 1 }]);
  const mails = () => mailsTo(owner.email);
  await until('the invitation', mails, (found) => found.length > 0);
  await resync(name);
  expect(await mails()).toHaveLength(1);
});

it(
  'has restored what was deleted in each engine, and names it in an event',
  async () => {
    const deleted = db.raw('DELETE FROM platform.hospitals WHERE prefix = ?', [name]);
    // What refers to it, such as revoked tokens, could not be restored.
    await expect(deleted).rejects.toThrow('violates foreign key constraint');
    const admin = await engines.keycloak();
    const route = (await engines.tagged('routes', name)).find((one) => one.name === `${name}-crm`);
    await Promise.all([
      admin.realms.del({ realm: name }),
      db.raw("UPDATE platform.hospitals SET display_name = 'Somebody' WHERE prefix = ?", [name]),
      s3.send(new DeleteObjectCommand({ Bucket, Key: `${name}/invoices/` })),
      fetch(`${platform().gateway.admin}/routes/${route?.id}`, { method: 'DELETE' }),
    ]);
    await resync(name);
    expect((await admin.realms.findOne({ realm: name }))?.id).toBe(hospitalId);
    expect(await engines.row(name)).toMatchObject({ id: hospitalId, state: 'Active' });
    await s3.send(new HeadObjectCommand({ Bucket, Key: `${name}/invoices/` }));
    expect((await engines.tagged('routes', name)).map(({ id }) => id)).toContain(route?.id);
    await isServed();
    const told = () => eventsOf(name).then((events) => events.filter(({ reason }) => reason === 'DriftCorrected'));
    for (const what of [/registry row/, /identity: create realm/, /storage: create folder/, /create route .*-crm/]) {
      await until(`the event about ${what}`, told, (events) => events.some(({ message }) => what.test(message)));
    }
  },
  SLOW,
);

it(
  'refuses everybody while it is suspended, and serves everybody again when it is active',
  async () => {
    const token = await tokenOf(name, 'DOCTOR');
    await applyHospital(name, { owner, state: 'Suspended' });
    await whenCondition(name, 'Suspended', ({ status }) => status === 'True');
    expect((await readPatient(token)).status).toBe(503);
    const login = { hospital: name, email: `doctor@${name}.example`, password: platform().demonstrationPassword };
    expect((await call('POST', '/api/auth/login', { body: login })).status).toBe(403);
    await applyHospital(name, { owner, state: 'Active' });
    await whenReady(name);
    await isServed();
    for (const reason of ['Suspended', 'Resumed']) expect(await whenTold(name, reason)).toHaveLength(1);
  },
  SLOW,
);

it(
  'is closed by a deletion with Retain, and comes back with its data',
  async () => {
    const token = await tokenOf(name, 'DOCTOR');
    await deleteHospital(name);
    expect((await readPatient(token)).status).toBe(401);
    expect(await engines.tagged('consumers', name)).toEqual([]);
    expect(await engines.row(name)).toMatchObject({ id: hospitalId, state: 'Retained' });
    await applyHospital(name, { owner, deletionPolicy: 'Delete' });
    expect((await whenReady(name)).status?.hospitalId).toBe(hospitalId);
    await isServed();
  },
  SLOW,
);

it(
  'needs its name as a confirmation for a deletion with Delete, which leaves nothing in any engine',
  async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: `${name}/patients/HSP-000001/photo.jpg`, Body: 'one' }));
    await expect(kubernetes().request('DELETE', `${HOSPITALS}/${name}`)).rejects.toThrow(
      /kubectl annotate hospital .* hms.dev\/confirm-delete/,
    );
    await annotate(name, { 'hms.dev/confirm-delete': name });
    await deleteHospital(name);
    expect(await engines.traces(name)).toEqual(NOTHING);
  },
  SLOW,
);
