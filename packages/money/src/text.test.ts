import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { showAmount, typedAmount, writeAmount } from './text.ts';

const LOCALES = ['en-IE', 'en-US', 'de-DE', 'de-CH', 'fr-FR', 'sv-SE', 'ar-EG-u-nu-latn', 'ar-KW', 'hi-IN', 'ja-JP'];
const CURRENCIES = ['EUR', 'JPY', 'KWD', 'IDR', 'HUF'];

it.each([
  [1250, 'EUR', 'en-IE', '€12.50'],
  [-1250, 'EUR', 'en-IE', '-€12.50'],
  [1250, 'JPY', 'ja-JP', '￥1,250'],
  [1250, 'KWD', 'en-US', 'KWD 1.250'],
  // ISO 4217 has two digits, where Intl shows none.
  [125_000, 'IDR', 'en-US', 'IDR 1,250.00'],
  [5, 'EUR', 'en-IE', '€0.05'],
  [9_007_199_254_740_991, 'USD', 'en-US', '$90,071,992,547,409.91'],
])('%d %s in %s is %s', (amount, currency, locale, text) => {
  expect(showAmount(amount, currency, locale).replaceAll('\u00A0', ' ')).toBe(text);
});

describe('a typed amount', () => {
  it.each([
    ['12.50', 'EUR', 'en-IE', 1250],
    ['12.5', 'EUR', 'en-IE', 1250],
    ['12', 'EUR', 'en-IE', 1200],
    ['€12.50', 'EUR', 'en-IE', 1250],
    ['12,50 €', 'EUR', 'de-DE', 1250],
    ['1.234,50', 'EUR', 'de-DE', 123_450],
    ['1,234.50', 'EUR', 'en-IE', 123_450],
    ["1'234.50", 'CHF', 'de-CH', 123_450],
    ['1 234,50', 'EUR', 'fr-FR', 123_450],
    ['EUR 12', 'EUR', 'en-IE', 1200],
    ['-3.20', 'EUR', 'en-IE', -320],
    ['1,080', 'JPY', 'ja-JP', 1080],
    ['1.25', 'KWD', 'en-US', 1250],
    ['١٢٫٥٠', 'EUR', 'ar-EG', 1250],
    ['1.15', 'EUR', 'en-IE', 115],
    ['0', 'EUR', 'en-IE', 0],
  ])('%s as %s in %s is %d', (text, currency, locale, amount) => {
    expect(typedAmount(text, currency, locale)).toBe(amount);
  });

  it.each([
    ['', 'EUR', 'en-IE'],
    ['€', 'EUR', 'en-IE'],
    ['12.505', 'EUR', 'en-IE'],
    ['12.5', 'JPY', 'ja-JP'],
    // The dot separates groups, which have three digits.
    ['12.5', 'EUR', 'de-DE'],
    ['12,5', 'EUR', 'en-IE'],
    ['1,23,456', 'EUR', 'en-IE'],
    ['1.2.3', 'EUR', 'en-IE'],
    ['1e3', 'EUR', 'en-IE'],
    ['99999999999999999', 'EUR', 'en-IE'],
  ])('%j as %s in %s is none', (text, currency, locale) => {
    expect(typedAmount(text, currency, locale)).toBeUndefined();
  });

  it('is what was shown or written, in every locale and currency', () => {
    const amounts = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
    fc.assert(
      fc.property(amounts, fc.constantFrom(...CURRENCIES), fc.constantFrom(...LOCALES), (amount, currency, locale) => {
        expect(typedAmount(writeAmount(amount, currency, locale), currency, locale)).toBe(amount);
      }),
      { numRuns: 300 },
    );
  });
});
