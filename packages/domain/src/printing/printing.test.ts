import { DEFAULT_SETTINGS, type HospitalSettings } from '@hms/tenancy';
import { expect, it } from '@jest/globals';
import { printed } from './printing.ts';
import { brandingOf } from './rendering.ts';

const rendered = { pdf: new Uint8Array(1), sha256: '', logoError: undefined };

it('names the characters that a printed document shows as codes, as many as a header holds', async () => {
  const headersOf = async (missing: readonly string[]) =>
    (await printed('a.pdf', Promise.resolve({ ...rendered, missing }))).headers;
  expect(await headersOf(['😀', '\u0007'])).toMatchObject({ 'X-Missing-Characters': 'U+1F600 U+0007' });
  expect(await headersOf([])).not.toHaveProperty('X-Missing-Characters');
  const many = await headersOf(Array.from({ length: 500 }, (_, index) => String.fromCodePoint(0xe000 + index)));
  expect(many?.['X-Missing-Characters']?.split(' ')).toHaveLength(50);
});

it('says where the hospital is, how it is called and its number at the authorities, as its settings have them', async () => {
  const contact = async (settings: Partial<HospitalSettings>) => {
    const hospital = { displayName: 'St. Mary', theme: {}, settings: { ...DEFAULT_SETTINGS, ...settings } };
    const branding = await brandingOf({} as never, hospital as never);
    return branding.contact?.map((line) => line.replaceAll(/[\u2066-\u2069]/g, ''));
  };
  const settings = { address: '1 Main Street\nDublin', phone: '+35315551234', registrationNumber: 'HSE-12' };
  expect(await contact(settings)).toEqual([
    ...['1 Main Street', 'Dublin', '+35315551234', 'Registration number HSE-12'],
  ]);
  expect(await contact({ ...settings, language: 'ar' })).toContain('رقم التسجيل HSE-12');
  expect(await contact({})).toEqual([]);
});
