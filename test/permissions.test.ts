/** Who may call which route: a table written by hand, compared with the code and with what running modules answer. */
import type { ModuleDefinition, Platform } from '@hms/service';
import { createTestHospital, startTestModule } from '@hms/service/testing';
import { CONSOLE_ROLES, HOSPITAL_ROLES, PERMISSIONS } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { consoleModule } from '../services/console/src/module.ts';
import { crmModule } from '../services/crm/src/module.ts';
import { hmsModule } from '../services/hms/src/module.ts';
import { moduleDefinitions } from './openapi/documents.ts';
import { platform } from './platform.ts';

const A = ['OWNER', 'ADMIN'];
const STAFF = [...A, 'DOCTOR', 'NURSE', 'RECEPTION', 'LAB_TECH', 'PHARMACIST', 'CASHIER', 'ACCOUNTANT'];
const CARE = [...A, 'DOCTOR', 'NURSE', 'RECEPTION'];
const DESK = [...A, 'RECEPTION'];
const TOKEN = 'any token';
const ALL = 'everybody';
const SUPPORT = ['PLATFORM_ADMIN', 'PLATFORM_SUPPORT'];
const PLATFORM = ['PLATFORM_ADMIN'];

type Who = readonly string[] | typeof TOKEN | typeof ALL;

/** By hand: whoever changes who may do what changes it here as well. */
const EXPECTED: Readonly<Record<string, Who>> = {
  'GET /.well-known/jwks.json': ALL,
  'GET /api/auth/audit': A,
  'GET /api/auth/audit/export': A,
  'GET /api/auth/check': TOKEN,
  'GET /api/auth/displays': A,
  'GET /api/auth/displays/:id': A,
  'GET /api/auth/displays/changes': A,
  'POST /api/auth/displays': A,
  'PUT /api/auth/displays/:id': A,
  'DELETE /api/auth/displays/:id': A,
  'GET /api/auth/displays/me': ['DISPLAY'],
  'POST /api/auth/displays/start': ALL,
  'POST /api/auth/displays/token': ALL,
  'GET /api/auth/hospitals/:name': ALL,
  'GET /api/auth/impersonations': A,
  'POST /api/auth/impersonations': SUPPORT,
  'GET /api/auth/impersonations/own': SUPPORT,
  // The module decides: whoever acts, whoever is acted as, an owner.
  'POST /api/auth/impersonations/:id/end': TOKEN,
  'POST /api/auth/impersonations/:id/token': ALL,
  'POST /api/auth/login': ALL,
  'POST /api/auth/logout': ALL,
  'GET /api/auth/me': TOKEN,
  'PUT /api/auth/password': TOKEN,
  'POST /api/auth/password/forgotten': ALL,
  'POST /api/auth/password/reset': ALL,
  'POST /api/auth/refresh': ALL,
  'POST /api/auth/resend': ALL,
  'POST /api/auth/verify': ALL,
  'GET /api/auth/verify/:sha256': ALL,

  'GET /api/hms/check': TOKEN,
  'GET /api/hms/patients': STAFF,
  'GET /api/hms/patients/:id': STAFF,
  'POST /api/hms/patients': CARE,
  'PUT /api/hms/patients/:id': CARE,
  'DELETE /api/hms/patients/:id': A,
  'GET /api/hms/patients/changes': STAFF,
  'GET /api/hms/patients/:id/access': A,
  'GET /api/hms/patients/:id/documents': STAFF,
  'POST /api/hms/patients/:id/documents': CARE,
  'POST /api/hms/patients/:id/documents/:docId/complete': CARE,
  'GET /api/hms/patients/:id/documents/:docId/url': STAFF,
  'DELETE /api/hms/patients/:id/documents/:docId': A,
  'PUT /api/hms/patients/:id/photo': CARE,
  'POST /api/hms/patients/:id/summary': STAFF,
  'GET /api/hms/employees': STAFF,
  'GET /api/hms/employees/:id': STAFF,
  'GET /api/hms/employees/changes': STAFF,
  'POST /api/hms/employees': A,
  'PUT /api/hms/employees/:id': A,
  'POST /api/hms/employees/:id/suspend': A,
  'POST /api/hms/employees/:id/activate': A,
  'POST /api/hms/employees/:id/terminate': A,
  'POST /api/hms/employees/:id/resend-invite': A,
  'GET /api/hms/clinics': STAFF,
  'GET /api/hms/clinics/:id': STAFF,
  'GET /api/hms/clinics/changes': STAFF,
  'POST /api/hms/clinics': A,
  'PUT /api/hms/clinics/:id': A,
  'DELETE /api/hms/clinics/:id': A,
  'GET /api/hms/departments': STAFF,
  'GET /api/hms/departments/:id': STAFF,
  'GET /api/hms/departments/changes': STAFF,
  'POST /api/hms/departments': A,
  'PUT /api/hms/departments/:id': A,
  'DELETE /api/hms/departments/:id': A,
  'GET /api/hms/roles': A,
  'PUT /api/hms/roles/:name': ['OWNER'],

  'GET /api/crm/check': TOKEN,
  'GET /api/crm/families': STAFF,
  'GET /api/crm/families/:id': STAFF,
  'POST /api/crm/families': DESK,
  'PUT /api/crm/families/:id': DESK,
  'DELETE /api/crm/families/:id': DESK,
  'GET /api/crm/families/:id/members': STAFF,
  'POST /api/crm/families/:id/members': DESK,
  'DELETE /api/crm/families/:id/members/:memberId': DESK,
  'PUT /api/crm/families/:id/primary-contact': DESK,

  'GET /api/console/permissions': SUPPORT,
  'GET /api/console/role-templates': SUPPORT,
  'GET /api/console/role-templates/:id': SUPPORT,
  'POST /api/console/role-templates': PLATFORM,
  'PUT /api/console/role-templates/:id': PLATFORM,
  'POST /api/console/role-templates/:id/retire': PLATFORM,
  'POST /api/console/role-templates/:id/restore': PLATFORM,
  'GET /api/console/audit': SUPPORT,
};

