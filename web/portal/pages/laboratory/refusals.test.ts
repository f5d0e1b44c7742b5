import { beforeAll, describe, expect, it } from '@jest/globals';
import i18next from 'i18next';
import { readValue } from '../../../../packages/domain/src/lab-tests/values.ts';
import { refusalOf, refusalText } from './refusals.ts';
import ar from './words/ar.ts';

beforeAll(async () => {
  i18next.addResourceBundle('ar', 'translation', ar);
  await i18next.changeLanguage('ar');
});

const NUMERIC = { valueType: 'numeric', decimals: 1, options: null } as const;
const CODED = {
  ...NUMERIC,
  valueType: 'coded',
  options: [{ code: 'NEG', name: 'Negative', meaning: 'normal' }],
} as const;

describe('why something is refused', () => {
  it.each([
    [NUMERIC, 'high', 'number'],
    [NUMERIC, '1 000', 'blank'],
    [NUMERIC, '.5', 'point'],
    [NUMERIC, '5.10', 'decimals'],
    [CODED, 'maybe', 'option'],
  ] as const)('is said in the words of the page, of a value: %j %s', (kind, value, word) => {
    const read = readValue(kind, value);
    const [start = ''] = ar.laboratory.refusals[word].split('{{');
    expect(refusalOf('problem' in read ? read.problem : '')).toContain(start);
  });

  it('repeats the parts of the row', () => {
    const unit = refusalOf('must be mmol/L: values are not converted');
    expect(unit).toBe(ar.laboratory.refusals.unit.replace('{{unit}}', 'mmol/L'));
    expect(refusalOf('is also in line 12, with another value or time: leave one')).toContain('12');
  });

  it('is shown as the laboratory says it, if the page has no words for it', () => {
    expect(refusalOf('must be blue')).toBeUndefined();
    expect(refusalText('must be blue')).toContain('Must be blue');
  });
});
