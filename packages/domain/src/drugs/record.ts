/** The declarations of drugs and of their interactions. */
import { type ErrorKind, fields, record, withTraits } from '@hms/service';
import { z } from 'zod';

/** From the least to the most dangerous. */
export const INTERACTION_SEVERITIES = ['minor', 'moderate', 'severe'] as const;

/** The largest amount of money: 15 digits are exact in JSON. */
const MOST_MONEY = 999_999_999_999;
const MOST_INGREDIENTS = 20;

/** Units or milligrams of a drug, with at most three decimals: half a tablet is 0.5. */
export function amount(most: number) {
  return decimal(z.number().gt(0).max(most), 3);
}

/** A number that PostgreSQL keeps exactly. @param decimals at most. */
export function decimal(number: z.ZodNumber, decimals: number) {
  return withTraits(
    number.refine((value) => Number(value.toFixed(decimals)) === value, `must have at most ${decimals} decimals`),
    { shown: z.number(), show: Number },
  );
}

function substances(what: string) {
  return z
    .array(fields.line(100))
    .max(MOST_INGREDIENTS)
    .refine(
      (given) => new Set(given.map((one) => one.toLowerCase())).size === given.length,
      `must not have ${what} twice`,
    );
}

const DRUG_CODE_TAKEN: ErrorKind = {
  status: 409,
  code: 'DRUG_CODE_TAKEN',
  message: 'Another drug has this code: choose another one',
  field: 'code',
};

export const drugs = record('drugs', {
  name: 'drug',
  fields: {
    code: fields.line(40).describe('Short and unique, such as the number on the package'),
    name: fields.line(100),
    ingredients: substances('an ingredient')
      .min(1, 'must have at least one ingredient')
      .describe('Active substances. Allergies, interactions and duplicates are found by them'),
    allergyGroups: substances('a group')
      .default([])
      .describe('Groups of substances to which somebody may be allergic, such as `Penicillin`'),
    form: fields.line(40).describe('Such as `Tablet`'),
    strength: fields.line(40).nullish().describe('Such as `500 mg`'),
    unit: fields.line(20).describe('The smallest unit that is dispensed, such as `tablet`. Quantities are of it'),
    isControlled: z.boolean().default(false).describe('Whether the law demands special records'),
    maxDailyDose: amount(100_000).nullish().describe('In units. A prescription of more needs a reason'),
    mgPerUnit: amount(100_000)
      .nullish()
      .describe(
        'Milligrams of the active substance in a unit: 50 if it is 1 mL of a syrup of 250 mg/5 mL. Only together with maxDailyMgPerKg',
      ),
    maxDailyMgPerKg: amount(100_000)
      .nullish()
      .describe(
        'Most milligrams a day for each kilogram of the patient. A prescription of more, or without the weight, needs a reason',
      ),
    reorderLevel: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .default(0)
      .describe('In units. With less in stock, the drug has to be ordered'),
    price: z
      .int()
      .min(0)
      .max(MOST_MONEY)
      .nullish()
      .describe('Of a unit, in minor units of the currency of the hospital'),
    taxBps: z.int().min(0).max(10_000).default(0).describe('Rate of the tax in basis points: 1900 is 19 %'),
  },
  states: { active: ['inactive'], inactive: ['active'] },
  sort: ['name'],
  defaultSort: 'name',
  filters: ['code', 'status', 'isControlled'],
  search: {},
  constraints: { drugs_code: DRUG_CODE_TAKEN },
  live: true,
});
export type Drug = z.output<typeof drugs.item>;

const INTERACTION_EXISTS: ErrorKind = {
  status: 409,
  code: 'INTERACTION_EXISTS',
  message: 'There is an interaction of these two substances already: change that one',
};
const SUBSTANCES_ARE_SAME: ErrorKind = {
  status: 422,
  code: 'SUBSTANCES_ARE_SAME',
  message: 'An interaction is of two different substances: change substanceA or substanceB',
};

export const interactions = record('drug_interactions', {
  name: 'drug interaction',
  fields: {
    substanceA: fields.line(100).describe('An ingredient of drugs'),
    substanceB: fields.line(100),
    severity: z.enum(INTERACTION_SEVERITIES).describe('A moderate or severe one needs a reason when it is prescribed'),
    effect: fields.line(500).describe('What may happen, and what to do'),
  },
  filters: ['severity'],
  search: {},
  constraints: {
    drug_interactions_pair: INTERACTION_EXISTS,
    drug_interactions_of_two: SUBSTANCES_ARE_SAME,
  },
  live: true,
});

export const DRUG_NOT_FOUND: ErrorKind = drugs.notFound;
export const DRUG_INACTIVE: ErrorKind = {
  status: 409,
  code: 'DRUG_INACTIVE',
  message: 'Only active drugs can be prescribed and received: activate those in details.drugs, or leave them out',
};
export const DRUG_IN_USE: ErrorKind = {
  status: 409,
  code: 'DRUG_IN_USE',
  message: 'The drug has stock or prescriptions: make it inactive instead',
};
