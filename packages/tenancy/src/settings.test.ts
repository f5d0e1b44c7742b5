import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { localeOf } from './settings.ts';

describe('localeOf', () => {
  it.each([
    ['en', undefined, '17 May 1990'],
    ['en', 'IE', '17 May 1990'],
    ['en', 'US', 'May 17, 1990'],
    ['en-US', 'IE', 'May 17, 1990'],
    ['ar', 'EG', '17 مايو 1990'],
    ['ar', undefined, '17 مايو 1990'],
    ['th', undefined, '17 พฤษภาคม 2533'],
    ['en', 'TH', 'May 17, 1990'],
    ['fa', 'IE', '۲۷ اردیبهشت ۱۳۶۹'],
    ['id', 'ID', '17 Mei 1990'],
  ])('of %s in %s writes %s', (language, country, text) => {
    const locale = localeOf({ language, ...(country === undefined ? {} : { country }) });
    expect(new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.UTC(1990, 4, 17))).toBe(
      text,
    );
  });
});

const ROOT = new URL('../../../', import.meta.url).pathname;
const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');
const isTest = (file: string) => /\.test\.ts$|\/testing(?:\.ts$|\/)/.test(file);
/** What only passes settings on, or shows all of them. */
const PASSES_ON = /^packages\/(?:tenancy|hospitals|api-client|seed)\/|^services\/console\//;

const sources = globSync('{packages,services}/*/src/**/*.ts', { cwd: ROOT }).filter((file) => !PASSES_ON.test(file));
const code = sources.filter((file) => !isTest(file)).map(read);
const tests = sources.filter(isTest).map(read);
const { spec } = parse(read('crds/hospitals.hms.dev.yaml'));
const { settings } = spec.versions[0].schema.openAPIV3Schema.properties.spec.properties;

/** Settings whose names say other things too: only where they are read from the settings counts. */
const readsIt = (name: string) =>
  new RegExp(`settings\\??\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}[^;{}]*(?:settings|HospitalSettings)`, 'i');

describe('each setting of a hospital', () => {
  it.each(Object.keys(settings.properties))('%s is read by a module, and has a test', (name) => {
    expect(code.some((text) => readsIt(name).test(text))).toBe(true);
    expect(tests.some((text) => new RegExp(`\\b${name}\\b`).test(text))).toBe(true);
  });
});
