import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gatewayId, hospitalNames, issuerOf } from './names.ts';
import { prefixProblem } from './prefix.ts';

const prefixes = fc.stringMatching(/^[a-z][a-z0-9-]{1,30}[a-z0-9]$/).filter((prefix) => !prefixProblem(prefix));

describe('hospitalNames', () => {
  it('derives every name from the prefix', () => {
    expect(hospitalNames('st-mary')).toEqual({
      prefix: 'st-mary',
      realm: 'st-mary',
      schema: 'h_st_mary',
      role: 'h_st_mary',
      folder: 'st-mary/',
      consumer: 'st-mary',
      group: 'st-mary',
      tag: 'hms-tenant-st-mary',
    });
  });

  it('gives two hospitals no common name, and PostgreSQL no name that it would truncate', () => {
    fc.assert(
      fc.property(prefixes, prefixes, (a, b) => {
        fc.pre(a !== b);
        const ours = new Set(Object.values(hospitalNames(a)));
        expect(Object.values(hospitalNames(b)).some((name) => ours.has(name))).toBe(false);
        expect(Buffer.byteLength(hospitalNames(a).schema)).toBeLessThanOrEqual(63);
      }),
    );
  });
});

describe('issuerOf', () => {
  it('is the issuer in Keycloak’s tokens', () => {
    expect(issuerOf('https://hms.example', 'st-mary')).toBe('https://hms.example/auth/realms/st-mary');
  });
});

describe('gatewayId', () => {
  it('is stable, and differs by kind and name', () => {
    expect(gatewayId('route', 'hms')).toBe(gatewayId('route', 'hms'));
    expect(gatewayId('route', 'hms')).not.toBe(gatewayId('service', 'hms'));
    expect(gatewayId('route', 'hms')).not.toBe(gatewayId('route', 'crm'));
  });
});
