import { expect, it } from '@jest/globals';
import { entryOf, placeOf, portalOf } from './places.ts';

const settings = {
  BASE_URL: 'https://hms.example',
  PLATFORM_DOMAIN: 'hospitals.example',
  CONSOLE_ORIGIN: 'https://console.hospitals.example',
};

it.each([
  ['st-mary.hospitals.example', { entry: 'portal', realm: 'st-mary' }],
  ['ST-Mary.Hospitals.example:8443', { entry: 'portal', realm: 'st-mary' }],
  ['console.hospitals.example', { entry: 'console', realm: 'console' }],
  ['hospitals.example', { entry: 'landing' }],
  ['hms.example:443', { entry: 'landing' }],
  ['a.st-mary.hospitals.example', { entry: 'own', host: 'a.st-mary.hospitals.example' }],
  ['master.hospitals.example', { entry: 'own', host: 'master.hospitals.example' }],
  ['hospitals.example.attacker.example', { entry: 'own', host: 'hospitals.example.attacker.example' }],
  ['Other.example:8443', { entry: 'own', host: 'other.example' }],
  ['10.0.0.1', undefined],
  ['a/b.example', undefined],
  ['', undefined],
])('%s shows %j', (host, place) => {
  expect(placeOf(host, settings)).toEqual(place);
});

it('finds the portal of a hospital at the port of the platform', () => {
  expect(portalOf('st-mary', settings)).toBe('https://st-mary.hospitals.example/');
  expect(portalOf('st-mary', { ...settings, BASE_URL: 'http://localhost:8000' })).toBe(
    'http://st-mary.hospitals.example:8000/',
  );
});

it.each([
  ['portal', '/tv', 'tv'],
  ['portal', '/visit', 'visit'],
  ['portal', '/verify', 'verify'],
  ['console', '/visit', 'console'],
  ['portal', '/', 'portal'],
  ['portal', '/tv/x', 'portal'],
  ['console', '/tv', 'console'],
] as const)('at a %s, %s is a page of the entry %s', (entry, path, expected) => {
  expect(entryOf({ entry, realm: 'st-mary' }, path)).toEqual({ entry: expected, realm: 'st-mary' });
});

it('has no television at the address of the platform', () => {
  expect(entryOf({ entry: 'landing' }, '/')).toEqual({ entry: 'landing' });
  expect(entryOf({ entry: 'landing' }, '/tv')).toBeUndefined();
});
