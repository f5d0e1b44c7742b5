import { HOSPITAL_ROLES } from '@hms/tenancy';
import { expect, it } from '@jest/globals';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import { testCalls } from '../testing.ts';
import { IdentityBackend } from './backend.ts';
import { Keycloak } from './client.ts';
import { Realms } from './realms.ts';

const url = 'http://keycloak.example/auth';
const keycloak = new Keycloak({ url, clientId: 'hms-operator', clientSecret: 'x' }, testCalls('identity'));
const settings = {
  authJwksUrl: 'http://auth.example/jwks',
  smtp: { host: 'mail.example', port: 25, tls: 'none', from: 'no-reply@hms.example' },
} as const;
const backend = new IdentityBackend(keycloak, new Realms(keycloak), settings, async () => undefined);

const rolesOf = (roles: string[]) => {
  const identity = { secondFactor: 'None', accessTokenLifespan: '5m', roles } as const;
  const settings = { baseUrl: 'https://hms.example', domain: 'hms.example' };
  const tenant = tenantOf(hospitalObject({ spec: { identity } }), '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e', settings);
  return backend.wanted(tenant).roles.realm.map(({ name }) => name);
};

it("lists each role once: the platform's first, then the hospital's in its order", () => {
  expect(rolesOf([])).toEqual(HOSPITAL_ROLES);
  expect(rolesOf(['WARD_CLERK', 'OWNER', 'PORTER', 'DOCTOR', 'WARD_CLERK'])).toEqual([
    ...HOSPITAL_ROLES,
    'WARD_CLERK',
    'PORTER',
  ]);
});
