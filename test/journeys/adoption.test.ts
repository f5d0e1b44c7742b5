/** Objects that existed before the hospital: refused, or adopted if the object allows it. */
import { randomUUID } from 'node:crypto';
import { connect } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import KcAdminClient from '@keycloak/keycloak-admin-client';
import { platform } from '../platform.ts';
import { call, tokenOf } from '../support/gateway.ts';
import { applyHospital, deleteHospital, freshPrefix, whenCondition, whenReady } from '../support/hospitals.ts';

const SLOW = 180_000;
const { gateway, keycloakUrl, keycloakOperator } = platform();

describe('a manually created consumer with the same username', () => {
  it(
    'is refused, or replaced with IfUnowned',
    async () => {
      const name = freshPrefix();
      const url = `${gateway.admin}/consumers/${name}`;
      const created = await fetch(url, { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } });
      const { id } = (await created.json()) as { id: string };
      await applyHospital(name);
      await whenCondition(name, 'GatewayReady', ({ reason, message }) => {
        return reason === 'Conflict' && message.includes("without an owner's mark");
      });
      expect(await (await fetch(url)).json()).toMatchObject({ id, tags: null });

      await applyHospital(name, { adoption: 'IfUnowned' });
      await whenReady(name);
      const after = (await (await fetch(url)).json()) as { id: string; tags: string[] };
      expect(after.id).not.toBe(id);
      expect(after.tags).toContain(`hms-tenant-${name}`);
      await deleteHospital(name);
    },
    SLOW,
  );
});

describe('a schema of the same name that is closed to the operator', () => {
  it(
    'is a Conflict that names it, and is not changed',
    async () => {
      const name = freshPrefix();
      const { schema } = hospitalNames(name);
      const db = connect(platform().databaseUrls.admin);
      await db.raw(`CREATE SCHEMA ${schema}`);
      await db.raw(`CREATE TABLE ${schema}.schema_migrations (version integer)`);
      await applyHospital(name);
      await whenCondition(name, 'DatabaseReady', ({ reason, message }) => {
        return reason === 'Conflict' && message.includes(schema);
      });
      await deleteHospital(name);
      await db.raw(`DROP TABLE ${schema}.schema_migrations`);
      await db.raw(`DROP SCHEMA ${schema}`);
      await db.destroy();
    },
    SLOW,
  );
});

describe('a realm that the operator has rights on', () => {
  it(
    'becomes the realm of a hospital that is applied with its id',
    async () => {
      const [name, id] = [freshPrefix(), randomUUID()];
      const admin = new KcAdminClient({ baseUrl: keycloakUrl });
      await admin.auth({ grantType: 'client_credentials', ...keycloakOperator });
      await admin.realms.create({ realm: name, id, enabled: true });
      await applyHospital(name, { hospitalId: id });
      await whenReady(name);
      const patients = await call('GET', '/api/hms/patients', { token: await tokenOf(name, 'DOCTOR') });
      expect(patients.status).toBe(200);
      await deleteHospital(name);
    },
    SLOW,
  );
});
