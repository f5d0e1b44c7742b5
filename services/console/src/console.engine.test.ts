import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVERY_HOSPITAL, migratePlatform, openClient, RECONCILE_CHANNEL } from '@hms/database';
import { createTestHospital, startTestModule, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { consoleModule } from './module.ts';
import { HOST_RULES, unreachableCluster } from './testing.ts';

const TEMPLATES = '/api/console/role-templates';

let module: TestModule;
let admin: string;
let support: string;

beforeAll(async () => {
  const { databaseUrls } = platform();
  // The module's own role in PostgreSQL, which may do less than that of the others.
  module = await startTestModule({
    databaseUrls: { ...databaseUrls, app: databaseUrls.console },
    define: (environment) => consoleModule(environment, unreachableCluster(environment), HOST_RULES),
  });
  // This suite may be the first one on the database.
  await migratePlatform(module.operator);
  admin = await module.issuer.sign('console', { roles: ['PLATFORM_ADMIN'] });
  support = await module.issuer.sign('console', { roles: ['PLATFORM_SUPPORT'] });
});
afterAll(() => module.close());

interface Template {
  readonly id: string;
  readonly name: string;
  readonly permissions: string[];
  readonly status: string;
  readonly version: number;
}

let count = 0;
const unique = () => `CLERK_${process.pid}_${count++}`;
const send = (method: string, path: string, body?: unknown, token = admin) =>
  module.send(method, path, { token, ...(body === undefined ? {} : { body }) });

async function create(permissions: readonly string[] = ['patients.read']): Promise<Template> {
  const answer = await send('POST', TEMPLATES, { name: unique(), description: 'Keeps files', permissions });
  expect(answer.status).toBe(201);
  return answer.data<Template>();
}

describe('role templates', () => {
  it('has the roles of the interface, which nobody can change', async () => {
    const all = (await send('GET', TEMPLATES, undefined, support)).data<(Template & { isSystem: boolean })[]>();
    const doctor = all.find(({ name }) => name === 'DOCTOR');
    expect(doctor).toMatchObject({ isSystem: true, status: 'active' });
    expect(doctor?.permissions).toContain('patients.write');
    for (const [method, path, body] of [
      ['PUT', '', { permissions: [] }],
      ['POST', '/retire', {}],
    ] as const)
      expect(await send(method, `${TEMPLATES}/${doctor?.id}${path}`, body)).toMatchObject({
        status: 409,
        error: { code: 'SYSTEM_TEMPLATE' },
      });
  });

  it('is created, changed, retired and restored, and each step is recorded with who did it', async () => {
    const made = await create();
    const changed = await send('PUT', `${TEMPLATES}/${made.id}`, {
      permissions: ['audit.read'],
      version: made.version,
    });
    expect(changed.data<Template>()).toMatchObject({ permissions: ['audit.read'], version: 2 });
    expect((await send('POST', `${TEMPLATES}/${made.id}/retire`, {})).data<Template>().status).toBe('retired');
    expect((await send('POST', `${TEMPLATES}/${made.id}/restore`, {})).data<Template>().status).toBe('active');
    // Nothing differs: nothing is recorded.
    expect((await send('POST', `${TEMPLATES}/${made.id}/restore`, {})).data<Template>().version).toBe(4);

    const listed = await send('GET', '/api/console/audit?record=role_templates&limit=100', undefined, support);
    const own = listed.data<{ recordId: string; action: string; actorName: string; details: unknown }[]>();
    expect(own.filter(({ recordId }) => recordId === made.id).map(({ action }) => action)).toEqual([
      'transition',
      'transition',
      'update',
      'create',
    ]);
    expect(own.find(({ recordId, action }) => recordId === made.id && action === 'update')?.details).toEqual({
      name: made.name,
      before: { permissions: ['patients.read'] },
      after: { permissions: ['audit.read'] },
    });
    expect(new Set(own.map(({ actorName }) => actorName))).toEqual(new Set(['Jane Doe']));
    const path = '/api/console/audit?record=role_templates&limit=100&q=';
    const found = async (q: string) => (await send('GET', `${path}${q}`, undefined, support)).data<unknown[]>().length;
    expect(await found('jane')).toBe(own.length);
    expect(await found('nobody')).toBe(0);
  });

  it('tells the operator about a new role', async () => {
    const client = openClient(platform().databaseUrls.operator, { applicationName: 'hms-test' });
    await client.connect();
    const heard: (string | undefined)[] = [];
    client.on('notification', ({ payload }) => heard.push(payload));
    await client.query(`LISTEN ${RECONCILE_CHANNEL}`);
    await create();
    for (let waited = 0; heard.length === 0 && waited < 5_000; waited += 50) await sleep(50);
    await client.end();
    expect(heard).toContain(EVERY_HOSPITAL);
  });

  it('refuses one of two changes of the same version', async () => {
    const made = await create();
    const changes = [['patients.write'], ['audit.read'], ['families.read']].map((permissions) =>
      send('PUT', `${TEMPLATES}/${made.id}`, { permissions, version: made.version }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409]);
  });

  it.each([
    ['name', { name: 'ward clerk' }, /name must have capitals/],
    ['name', { name: 'PLATFORM_KING' }, /reserved/],
    ['name', { name: undefined }, /name is required/],
    ['description', { description: '' }, /description/],
    ['permissions', { permissions: ['patients.fly'] }, /permissions.*GET \/api\/console\/permissions/],
    ['permissions', { permissions: ['templates.write'] }, /permissions/],
    // Whoever has it decides what everybody else may do.
    ['permissions', { permissions: ['roles.write'] }, /permissions/],
    ['permissions', { permissions: ['patients.read', 'patients.read'] }, /twice/],
  ])('names a %s that is not valid: %j', async (_, wrong, message) => {
    const body = { name: unique(), description: 'Keeps files', permissions: ['patients.read'], ...wrong };
    const answer = await send('POST', TEMPLATES, body);
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    expect(answer.error.message).toMatch(message);
  });

  it('has one template of each name', async () => {
    const { name } = await create();
    const body = { name, description: 'Another one', permissions: [] };
    expect(await send('POST', TEMPLATES, body)).toMatchObject({
      status: 409,
      error: { code: 'ROLE_TEMPLATE_NAME_TAKEN' },
    });
    expect(await send('POST', TEMPLATES, { ...body, name: 'DOCTOR' })).toMatchObject({ status: 409 });
  });
});

describe('who may do what', () => {
  it('lets support look', async () => {
    const made = await create();
    expect((await send('GET', `${TEMPLATES}/${made.id}`, undefined, support)).status).toBe(200);
    const body = { name: unique(), description: 'Keeps files', permissions: [] };
    expect((await send('POST', TEMPLATES, body, support)).error).toMatchObject({
      code: 'FORBIDDEN',
      details: { requiredPermission: 'templates.write', requiredRoles: ['PLATFORM_ADMIN'] },
    });
  });

  it('refuses people of hospitals, also with a template that has the name of a role of the platform', async () => {
    const mary = await createTestHospital(module.operator, module.issuer);
    const token = await mary.token(['OWNER', 'PLATFORM_ADMIN']);
    for (const path of [TEMPLATES, '/api/console/permissions', '/api/console/audit'])
      expect([path, (await send('GET', path, undefined, token)).status]).toEqual([path, 403]);
  });

  it('refuses the token of an ended impersonation like every module', async () => {
    const mary = await createTestHospital(module.operator, module.issuer);
    const claims = { azp: 'hms-impersonation', act: { sub: 'hms-impersonation' }, jti: randomUUID() };
    const token = await mary.token(['DOCTOR'], { claims });
    expect((await send('GET', TEMPLATES, undefined, token)).status).toBe(401);
  });
});