const sorted = (who: Who) => (typeof who === 'string' ? who : [...who].sort());

it('is the table that was written by hand', async () => {
  const declared = (await moduleDefinitions()).flatMap(({ routes }) =>
    routes.map(({ method, path, access }): [string, Who] => [
      `${method} ${path}`,
      access === 'public' ? ALL : access === 'authenticated' ? TOKEN : PERMISSIONS[access].roles,
    ]),
  );
  expect(Object.fromEntries(declared.map(([route, who]) => [route, sorted(who)]))).toEqual(
    Object.fromEntries(Object.entries(EXPECTED).map(([route, who]) => [route, sorted(who)])),
  );
});

const ID = '0198a5a0-0000-7000-8000-000000000000';
/** The auth module asks Keycloak, and its routes have suites of their own. */
const MODULES: Readonly<Record<string, (platform: Platform) => ModuleDefinition>> = {
  hms: hmsModule,
  crm: () => crmModule,
  console: consoleModule,
};

describe.each(Object.entries(MODULES))('%s', (name, define) => {
  it('answers each role at each route so', async () => {
    const isConsole = name === 'console';
    const databaseRole = isConsole ? 'console' : 'app';
    const module = await startTestModule({ databaseUrls: platform().databaseUrls, databaseRole, define });
    try {
      const hospital = await createTestHospital(module.operator, module.issuer);
      const roles: readonly string[] = isConsole ? CONSOLE_ROLES : HOSPITAL_ROLES;
      const answers: [string, readonly string[]][] = [];
      const routes = Object.entries(EXPECTED).filter(
        ([route, who]) => route.includes(` /api/${name}/`) && typeof who !== 'string',
      );
      expect(routes.length).toBeGreaterThan(5);
      for (const [route] of routes) {
        const [method = '', path = ''] = route.split(' ');
        const admitted: string[] = [];
        for (const role of roles) {
          const token = isConsole
            ? await module.issuer.sign('console', { roles: [role] })
            : await hospital.token([role]);
          if (await isAdmitted(`${module.url}${path.replaceAll(/:\w+/g, ID)}`, method, token)) admitted.push(role);
        }
        answers.push([route, admitted.sort()]);
      }
      expect(Object.fromEntries(answers)).toEqual(
        Object.fromEntries(routes.map(([route, who]) => [route, sorted(who)])),
      );
    } finally {
      await module.close();
    }
  });
});

/** Whether the answer is anything but "you may not". Streams are left after their head. */
async function isAdmitted(url: string, method: string, token: string): Promise<boolean> {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' };
  const answer = await fetch(url, { method, headers, ...body, signal: stop.signal });
  const isRefused = answer.status === 403 && (await answer.text()).includes('"FORBIDDEN"');
  if (!isRefused) stop.abort();
  expect([url, answer.status < 500]).toEqual([url, true]);
  return !isRefused;
}
