import { describe, expect, it } from '@jest/globals';
import type { KongEntity } from '../backends/gateway/client.ts';
import { type ForeignOptions, foreignIn, type GatewayLists } from './foreign.ts';

const consumer = (name: string, ...tags: string[]): KongEntity => ({ id: `id-${name}`, username: name, tags });
const LISTS: GatewayLists = {
  services: [{ id: 'hms', name: 'hms', tags: ['hms-platform'] }],
  upstreams: [],
  consumers: [
    consumer('mary', 'hms-tenant-mary'),
    consumer('anne', 'hms-tenant-anne'),
    consumer('stranger'),
    consumer('console', 'hms-platform'),
  ],
  routes: [],
  plugins: [],
  jwts: [],
  acls: [],
  'key-auths': [],
  'basic-auths': [],
  'hmac-auths': [],
  oauth2: [],
};
const OPTIONS: ForeignOptions = { platformHosts: ['hms.example'], mayChange: () => true, isHospital: () => true };
const of = (name: string) => ({ consumer: { id: `id-${name}` } });
const paths = (lists: Partial<GatewayLists>, options = OPTIONS) =>
  foreignIn({ ...LISTS, ...lists }, options).attachments.map(({ path }) => path);

describe('foreignIn', () => {
  it.each([
    ['key-auths', 'key-auth'],
    ['basic-auths', 'basic-auth'],
    ['hmac-auths', 'hmac-auth'],
    ['oauth2', 'oauth2'],
    ['jwts', 'jwt'],
  ])('finds %s that were added to a hospital’s consumer', (collection, path) => {
    const credentials = [
      { id: 'one', ...of('mary') },
      { id: 'two', ...of('stranger') },
    ];
    expect(paths({ [collection]: credentials })).toEqual([`/consumers/id-mary/${path}/one`]);
  });

  it('finds members of a group from outside its hospital', () => {
    const acls = [
      { id: 'own', group: 'mary', tags: ['hms-tenant-mary'], ...of('mary') },
      { id: 'other', group: 'mary', ...of('stranger') },
      { id: 'both', group: 'mary', tags: ['hms-tenant-anne'], ...of('anne') },
      { id: 'foreign', group: 'staff', ...of('stranger') },
    ];
    expect(paths({ acls })).toEqual(['/consumers/id-stranger/acls/other', '/consumers/id-anne/acls/both']);
  });

  it('finds anything on the consumer of the platform’s own users, whatever its tag', () => {
    const own = { id: 'own', tags: ['hms-platform'], ...of('console') };
    const jwts = [own, { id: 'second', ...of('console') }];
    const acls = [{ id: 'group', group: 'mary', tags: ['hms-tenant-mary'], ...of('console') }];
    const plugins = [{ id: 'plugin', name: 'cors', tags: ['hms-tenant-mary'], ...of('console') }];
    expect(paths({ jwts, acls, plugins })).toEqual([
      '/plugins/plugin',
      '/consumers/id-console/jwt/second',
      '/consumers/id-console/acls/group',
    ]);
  });

  it('skips a hospital that must not be changed', () => {
    const jwts = [
      { id: 'one', ...of('mary') },
      { id: 'two', ...of('anne') },
    ];
    const onlyAnne = { ...OPTIONS, mayChange: (prefix: string) => prefix === 'anne' };
    expect(paths({ jwts }, onlyAnne)).toEqual(['/consumers/id-anne/jwt/two']);
  });

  it('reports a consumer whose tag names a hospital that does not exist', () => {
    const jwts = [
      { id: 'one', tags: ['hms-tenant-mary'], ...of('mary') },
      { id: 'two', tags: ['hms-tenant-anne'], ...of('anne') },
    ];
    const onlyMary = { ...OPTIONS, isHospital: (prefix: string) => prefix === 'mary' };
    expect(foreignIn({ ...LISTS, jwts }, onlyMary)).toMatchObject({
      attachments: [],
      foreign: [{ kind: 'consumer', message: expect.stringContaining('anne') }],
    });
  });

  it.each(['mary.localhost', '*.localhost', '*.LOCALHOST', 'Mary.LocalHost:8000', 'MARY.*'])(
    'reports a foreign route at the host %s of a hospital',
    (host) => {
      const own = { id: 'own', name: 'own', hosts: ['mary.localhost'], paths: ['/api/hms'], tags: ['hms-tenant-mary'] };
      const mine = { id: 'mine', name: 'mine', hosts: [host], paths: ['/'] };
      const { foreign } = foreignIn({ ...LISTS, routes: [own, mine] }, OPTIONS);
      expect(foreign).toMatchObject([{ kind: 'route', message: expect.stringContaining('mine') }]);
    },
  );

  it("does not treat a hospital's own limit on the platform's service as foreign", () => {
    const plugins = [
      { id: 'limit', name: 'rate-limiting', service: { id: 'hms' }, tags: ['hms-tenant-mary'], ...of('mary') },
    ];
    expect(paths({ plugins })).toEqual([]);
  });
});
