import { describe, expect, it } from '@jest/globals';
import { hostConflict, platformHosts } from './hosts.ts';
import { hospitalObject } from './testing.ts';

const SETTINGS = {
  baseUrl: 'https://hms.example',
  domain: 'localhost',
  platformHosts: platformHosts('localhost', ['https://hms.example', 'https://portal.example:8443']),
};
const gateway = (hosts: string[]) => ({ hosts, origins: [], rateLimits: {} });
const first = hospitalObject({
  name: 'first',
  created: '2026-01-01T00:00:00Z',
  spec: { gateway: gateway(['a.example']) },
});
const second = hospitalObject({
  name: 'second',
  created: '2026-01-02T00:00:00Z',
  spec: { gateway: gateway(['b.example', 'a.example']) },
});

describe('hostConflict', () => {
  it('refuses the later of two hospitals and names the earlier one', () => {
    expect(hostConflict(second, [first, second], SETTINGS)).toMatch(/a\.example is hospital first's/);
    expect(hostConflict(first, [first, second], SETTINGS)).toBeUndefined();
  });

  it('counts the host that a hospital has by its name', () => {
    const thief = hospitalObject({
      name: 'thief',
      created: '2026-02-01T00:00:00Z',
      spec: { gateway: gateway(['st-mary.localhost']) },
    });
    expect(hostConflict(thief, [hospitalObject(), thief], SETTINGS)).toMatch(/st-mary/);
  });

  it.each(['hms.example', 'portal.example', 'console.localhost', 'localhost'])(
    'gives no hospital the host %s of the platform',
    (host) => {
      const thief = hospitalObject({ spec: { gateway: gateway(['own.example', host]) } });
      expect(hostConflict(thief, [thief], SETTINGS)).toBe(
        `host ${host} is the platform's own: take it out of spec.gateway.hosts`,
      );
    },
  );

  it('leaves a host to the hospital that has it in the gateway, whoever is older', () => {
    const served = { ...second, status: { hosts: ['b.example', 'a.example'] } };
    expect(hostConflict(served, [first, served], SETTINGS)).toBeUndefined();
    expect(hostConflict(first, [first, served], SETTINGS)).toMatch(/a\.example is hospital second's/);
    const also = { ...served, spec: { ...second.spec, gateway: gateway(['a.example', 'c.example']) } };
    const wanting = { ...first, spec: { ...first.spec, gateway: gateway(['c.example']) } };
    expect(hostConflict(also, [wanting, also], SETTINGS)).toMatch(/c\.example is hospital first's/);
    const leaving = { ...served, spec: { ...second.spec, gateway: gateway(['b.example']) } };
    expect(hostConflict(first, [first, leaving], SETTINGS)).toMatch(/a\.example is hospital second's/);
  });

  it('decides by name between hospitals of the same second', () => {
    const a = hospitalObject({ name: 'aaa', spec: { gateway: gateway(['x.example']) } });
    const b = hospitalObject({ name: 'bbb', spec: { gateway: gateway(['x.example']) } });
    expect(hostConflict(b, [a, b], SETTINGS)).toBeDefined();
    expect(hostConflict(a, [a, b], SETTINGS)).toBeUndefined();
  });
});
