/** Patients who may be the same person. */
import { type ErrorKind, holdNumbers, itemWith, records, type Work } from '@hms/service';
import { z } from 'zod';
import { type knownPatient, type NewPatient, type Patient, patients } from './record.ts';
import { daysLike, numbersLike, type Similarity, similarityOf } from './similarity.ts';

export const PATIENT_DUPLICATE: ErrorKind = {
  status: 409,
  code: 'PATIENT_DUPLICATE',
  message:
    'Other patients may be the same person: check details.candidates, or say in otherThan why this is another one',
};

const percentage = z.int().min(0).max(100);
const ofPart = percentage.nullable();

/** A patient, and how likely it is the person in question. */
export const candidate = itemWith(patients, {
  similarity: z
    .object({
      score: percentage.describe('Of all parts together'),
      name: ofPart,
      dateOfBirth: ofPart,
      phone: ofPart,
      gender: ofPart.describe(
        '0 if one is female and the other male. What is unknown or something else is not compared',
      ),
    })
    .describe(
      '100 is the same, also if first and last name are swapped. Names in another script are compared by their consonants. 70 is a typing error in a date or a number. Null is a part that is unknown of one of the two',
    ),
}).meta({ id: 'PatientCandidate' });
export type Candidate = Patient & { readonly similarity: Similarity };

/** What of a person is compared, as far as it is known. The day of birth may have a time, as in responses. */
export type Person = Partial<Pick<NewPatient, 'firstName' | 'lastName' | 'dateOfBirth' | 'phone' | 'gender'>> & {
  /** Of a registered patient, who is no candidate. */
  readonly id?: string;
};

/**
 * Up to ten active patients whose score reaches the hospital's `duplicateThreshold`, the most likely first. They have the
 * day of birth or the phone number, or one with a typing error: without either, no score is high enough.
 */
export async function candidatesFor(work: Work, person: Person): Promise<readonly Candidate[]> {
  const { id = null, firstName = null, lastName = null, phone = null, gender = null } = person;
  const dateOfBirth = person.dateOfBirth?.slice(0, 10) ?? null;
  const days = dateOfBirth === null ? [] : [dateOfBirth, ...daysLike(dateOfBirth)];
  const numbers = phone === null ? [] : [phone, ...numbersLike(phone)];
  const values = [id, firstName, lastName, days, numbers, MOST_COMPARED, dateOfBirth, phone];
  const rows = await work.trx.query<Row>(ALIKE, values);
  const similarities = new Map(
    rows.map((row) => {
      const own = { firstName: row.own_first, lastName: row.own_last, dateOfBirth, phone, gender };
      const other = {
        firstName: row.first,
        lastName: row.last,
        dateOfBirth: row.day,
        phone: row.phone,
        gender: row.gender,
      };
      return [row.id, similarityOf(own, other)];
    }),
  );
  const ids = [...similarities]
    .filter(([, { score }]) => score >= work.hospital.settings.duplicateThreshold)
    .sort(([, one], [, other]) => other.score - one.score)
    .slice(0, MOST_SHOWN)
    .map(([other]) => other);
  if (ids.length === 0) return [];
  work.audit({ action: 'list', record: 'patients', details: { reason: 'duplicates', ids } });
  const found = new Map((await records(work, patients).byIds(ids)).map((patient) => [patient.id, patient]));
  return ids.flatMap((other) => {
    const [patient, similarity] = [found.get(other), similarities.get(other)];
    return patient && similarity ? [{ ...patient, similarity }] : [];
  });
}

/** A person who is not registered yet. */
export const typedPerson = z
  .object({
    firstName: patients.create.shape.firstName.nullish(),
    lastName: patients.create.shape.lastName.nullish(),
    dateOfBirth: patients.create.shape.dateOfBirth.nullish(),
    phone: patients.create.shape.phone.nullish(),
    gender: patients.create.shape.gender,
  })
  .meta({ id: 'TypedPerson' });

/** As `candidatesFor`. Nobody else creates patients meanwhile. */
export async function candidatesForNew(work: Work, person: Person): Promise<readonly Candidate[]> {
  const [, found] = await Promise.all([holdNewPatients(work), candidatesFor(work, person)]);
  return found;
}

/** Until the transaction ends, nobody else creates patients, so no duplicate appears between a check and an insert. */
export async function holdNewPatients(work: Work): Promise<void> {
  await holdNumbers(work, 'patient');
}

/** The codes of those who are registered with the same name, day of birth and phone number, by line. */
export async function registeredAs(
  { trx }: Work,
  people: readonly (z.output<typeof knownPatient> & { readonly line: number })[],
): Promise<ReadonlyMap<number, string>> {
  if (people.length === 0) return new Map();
  const given = people.map(({ line, firstName, lastName, dateOfBirth, phone }) => {
    return { line, first: firstName, last: lastName, day: dateOfBirth, phone };
  });
  const rows = await trx.query<{ line: number; patient_code: string }>(REGISTERED, [JSON.stringify(given)]);
  return new Map(rows.map(({ line, patient_code }) => [line, patient_code]));
}

interface Row {
  readonly id: string;
  readonly own_first: string | null;
  readonly own_last: string | null;
  readonly first: string | null;
  readonly last: string | null;
  readonly day: string | null;
  readonly phone: string | null;
  readonly gender: string | null;
}

const MOST_SHOWN = 10;
/** Those with the same day or number, then those with the most similar names. Many people have January 1 as their day of birth. */
const MOST_COMPARED = 200;

const ALIKE = `
  WITH own AS (SELECT search_text($2::text) AS own_first, search_text($3::text) AS own_last)
  SELECT id, own_first, own_last, search_text(first_name) AS first, search_text(last_name) AS last,
    date_of_birth::text AS day, phone, gender
  FROM patients, own
  WHERE (date_of_birth = ANY($4::date[]) OR phone = ANY($5::text[]))
    AND deleted_at IS NULL AND status = 'active' AND id IS DISTINCT FROM $1::uuid
  ORDER BY coalesce(date_of_birth = $7::date, false) OR coalesce(phone = $8, false) DESC,
    extensions.similarity(search_text(concat_ws(' ', first_name, last_name)), concat_ws(' ', own_first, own_last)) DESC,
    id
  LIMIT $6`;

const REGISTERED = `
  SELECT line, patient_code
  FROM jsonb_to_recordset($1::jsonb) AS given(line integer, first text, last text, day date, phone text)
  JOIN patients ON patients.phone = given.phone AND date_of_birth = day
    AND search_text(first_name) = search_text(first) AND search_text(last_name) = search_text(last)
  WHERE deleted_at IS NULL`;
