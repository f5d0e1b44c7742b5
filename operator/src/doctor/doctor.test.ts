import fs from 'node:fs';
import path from 'node:path';
import { MODULE_ROLES } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { atLeast, clock, reason } from './finding.ts';
import { rightsIn } from './kubernetes.ts';
import { judge, type Row } from './postgres.ts';
import { addressOf, judgeCertificate } from './reach.ts';

describe('a version', () => {
  it.each([
    ['18.1', '16', true],
    ['16', '16', true],
    ['15.9', '16', false],
    ['v1.30.0', '1.30', true],
    ['v1.29.14+k3s1', '1.30', false],
    ['26.7.3', '26', true],
    ['9.6', '16', false],
  ])('%s is at least %s: %s', (version, minimum, expected) => {
    expect(atLeast(version, minimum)).toBe(expected);
  });
});

describe('a clock', () => {
  it.each([
    [0, 0, 'ok', 'in sync'],
    [4_000, 0, 'ok', '4 s ahead'],
    [-7_000, 0, 'warning', '7 s behind'],
    [5_900, 1000, 'ok', '5 s ahead'],
  ])('that is off by %d ms, with a precision of %d ms', (off, precision, status, observed) => {
    expect(clock('x', 1e12 + off, precision, 1e12)).toMatchObject({ name: 'x clock', status, observed });
  });
});

describe('a certificate', () => {
  it.each([
    ['2030-02-01T00:00:00Z', 'ok', /31 more days/],
    ['2030-01-05T00:00:00Z', 'warning', /4 more days/],
  ])('until %s', (until, status, observed) => {
    const finding = judgeCertificate('x TLS', { valid_to: until }, Date.parse('2030-01-01T00:00:00Z'));
    expect(finding).toMatchObject({ status, observed: expect.stringMatching(observed) });
  });
});

describe('an address', () => {
  it.each([
    ['https://s3.example', { host: 's3.example', port: 443, tls: 'direct' }],
    ['http://keycloak:8080/auth', { host: 'keycloak', port: 8080 }],
    ['http://[::1]:9000', { host: '::1', port: 9000 }],
    ['postgres://a:b@db/hms', { host: 'db', port: 5432 }],
    ['postgres://a:b@db:6432/hms?sslmode=disable', { host: 'db', port: 6432 }],
    [
      'postgres://a:b@db/hms?sslmode=verify-full&sslrootcert=/ca.pem',
      { host: 'db', port: 5432, tls: 'postgres', ca: '/ca.pem' },
    ],
  ])('of %s', (url, expected) => {
    expect(addressOf(url)).toEqual(expected);
  });
});

describe('the required rights', () => {
  it('are those of the role, one by one, with the Lease in its namespace', () => {
    const text = fs.readFileSync(path.join(import.meta.dirname, '../../deploy/rbac.yaml'), 'utf8');
    const rights = rightsIn(text, 'hospital-platform');
    const none = { subresource: '', namespace: '', name: '' };
    expect(rights).toContainEqual({ ...none, group: 'hms.dev', resource: 'hospitals', verb: 'watch' });
    expect(rights).toContainEqual({
      ...none,
      ...{ group: 'hms.dev', resource: 'orphans', subresource: 'status', verb: 'patch' },
    });
    expect(rights).toContainEqual({
      ...none,
      ...{ group: 'coordination.k8s.io', resource: 'leases', verb: 'update' },
      ...{ namespace: 'hospital-platform', name: 'hms-operator' },
    });
    expect(rights).toContainEqual({ ...none, group: '', resource: 'events', verb: 'create', namespace: 'default' });
  });
});

describe('the message of an error', () => {
  it('contains its cause, and reports a timeout', () => {
    expect(reason(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }))).toBe(
      'fetch failed: ECONNREFUSED',
    );
    expect(reason(new DOMException('x', 'TimeoutError'))).toBe('no answer in 5 s');
  });
});

describe('a PostgreSQL', () => {
  const moduleRole = (name: string, changes: object = {}): Row['module_roles'][number] => ({
    ...{ name, login: true, inherits: false, connects: true, powers: [] },
    ...changes,
  });
  const good: Row = {
    ...{ version: '18.4 (Debian)', role: 'hms_operator', database: 'hms', createrole: true, superuser: false },
    ...{
      owner: true,
      signals: true,
      owns_extensions: true,
      open_database: false,
      open_schema: false,
      open_functions: [],
      missing: [],
      misplaced: [],
    },
    module_roles: MODULE_ROLES.map((name) => moduleRole(name)),
    ...{ connections_left: 100, now_ms: Date.now() },
  };
  it('in order needs no remedy', () => {
    expect(judge(good).map(({ status }) => status)).toEqual(Array(7 + MODULE_ROLES.length).fill('ok'));
  });

  it.each<[Partial<Row>, object]>([
    [{ version: '15.9' }, { name: 'postgres version', status: 'failed' }],
    [
      { open_functions: ['set_config'] },
      { name: 'postgres functions', remedy: expect.stringMatching(/privileges\.sql/) },
    ],
    [{ missing: ['btree_gist'] }, { name: 'postgres extensions', observed: 'the server does not have btree_gist' }],
    [{ signals: false }, { name: 'postgres rights', remedy: expect.stringMatching(/GRANT pg_signal_backend/) }],
    [
      { owns_extensions: false },
      { name: 'postgres rights', remedy: expect.stringMatching(/ALTER SCHEMA extensions OWNER/) },
    ],
    [
      { misplaced: [{ name: 'pg_trgm', schema: 'public' }] },
      {
        name: 'postgres extensions',
        observed: 'pg_trgm is in schema public instead of extensions',
        remedy: 'ALTER EXTENSION pg_trgm SET SCHEMA extensions',
      },
    ],
    [{ connections_left: 3 }, { name: 'postgres connections', status: 'warning' }],
    ...MODULE_ROLES.flatMap((name): [Partial<Row>, object][] => {
      const others = MODULE_ROLES.filter((other) => other !== name).map((other) => moduleRole(other));
      const create = expect.stringMatching(`^CREATE ROLE ${name} LOGIN NOINHERIT`);
      const connect = expect.stringMatching(`^GRANT CONNECT .* TO ${name}$`);
      return [
        [{ module_roles: others }, { name: `postgres role ${name}`, remedy: create }],
        [
          { module_roles: [...others, moduleRole(name, { connects: false })] },
          { name: `postgres role ${name}`, remedy: connect },
        ],
      ];
    }),
  ])('with %j', (own, expected) => {
    expect(judge({ ...good, ...own }).filter(({ status }) => status !== 'ok')).toEqual([
      expect.objectContaining(expected),
    ]);
  });
});
