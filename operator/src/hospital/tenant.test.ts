import { describe, expect, it } from '@jest/globals';
import { tenantOf } from './tenant.ts';
import { hospitalObject } from './testing.ts';

const SETTINGS = { baseUrl: 'http://localhost:8000', domain: 'localhost' };
const ID = '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e';

describe('tenantOf', () => {
  it('fills in host, origin and issuer', () => {
    const tenant = tenantOf(hospitalObject(), ID, SETTINGS);
    expect(tenant.hosts).toEqual(['st-mary.localhost']);
    expect(tenant.origins).toEqual(['http://st-mary.localhost:8000']);
    expect(tenant.profile.issuer).toBe('http://localhost:8000/auth/realms/st-mary');
    expect(tenant.accessTokenSeconds).toBe(300);
  });

  it('prefers the object’s values to defaults', () => {
    const gateway = {
      hosts: ['a.example', 'b.example'],
      origins: ['https://portal.example'],
      rateLimits: { hms: { minute: 5, hour: 50 } },
    };
    const tenant = tenantOf(hospitalObject({ spec: { gateway } }), ID, SETTINGS);
    expect(tenant.hosts).toEqual(gateway.hosts);
    expect(tenant.origins).toEqual(gateway.origins);
    expect(tenant.rateLimits).toEqual(gateway.rateLimits);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['its hosts', [], ['http://own.example:8000']],
    [
      'the origins of its object',
      ['https://own.example', 'https://other.example', 'https://other.example:8443', 'https://portal.example'],
      ['https://own.example', 'https://portal.example'],
    ],
  ])('names no origin at a host that the hospital does not have, from %s', (_, origins, expected) => {
    const hospital = hospitalObject({
      spec: { gateway: { hosts: ['other.example', 'own.example'], origins, rateLimits: {} } },
    });
    const tenant = tenantOf(hospital, ID, SETTINGS, ['own.example']);
    expect(tenant.hosts).toEqual(['own.example']);
    expect(tenant.origins).toEqual(expected);
    expect(tenant.profile.portal).toBe('http://own.example:8000');
  });

  it('writes origins as browsers send them, without the default port', () => {
    const origins = ['https://a.example:443', 'https://a.example', 'http://localhost:80', 'https://b.example:8443'];
    const tenant = tenantOf(
      hospitalObject({ spec: { gateway: { hosts: [], origins, rateLimits: {} } } }),
      ID,
      SETTINGS,
    );
    expect(tenant.origins).toEqual(['https://a.example', 'http://localhost', 'https://b.example:8443']);
  });
});
