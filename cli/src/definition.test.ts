import { describe, expect, it } from '@jest/globals';
import { unknownFields } from './definition.ts';

describe('a field that the API server does not know', () => {
  it('is of another version if this hmsctl knows it', () => {
    const message = 'failed to create typed patch object: .spec.settings.country: field not declared in schema';
    expect(unknownFields(message)).toMatch(
      /^this platform is of another version: it does not know spec\.settings\.country/,
    );
  });

  it('is misspelt otherwise', () => {
    expect(unknownFields('strict decoding error: unknown field "spec.timezon"')).toBe(
      'spec.timezon is not a field of a hospital: did you mean spec.timezone?',
    );
    expect(unknownFields('.spec.shoes: field not declared in schema')).toBe(
      'spec.shoes is not a field of a hospital: remove it.',
    );
  });

  it('is not what another refusal is about', () => {
    expect(unknownFields('no rights')).toBeUndefined();
  });
});
