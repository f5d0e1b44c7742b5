import { describe, expect, it } from '@jest/globals';
import { joinedWarnings } from './warnings.ts';

describe('the warnings of a person with several records', () => {
  const of = (...allergies: readonly (readonly [string, 'mild' | 'moderate' | 'severe'])[]) => {
    return { allergies: allergies.map(([substance, severity]) => ({ substance, severity })), alerts: [] };
  };
  const unasked = { allergies: null, alerts: [] };

  it('are those of all records, with the worst reaction to each substance', () => {
    expect(
      joinedWarnings([of(['Latex', 'mild'], ['Nuts', 'severe']), of(['latex', 'severe'], ['nuts', 'mild'])]),
    ).toEqual(of(['latex', 'severe'], ['Nuts', 'severe']));
  });

  it('are unknown only if nobody has asked for any record', () => {
    expect(joinedWarnings([unasked, unasked])).toEqual(unasked);
    expect(joinedWarnings([unasked, of()])).toEqual(of());
    expect(joinedWarnings([of(), of(['Nuts', 'mild'])])).toEqual(of(['Nuts', 'mild']));
  });

  it('have each alert once', () => {
    const [one, other] = [['Pacemaker'], ['Risk of falls', 'Pacemaker']].map((alerts) => ({ ...unasked, alerts }));
    expect(joinedWarnings([one, other].flatMap((found) => found ?? [])).alerts).toEqual(['Pacemaker', 'Risk of falls']);
  });
});
