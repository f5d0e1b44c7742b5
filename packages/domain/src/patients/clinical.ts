/** What a patient's record says about the person besides name, phone and day of birth. */
import { fields, withTraits } from '@hms/service';
import { z } from 'zod';

/** FHIR's administrative genders. */
const GENDERS = ['female', 'male', 'other', 'unknown'] as const;
const BLOOD_GROUPS = ['A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-'] as const;
/** From the least to the most dangerous. */
export const SEVERITIES = ['mild', 'moderate', 'severe'] as const;

export const gender = z.enum(GENDERS).describe('Administrative gender');
export const bloodGroup = z.enum(BLOOD_GROUPS).describe('ABO group and Rh factor');

/** One part at least, so that an address is never empty. */
export const address = withTraits(
  z
    .object({
      street: fields.line(200).optional().describe('Street and number, or what stands for them'),
      city: fields.line(100).optional(),
      region: fields.line(100).optional().describe('State, county or province'),
      postalCode: fields.line(20).optional(),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/, 'must be the two capital letters of a country, like IE')
        .optional()
        .describe('Two capital letters (ISO 3166-1), like IE'),
    })
    .refine(
      (parts) => Object.values(parts).some((part) => part !== undefined),
      'must have at least one part, or be null',
    ),
  { demands: { minProperties: 1 } },
);

const allergy = z.object({
  substance: fields.line(100).describe('A drug, a food or another substance, such as `Penicillin`'),
  severity: z.enum(SEVERITIES).describe('Of the worst reaction that is known'),
  note: fields.line(200).optional().describe('Such as the reaction and when it occurred'),
});

/** A list that was never asked for is no statement: null differs from an empty list. */
export const allergies = withTraits(
  z
    .array(allergy)
    .max(50)
    .refine(
      hasNoneTwice(({ substance }: z.output<typeof allergy>) => substance),
      'must not have a substance twice',
    )
    .describe('Null: nobody has asked. Empty: the patient has no known allergies'),
  { demands: { uniqueItems: true } },
);

export const alerts = withTraits(
  z
    .array(fields.line(200))
    .max(20)
    .refine(
      hasNoneTwice((text: string) => text),
      'must not have an alert twice',
    )
    .describe('What everybody who meets the patient must know, such as `Risk of falls`'),
  { demands: { uniqueItems: true } },
);

function hasNoneTwice<Value>(nameOf: (value: Value) => string) {
  return (values: readonly Value[]) =>
    new Set(values.map((value) => nameOf(value).toLowerCase())).size === values.length;
}
