import { describe, expect, it } from '@jest/globals';
import { existingHospital, newBody, newHospital, prefixFor } from './fields.ts';

describe('the prefix for a name', () => {
  it.each([
    ["St. Mary's Hospital", 'st-marys-hospital'],
    ['Hôpital de l’Étoile', 'hopital-de-letoile'],
    ['4th Street Clinic', 'th-street-clinic'],
    ['A very long name of a hospital in a city', 'a-very-long-name-of-a-hospital-i'],
    ['مستشفى', ''],
  ])('of %s is %s', (name, prefix) => {
    expect(prefixFor(name)).toBe(prefix);
  });
});

const EMPTY = {
  ...{ prefix: 'st-mary', name: "St. Mary's", timezone: '', currency: '', primaryColor: '', secondFactor: '' },
  ...{ language: '', country: '', deletionPolicy: '', email: '', firstName: '', lastName: '' },
} as const;

describe('the fields of a new hospital', () => {
  it('may leave the owner out, but not a part of one', () => {
    expect(newHospital.safeParse(EMPTY).success).toBe(true);
    const whole = { ...EMPTY, email: 'ann@st-mary.example', firstName: 'Ann', lastName: 'Byrne' };
    expect(newHospital.safeParse(whole).success).toBe(true);
    expect(newHospital.safeParse({ ...whole, lastName: '' }).error?.issues[0]).toMatchObject({ path: ['email'] });
    expect(newBody(whole).owner).toEqual({ email: 'ann@st-mary.example', firstName: 'Ann', lastName: 'Byrne' });
  });

  it.each(['St-Mary', '-mary', 'mary-', 'st--mary', '1st'])('refuse the prefix %s', (prefix) => {
    expect(newHospital.safeParse({ ...EMPTY, prefix }).success).toBe(false);
  });

  it('know an own host for each line', () => {
    expect(existingHospital.shape.hosts.parse(' a.example\nb.example ')).toBe('a.example\nb.example');
  });
});
