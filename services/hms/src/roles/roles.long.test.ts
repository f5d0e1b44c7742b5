import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { moduleEnv } from '@hms/local';
import type { TestModule } from '@hms/service/testing';
import { createTestHospital, startTestModule, type TestHospital } from '@hms/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { hmsModule } from '../module.ts';

const ROLES = '/api/hms/roles';
/** Longer than a process may use what it has read. */
const NOTICED_MS = 3_200;

let hms: TestModule;
let mary: TestHospital;
let owner: string;

beforeAll(async () => {
  hms = await startTestModule({
    databaseUrls: platform().databaseUrls,
    define: hmsModule,
    // Tasks of other suites' hospitals are this process's as well, and they store files.
    s3: moduleEnv(platform()),
  });
});
afterAll(() => hms.close());

beforeEach(async () => {
  mary = await createTestHospital(hms.operator, hms.issuer);
  owner = await mary.token(['OWNER']);
});

interface Role {
  readonly name: string;
  readonly isSystem: boolean;
  readonly permissions: string[];
  readonly withheld: string[];
}

async function list(token = owner): Promise<Role[]> {
  const answer = await hms.send('GET', ROLES, { token });
  expect(answer.status).toBe(200);
  return answer.data<Role[]>();
}

const withhold = (name: string, withheld: unknown, token = owner) =>
  hms.send('PUT', `${ROLES}/${name}`, { token, body: { withheld } });

const patientsOf = async (token: string) => (await hms.send('GET', '/api/hms/patients', { token })).status;

/** Stores a template, as the console does. */
async function template(name: string, permissions: readonly string[]): Promise<void> {
  await hms.operator.raw(
    `INSERT INTO platform.role_templates (name, applies_to, description, permissions) VALUES (?, 'hospital', 'Test', ?)`,
    [name, [...permissions]],
  );
}

