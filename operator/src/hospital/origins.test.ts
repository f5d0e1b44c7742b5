import { describe, expect, it } from '@jest/globals';
import { fileOrigins } from './origins.ts';
import { hospitalObject } from './testing.ts';

const SETTINGS = { baseUrl: 'https://hms.example:8443', domain: 'hms.example' };
const PORTAL = 'https://portal.example/';

describe('fileOrigins', () => {
  it('covers the hosts below the domain of the platform with one wildcard', () => {
    const hospitals = [hospitalObject({ name: 'st-mary' }), hospitalObject({ name: 'st-john' })];
    expect(fileOrigins(hospitals, SETTINGS, PORTAL)).toEqual(['https://*.hms.example:8443', 'https://portal.example']);
  });

  it("names each hospital's other origins once, in an order of its own", () => {
    const of = (name: string, origins: readonly string[]) => {
      const hospital = hospitalObject({ name });
      return { ...hospital, spec: { ...hospital.spec, gateway: { ...hospital.spec.gateway, origins } } };
    };
    const mary = of('st-mary', ['https://st-mary.example:443', 'https://portal.st-mary.hms.example:8443']);
    const john = of('st-john', ['http://localhost:5173', 'https://st-mary.example']);
    const all = [
      'http://localhost:5173',
      'https://*.hms.example:8443',
      'https://portal.example',
      'https://st-mary.example',
    ];
    expect(fileOrigins([mary, john], SETTINGS, PORTAL)).toEqual(all);
    expect(fileOrigins([john, mary], SETTINGS, PORTAL)).toEqual(all);
  });
});
