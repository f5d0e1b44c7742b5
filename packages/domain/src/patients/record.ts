/** The declaration of patients, and how they are found. */
import { build } from '@hms/database';
import { type ErrorKind, fields, matchTerms, type Precision, queryBoolean, record } from '@hms/service';
import { MAIL_LANGUAGES } from '@hms/tenancy';
import type { Knex } from 'knex';
import { z } from 'zod';
import { startTime } from '../schedules/clock.ts';
import { address, alerts, allergies, bloodGroup, gender } from './clinical.ts';
import { shownUnknown, type Unknowable } from './unknown.ts';

const DAY_OF_BIRTH = 'Day of birth: a date, or a date and time whose day counts as written';

/** What a person is recognised by. A patient has each of these, or says in `unknown` that nobody can tell it yet. */
const identity = {
  firstName: fields.line(100),
  lastName: fields.line(100),
  phone: fields.phone,
  dateOfBirth: fields.day.describe(DAY_OF_BIRTH),
} satisfies Readonly<Record<Unknowable, z.ZodType>>;

export const patients = record('patients', {
  name: 'patient',
  code: { field: 'patientCode', series: 'patient', letters: ({ settings }) => settings.patientCodeLetters },
  fields: {
    firstName: identity.firstName.nullish(),
    lastName: identity.lastName.nullish(),
    phone: identity.phone.nullish(),
    email: fields.email.nullish(),
    language: z.enum(MAIL_LANGUAGES).nullish().describe('Of mails to the patient. Default: that of the hospital'),
    dateOfBirth: identity.dateOfBirth.nullish().describe(DAY_OF_BIRTH),
    timeOfBirth: startTime
      .nullish()
      .describe('By the clock of the hospital. Only with `dateOfBirth`. Reference ranges in hours need it'),
    gender: gender.nullish(),
    bloodGroup: bloodGroup.nullish(),
    address: address.nullish(),
    allergies: allergies.nullish(),
    alerts: alerts.default([]),
  },
  set: {
    unknown: shownUnknown,
    familyId: fields.id.nullable().describe('Null for a patient who left a family'),
    photoId: fields.id.nullable().describe('The document with the photo'),
    mergedIntoId: fields.id.nullable().describe('The patient into whom this one was merged'),
    survivorId: fields.id
      .nullable()
      .describe('The active patient whose record this is: another one only if `mergedIntoId` was merged later'),
    hasMerged: z.boolean().describe('Whether others were merged into this one'),
  },
  states: { active: ['merged'], merged: ['active'] },
  sort: ['lastName', 'firstName', 'patientCode', 'dateOfBirth'],
  filters: [
    'firstName',
    'lastName',
    'phone',
    'email',
    'patientCode',
    'dateOfBirth',
    'familyId',
    'status',
    'survivorId',
  ],
  moreFilters: {
    incomplete: {
      schema: queryBoolean().describe('Only patients of whom something is unknown, or only the others'),
      where: (rows, isIncomplete) => void rows.where('unknown', isIncomplete ? '<>' : '=', '{}'),
    },
  },
  search: { day: 'dateOfBirth', also: survivorsMatching },
  auditReads: true,
  patient: 'id',
  live: true,
});
export type Patient = z.output<typeof patients.item>;
export type NewPatient = z.output<typeof patients.create>;
/** A patient of whom everything is known. */
export const knownPatient = patients.create.extend(identity);

export const PATIENT_NOT_FOUND: ErrorKind = patients.notFound;

const SEARCHED = { text: 'patients.search', day: 'patients.date_of_birth' };

/** Ids of the patients that a search finds, merged ones included. */
export function patientsMatching(text: string, precision: Precision): Knex.QueryBuilder {
  const found: Knex.QueryBuilder = build.from('patients').select('id');
  matchTerms(found, SEARCHED, text, precision);
  return found;
}

/** The same, with those who are one person with them: survivors, and patients who were merged into them. */
export function peopleMatching(text: string, precision: Precision): Knex.QueryBuilder {
  const merged: Knex.QueryBuilder = build
    .from('patients')
    .select('id')
    .whereIn('survivor_id', patientsMatching(text, precision));
  // Each part uses its own index.
  return patientsMatching(text, precision).union([survivorsMatching(text, precision), merged]);
}

/** Ids of those who are one person with a patient, for a filter: the survivor, and everybody who was merged into it. */
export function samePersonIds(id: string): Knex.QueryBuilder {
  return samePeopleIds((rows) => void rows.where({ id }));
}

/** The family in which a patient, or the one into whom they were merged, is now, for a filter. */
export function familyIdsOf(id: string): Knex.QueryBuilder {
  const root: Knex.QueryBuilder = build.from('patients').select(build.raw('coalesce(survivor_id, id)')).where({ id });
  return build.from('patients').select('family_id').whereNotNull('family_id').whereIn('id', root);
}

/** As `samePersonIds`, of several patients. */
export function samePeopleIds(choose: (rows: Knex.QueryBuilder) => void): Knex.QueryBuilder {
  const roots: Knex.QueryBuilder = build.from('patients').select(build.raw('coalesce(survivor_id, id)'));
  choose(roots);
  return build
    .from('patients')
    .select('id')
    .where((either) => void either.whereIn('id', roots.clone()).orWhereIn('survivor_id', roots.clone()));
}

/** Whoever searches for a merged patient, for example by the code on an old wristband, finds the survivor. */
function survivorsMatching(text: string, precision: Precision): Knex.QueryBuilder {
  const found: Knex.QueryBuilder = build.from('patients').select('survivor_id').whereNotNull('survivor_id');
  matchTerms(found, SEARCHED, text, precision);
  return found;
}
