/** A hospital from its manifest to its deletion, checked in each engine. */

import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { dataOf } from '@hms/api-client';
import { deleteHospital as deleteRow } from '@hms/database';
import { afterAll, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { Engines, NOTHING } from '../support/engines.ts';
import { api, call, tokenOf } from '../support/gateway.ts';
import {
  annotate,
  applyHospital,
  deleteHospital,
  eventsOf,
  freshHospital,
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
const { gateway } = platform();
const engines = new Engines(platform());
const { s3, db, bucket: Bucket } = engines;
afterAll(() => engines.close());

async function createPatient(prefix: string): Promise<string> {
  const doctor = api(await tokenOf(prefix, 'DOCTOR'));
  return (await dataOf(doctor.POST('/api/hms/patients', { body: PATIENT }))).id;
}

describe('a new hospital', () => {
  it(
    'is Ready with a marked part in every engine',
    async () => {
      const { metadata, status } = await freshHospital({
        owner: { email: 'ann@owner.example', firstName: 'Ann', lastName: 'Byrne' },
      });
      const { name, uid } = metadata;
      const hospitalId = status?.hospitalId;
      expect(status).toMatchObject({
        observedGeneration: 1,
        phase: 'Ready',
        schemaVersion: expect.any(Number),
        endpoints: { issuer: `${platform().baseUrl}/auth/realms/${name}` },
      });
      const types = ['Ready', 'IdentityReady', 'StorageReady', 'DatabaseReady', 'GatewayReady', 'Synced'];
      for (const type of types) {
        expect(status?.conditions).toContainEqual(
          expect.objectContaining({ type, status: 'True', observedGeneration: 1 }),
        );
      }
      expect(Date.now() - Date.parse(status?.lastVerifiedTime ?? '')).toBeLessThan(600_000);
      expect((await (await engines.keycloak()).realms.findOne({ realm: name }))?.id).toBe(hospitalId);
      const marker = await s3.send(new HeadObjectCommand({ Bucket, Key: `${name}/lab-reports/` }));
      expect(marker.Metadata).toEqual({ 'hospital-id': hospitalId, 'owner-uid': uid });
      expect(await engines.row(name)).toMatchObject({ id: hospitalId, state: 'Active', ownerUid: uid });
      expect(await engines.tagged('consumers', name)).toEqual([expect.objectContaining({ custom_id: hospitalId })]);
      const created = await whenTold(name, 'Created');
      expect(created).toEqual([expect.objectContaining({ count: 1 })]);
    },
    SLOW,
  );

  it(
    'invites its owner once',
    async () => {
      const email = `${freshPrefix()}@owner.example`;
      const { metadata } = await freshHospital({ owner: { email, firstName: 'Ann', lastName: 'Byrne' } });
      const mails = () => mailsTo(email);
      const [mail] = await until('the invitation', mails, (found) => found.length > 0);
      expect(mail?.html).toMatch(/href="[^"]+\/invitation#[^"]+"/);
      await resync(metadata.name);
      expect(await mails()).toHaveLength(1);
    },
    SLOW,
  );

  it(
    'writes nothing when nothing has changed',
    async () => {
      const { metadata } = await freshHospital();
      await resync(metadata.name);
      const before = await readHospital(metadata.name);
      const consumers = await engines.tagged('consumers', metadata.name);
      await resync(metadata.name);
      const after = await readHospital(metadata.name);
      // Only the echo of the annotation may differ.
      expect({ ...after.status, reconcileRequestedAt: '' }).toEqual({ ...before.status, reconcileRequestedAt: '' });
      expect(await engines.tagged('consumers', metadata.name)).toEqual(consumers);
      expect((await eventsOf(metadata.name)).map(({ reason }) => reason)).toEqual(['Created']);
    },
    SLOW,
  );
});

describe('manual deletions', () => {
  const corrected = (name: string, what: RegExp) =>
    until(
      'the event',
      () => eventsOf(name),
      (events) => events.some(({ reason, message }) => reason === 'DriftCorrected' && what.test(message)),
    );

  it(
    'a realm is restored, and the gateway gets its new key',
    async () => {
      const { metadata, status } = await freshHospital();
      const admin = await engines.keycloak();
      await admin.realms.del({ realm: metadata.name });
      await resync(metadata.name);
      expect((await admin.realms.findOne({ realm: metadata.name }))?.id).toBe(status?.hospitalId);
      await corrected(metadata.name, /identity: create realm .*gateway: update credential/);
      expect((await call('GET', '/api/hms/patients', { token: await tokenOf(metadata.name, 'DOCTOR') })).status).toBe(
        200,
      );
    },
    SLOW,
  );

  it(
    'the registry row is restored with the same id, and the patients are still there',
    async () => {
      const { metadata, status } = await freshHospital();
      const id = await createPatient(metadata.name);
      await deleteRow(db, metadata.name);
      await resync(metadata.name);
      expect(await engines.row(metadata.name)).toMatchObject({
        id: status?.hospitalId,
        state: 'Active',
        schemaVersion: status?.schemaVersion,
      });
      await corrected(metadata.name, /registry row/);
      expect(await whenTold(metadata.name, 'RegistryRowLost')).toMatchObject([{ type: 'Warning' }]);
      const token = await tokenOf(metadata.name, 'DOCTOR');
      await until(
        'the patient',
        () => call('GET', `/api/hms/patients/${id}`, { token }),
        (answer) => answer.status === 200,
      );
    },
    SLOW,
  );

  it(
    'a route is restored',
    async () => {
      const { metadata } = await freshHospital();
      const route = (await engines.tagged('routes', metadata.name)).find(({ name }) => name === `${metadata.name}-crm`);
      await fetch(`${gateway.admin}/routes/${route?.id}`, { method: 'DELETE' });
      await resync(metadata.name);
      expect((await engines.tagged('routes', metadata.name)).map(({ id }) => id)).toContain(route?.id);
      await corrected(metadata.name, /gateway: create route .*-crm/);
    },
    SLOW,
  );

  it(
    'a folder is restored',
    async () => {
      const { metadata } = await freshHospital();
      await s3.send(new DeleteObjectCommand({ Bucket, Key: `${metadata.name}/invoices/` }));
      await resync(metadata.name);
      await s3.send(new HeadObjectCommand({ Bucket, Key: `${metadata.name}/invoices/` }));
      await corrected(metadata.name, /storage: create folder .*\/invoices\//);
    },
    SLOW,
  );
});

describe('a suspended hospital', () => {
  it(
    'refuses everybody, and serves everybody again when it is active',
    async () => {
      const { metadata } = await freshHospital();
      const { name } = metadata;
      const token = await tokenOf(name, 'DOCTOR');
      await applyHospital(name, { state: 'Suspended' });
      await whenCondition(name, 'Suspended', ({ status }) => status === 'True');
      expect((await call('GET', '/api/hms/patients', { token })).status).toBe(503);
      const login = { hospital: name, email: `doctor@${name}.example`, password: platform().demonstrationPassword };
      expect((await call('POST', '/api/auth/login', { body: login })).status).toBe(403);
      await applyHospital(name, { state: 'Active' });
      await whenReady(name);
      const again = await tokenOf(name, 'DOCTOR');
      await until(
        'the hospital to be served',
        () => call('GET', '/api/hms/patients', { token: again }),
        ({ status }) => status === 200,
      );
      for (const reason of ['Suspended', 'Resumed']) expect(await whenTold(name, reason)).toHaveLength(1);
    },
    SLOW,
  );

  it(
    'resumes without its old sessions, even if they were not ended when its realm was disabled',
    async () => {
      const { metadata } = await freshHospital();
      const realm = metadata.name;
      await tokenOf(realm, 'DOCTOR');
      const admin = await engines.keycloak();
      const [doctor] = await admin.users.find({ realm, email: `doctor@${realm}.example`, exact: true });
      const sessions = () => admin.users.listSessions({ realm, id: doctor?.id ?? '' });
      expect(await sessions()).toHaveLength(1);
      await admin.realms.update({ realm }, { enabled: false });
      await resync(realm);
      expect(await admin.realms.findOne({ realm })).toMatchObject({ enabled: true });
      expect(await sessions()).toEqual([]);
    },
    SLOW,
  );
});

describe('a hospital that is only observed', () => {
  it(
    'gets a plan without any write',
    async () => {
      const name = freshPrefix();
      await applyHospital(name, { managementPolicy: 'Observe' });
      const { status, metadata } = await until(
        'the plan',
        () => readHospital(name),
        (hospital) => (hospital.status?.plan ?? []).length > 0,
      );
      expect(status?.plan).toEqual(
        expect.arrayContaining([`identity: create realm ${name}`, `database: create schema h_${name}`]),
      );
      expect(metadata.finalizers ?? []).toEqual([]);
      expect(await engines.traces(name)).toEqual(NOTHING);
      await deleteHospital(name);
    },
    SLOW,
  );
});

describe('deleting a hospital', () => {
  it(
    'with Retain stops the traffic and keeps the data for the next hospital of that name',
    async () => {
      const { metadata, status } = await freshHospital();
      const { name } = metadata;
      const id = await createPatient(name);
      const token = await tokenOf(name, 'DOCTOR');
      await deleteHospital(name);
      expect((await call('GET', `/api/hms/patients/${id}`, { token })).status).toBe(401);
      expect(await engines.tagged('consumers', name)).toEqual([]);
      expect(await engines.row(name)).toMatchObject({ id: status?.hospitalId, state: 'Retained' });
      expect((await (await engines.keycloak()).realms.findOne({ realm: name }))?.enabled).toBe(false);
      await applyHospital(name);
      const back = await whenReady(name);
      expect(back.status?.hospitalId).toBe(status?.hospitalId);
      const doctor = await tokenOf(name, 'DOCTOR');
      const found = await until(
        'the patient',
        () => call('GET', `/api/hms/patients/${id}`, { token: doctor }),
        (answer) => answer.status === 200,
      );
      expect(found.body?.data).toMatchObject({ id, hospitalId: status?.hospitalId });
    },
    SLOW,
  );

  it(
    'with Delete requires its name as a confirmation, and leaves nothing in any engine',
    async () => {
      const { metadata } = await freshHospital({ deletionPolicy: 'Delete' });
      const { name } = metadata;
      await createPatient(name);
      const key = `${name}/patients/HSP-000001/photo.jpg`;
      await s3.send(new PutObjectCommand({ Bucket, Key: key, Body: 'one' }));
      await s3.send(new PutObjectCommand({ Bucket, Key: key, Body: 'two' }));
      expect(await (await s3.send(new GetObjectCommand({ Bucket, Key: key }))).Body?.transformToString()).toBe('two');
      await expect(kubernetes().request('DELETE', `${HOSPITALS}/${name}`)).rejects.toThrow(
        /kubectl annotate hospital .* hms.dev\/confirm-delete/,
      );
      await annotate(name, { 'hms.dev/confirm-delete': name });
      await deleteHospital(name);
      expect(await engines.traces(name)).toEqual(NOTHING);
    },
    SLOW,
  );
});
