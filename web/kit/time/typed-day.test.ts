import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { orderOf, patternOf, readDay, writeDay } from './typed-day.ts';

const TODAY = '2026-11-26';
const LOCALES = ['en-GB', 'en-IE', 'en-US', 'en-KE', 'de-DE', 'sv-SE', 'zh-CN', 'ar-EG-u-nu-latn', 'ar-SA-u-nu-latn'];

describe('a typed day', () => {
  it.each([
    ['17/05/1990', 'en-GB', '1990-05-17'],
    ['17.5.1990', 'en-GB', '1990-05-17'],
    ['17 5 90', 'en-GB', '1990-05-17'],
    ['17-05-26', 'en-GB', '2026-05-17'],
    ['17-05-27', 'en-GB', '1927-05-17'],
    ['17051990', 'en-GB', '1990-05-17'],
    ['170590', 'en-GB', '1990-05-17'],
    ['05/17/1990', 'en-US', '1990-05-17'],
    ['05171990', 'en-US', '1990-05-17'],
    ['1990-05-17', 'en-US', '1990-05-17'],
    ['1990-05-17', 'en-GB', '1990-05-17'],
    ['1990-05-17T00:00:00.000Z', 'en-GB', '1990-05-17'],
    ['1990/5/17', 'en-GB', '1990-05-17'],
    ['1990年5月17日', 'zh-CN', '1990-05-17'],
    ['19900517', 'sv-SE', '1990-05-17'],
    ['١٧/٠٥/١٩٩٠', 'ar-EG-u-nu-latn', '1990-05-17'],
    ['۱۷/۰۵/۱۹۹۰', 'en-GB', '1990-05-17'],
    [' 29/02/2024 ', 'en-GB', '2024-02-29'],
    ['5 Aug 2019', 'en-IE', '2019-08-05'],
    ['5 august 19', 'en-IE', '2019-08-05'],
    ['Sept 5, 2019', 'en-US', '2019-09-05'],
    ['5. Mai 2019', 'de-DE', '2019-05-05'],
    ['5 Aug 2019', 'ar-EG-u-nu-latn', '2019-08-05'],
    ['5 أغسطس 2019', 'ar-EG-u-nu-latn', '2019-08-05'],
  ])('%s in %s is %s', (text, locale, iso) => {
    expect(readDay(text, locale, TODAY)).toBe(iso);
  });

  it.each([
    '',
    '17',
    '17/05',
    '29/02/2023',
    '32/01/2020',
    '17/13/1990',
    '17 Mai 1990',
    '31 Feb 1990',
    '5 Ma 1990',
    '1/2/3/4',
    '17/05/199',
    'x',
  ])('%j is none', (text) => {
    expect(readDay(text, 'en-GB', TODAY)).toBeUndefined();
  });

  it.each(LOCALES)('is read as it is written in %s', (locale) => {
    const shown = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC', calendar: 'gregory' });
    const days = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(days, (date) => {
        const iso = date.toISOString().slice(0, 10);
        expect(readDay(writeDay(iso, locale), locale, TODAY)).toBe(iso);
        expect(readDay(iso, locale, TODAY)).toBe(iso);
        expect(readDay(shown.format(date), locale, TODAY)).toBe(iso);
      }),
      { numRuns: 50 },
    );
  });
});

it('has the order of the hospital', () => {
  expect(orderOf('en-GB')).toEqual(['day', 'month', 'year']);
  expect(orderOf('en-US')).toEqual(['month', 'day', 'year']);
  expect(orderOf('sv-SE')).toEqual(['year', 'month', 'day']);
  expect(writeDay('1990-05-17', 'en-US')).toBe('05/17/1990');
  expect(patternOf('en-GB', { day: 'dd', month: 'mm', year: 'yyyy' }).replaceAll('\u200E', '')).toBe('dd/mm/yyyy');
  expect(writeDay('tomorrow', 'en-GB')).toBe('tomorrow');
});
