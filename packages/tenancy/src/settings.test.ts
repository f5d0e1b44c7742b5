import { describe, expect, it } from '@jest/globals';
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