describe('withholding permissions', () => {
  it('lists the roles of the interface first', async () => {
    const roles = await list();
    expect(roles.slice(0, 3).map(({ name }) => name)).toEqual(['OWNER', 'ADMIN', 'DOCTOR']);
    expect(roles.find(({ name }) => name === 'DISPLAY')?.permissions).toEqual(['queue.follow', 'displays.show']);
  });

  it('refuses people with the role in this hospital only, and admits them again', async () => {
    const anne = await createTestHospital(hms.operator, hms.issuer);
    const [cashier, hers] = [await mary.token(['CASHIER']), await anne.token(['CASHIER'])];
    expect([await patientsOf(cashier), await patientsOf(hers)]).toEqual([200, 200]);

    const answer = await withhold('CASHIER', ['patients.read']);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.data<Role>()).toMatchObject({ name: 'CASHIER', withheld: ['patients.read'] });
    await sleep(NOTICED_MS);
    expect([await patientsOf(cashier), await patientsOf(hers)]).toEqual([403, 200]);
    // A summary shows the whole record.
    const summary = `/api/hms/patients/${randomUUID()}/summary`;
    expect(await hms.send('POST', summary, { token: cashier })).toMatchObject({ status: 403 });
    // Another role that has it is enough.
    expect(await patientsOf(await mary.token(['CASHIER', 'NURSE']))).toBe(200);

    await withhold('CASHIER', []);
    await sleep(NOTICED_MS);
    expect(await patientsOf(cashier)).toBe(200);
  });

  it('never gives what the template lacks', async () => {
    const answer = await withhold('CASHIER', ['patients.read', 'patients.write']);
    expect(answer).toMatchObject({ status: 422, error: { code: 'PERMISSION_NOT_IN_ROLE' } });
    expect(answer.error.details).toMatchObject({ permissions: ['patients.write'] });
    expect((await list()).find(({ name }) => name === 'CASHIER')?.withheld).toEqual([]);
  });

  it('keeps an owner able to take it back', async () => {
    expect(await withhold('OWNER', ['roles.write'])).toMatchObject({ status: 409, error: { code: 'ROLE_IS_FIXED' } });
    await expect(
      hms.platform.tenants.inTenant(mary.hospital, (trx) =>
        trx.query("SELECT platform.withhold_permissions('OWNER', '{roles.write}')"),
      ),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('is for owners, and names what is wrong', async () => {
    expect((await withhold('NURSE', [], await mary.token(['ADMIN']))).error).toMatchObject({
      code: 'FORBIDDEN',
      details: { requiredPermission: 'roles.write', requiredRoles: ['OWNER'] },
    });
    expect(await withhold('SURGEON', [])).toMatchObject({ status: 404, error: { code: 'ROLE_NOT_FOUND' } });
    expect(await withhold('NURSE', 'all')).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
  });

  it('is audited with what was withheld before', async () => {
    await withhold('NURSE', ['documents.write']);
    await withhold('NURSE', ['documents.read']);
    const events = await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.query("SELECT before, after FROM audit_events WHERE record = 'roles' ORDER BY seq"),
    );
    expect(events).toEqual([
      { before: { withheld: [] }, after: { withheld: ['documents.write'] } },
      { before: { withheld: ['documents.write'] }, after: { withheld: ['documents.read'] } },
    ]);
  });

  it('keeps one of two that are sent at once, whole', async () => {
    await Promise.all([
      withhold('DOCTOR', ['patients.write', 'documents.write']),
      withhold('DOCTOR', ['documents.read']),
      withhold('DOCTOR', ['patients.write', 'documents.write']),
    ]);
    const { withheld } = (await list()).find(({ name }) => name === 'DOCTOR') as Role;
    expect([['documents.write', 'patients.write'], ['documents.read']]).toContainEqual(withheld);
  });
});

describe('a role template', () => {
  it('gives its permissions to people with its role, until it is retired', async () => {
    const name = `CLERK_${Date.now()}`;
    const clerk = await mary.token([name]);
    expect(await patientsOf(clerk)).toBe(403);
    await template(name, ['patients.read', 'audit.read']);
    await sleep(NOTICED_MS);
    expect(await patientsOf(clerk)).toBe(200);
    expect((await list()).find((role) => role.name === name)).toMatchObject({ isSystem: false });
    // Nobody is given more than the token names.
    expect((await hms.send('GET', '/api/hms/employees', { token: clerk })).status).toBe(403);

    await hms.operator.raw(`UPDATE platform.role_templates SET status = 'retired' WHERE name = ?`, [name]);
    await sleep(NOTICED_MS);
    expect(await patientsOf(clerk)).toBe(403);
    expect((await list()).some((role) => role.name === name)).toBe(false);
  });

  it('decides which roles an employee can get', async () => {
    const hire = (email: string, roles: readonly string[]) =>
      hms.send('POST', '/api/hms/employees', {
        token: owner,
        body: { firstName: 'Rita', lastName: 'Roe', email, roles },
      });
    const name = `PORTER_${Date.now()}`;
    expect(await hire('a@mary.example', [name])).toMatchObject({ status: 422, error: { code: 'ROLE_NOT_ALLOWED' } });
    expect(await hire('a@mary.example', ['DISPLAY'])).toMatchObject({ status: 422 });
    expect(await hire('a@mary.example', ['not a role'])).toMatchObject({ status: 400 });
    await template(name, ['patients.read']);
    const hired = await hire('a@mary.example', [name, 'NURSE']);
    expect(hired.status).toBe(201);

    // It stays where it is when it is retired, but nobody else gets it.
    await hms.operator.raw(`UPDATE platform.role_templates SET status = 'retired' WHERE name = ?`, [name]);
    const { id } = hired.data<{ id: string }>();
    const change = (roles: readonly string[]) =>
      hms.send('PUT', `/api/hms/employees/${id}`, { token: owner, body: { roles } });
    expect((await change([name, 'DOCTOR'])).status).toBe(200);
    expect((await hire('b@mary.example', [name])).status).toBe(422);
  });
});
