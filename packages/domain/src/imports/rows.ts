/** Reads the rows of a file as patients. Pure. */
import { checkBody } from '@hms/service';
import { knownPatient } from '../patients/record.ts';
import { COLUMN_FIELDS, type ColumnField, REQUIRED_COLUMNS } from './columns.ts';
import { excerpt } from './csv.ts';
import { isFiller, mend, nameProblem, type Repair, withoutDecimals, withZeros } from './damage.ts';
import { type DateOrder, readDay } from './dates.ts';
import type { Finding, FindingCode } from './findings.ts';
import { type GenderLetters, genderOf } from './genders.ts';
import { type PhoneForm, readPhone } from './phones.ts';

export type Cells = Readonly<Partial<Record<ColumnField, string>>>;
export type NewRow = ReturnType<(typeof knownPatient)['parse']>;

/** What a file does not say about its cells. */
export interface Reading {
  /** Of dates with the year last. */
  readonly dateOrder?: DateOrder | undefined;
  /** ISO 3166 code, of phone numbers without the code of a country. */
  readonly country?: string | undefined;
  /** Of phone numbers without a plus sign that can be read in two ways. */
  readonly phoneForm?: PhoneForm | undefined;
  readonly genderLetters?: GenderLetters;
}

export interface ReadRow {
  /** None if a finding is `wrong`. */
  readonly patient?: NewRow;
  readonly findings: readonly Finding[];
  /** The cells as they are read, without empty ones. */
  readonly read: Cells;
}

/** Reads the cells of a row, and validates them as the API validates a new patient. */
export function readRow(cells: Cells, reading: Reading): ReadRow {
  const row = new Row(cells);
  row.mendAll();
  row.readNames();
  row.readPhone(reading);
  row.readGender(reading);
  row.readDay(reading);
  row.readAddress(reading);
  row.readBloodGroup();
  return row.checked();
}

/** A row that is being read. */
class Row {
  readonly #cells: Cells;
  /** As they are read so far. Empty cells are missing. */
  readonly #read: Partial<Record<ColumnField, string>> = {};
  readonly #findings: Finding[] = [];

  constructor(cells: Cells) {
    this.#cells = cells;
  }

  mendAll(): void {
    for (const column of COLUMN_FIELDS) {
      const mended = mend(this.#cells[column] ?? '');
      if ('refused' in mended) this.#refuse(column, mended.refused);
      else if (mended.repair) this.#repair(column, mended.repair);
      else if (mended.text !== '' && !(isOptional(column) && isFiller(mended.text))) this.#read[column] = mended.text;
    }
    for (const column of ['phone', 'postalCode'] as const) {
      const readAs = withoutDecimals(this.#read[column] ?? '');
      if (readAs !== undefined) this.#repair(column, { code: 'decimal', readAs });
    }
  }

  readNames(): void {
    for (const column of ['firstName', 'lastName'] as const) {
      const problem = nameProblem(this.#read[column] ?? '');
      if (problem) this.#refuse(column, problem);
    }
  }

  readPhone({ country, phoneForm }: Reading): void {
    const { phone } = this.#read;
    const read = phone === undefined ? undefined : readPhone(phone, country, phoneForm);
    if (!read || 'written' in read) return;
    if ('problem' in read) this.#refuse('phone', read.problem);
    else if ('national' in read) this.#refuse('phone', 'twoNumbers', read);
    else this.#repair('phone', { code: read.lacked, readAs: read.number });
  }

  readGender({ genderLetters }: Reading): void {
    const readAs = genderLetters?.get(this.#read.gender?.toLowerCase() ?? '');
    if (readAs === null) this.#refuse('gender', 'unclearGender');
    else if (readAs !== undefined) this.#repair('gender', { code: 'genderLetter', readAs });
  }

  readDay({ dateOrder }: Reading): void {
    const { dateOfBirth } = this.#read;
    if (dateOfBirth === undefined) return;
    const read = readDay(dateOfBirth, dateOrder);
    if ('day' in read) {
      this.#read.dateOfBirth = read.day;
      if (read.isBuddhist) this.#repair('dateOfBirth', { code: 'buddhistYear', readAs: read.day });
      return;
    }
    const { problem, suggestion } = read;
    const details: Record<string, string> = suggestion === undefined ? {} : { suggestion };
    if (problem === 'dateOrder') details.order = dateOrder === 'mdy' ? 'month/day/year' : 'day/month/year';
    this.#refuse('dateOfBirth', problem, details);
  }

  readAddress({ country }: Reading): void {
    if (this.#read.country !== undefined) this.#read.country = countryCode(this.#read.country);
    const { postalCode } = this.#read;
    const readAs = postalCode === undefined ? undefined : withZeros(postalCode, this.#read.country ?? country);
    if (readAs !== undefined) this.#repair('postalCode', { code: 'zero', readAs });
  }

  readBloodGroup(): void {
    const bloodGroup = this.#read.bloodGroup?.replaceAll(' ', '').replace('−', '-').toUpperCase();
    if (bloodGroup === undefined) return;
    this.#read.bloodGroup = bloodGroup;
    if (/^0[+-]$/.test(bloodGroup))
      this.#repair('bloodGroup', { code: 'zeroForO', readAs: `O${bloodGroup.charAt(1)}` });
  }

  checked(): ReadRow {
    const refused = new Set(this.#findings.filter(({ kind }) => kind === 'wrong').map(({ column }) => column));
    const result = checkBody(knownPatient, bodyOf(this.#read));
    if ('value' in result) {
      const patient = refused.size > 0 ? {} : { patient: result.value };
      return { ...patient, findings: this.#findings, read: this.#read };
    }
    for (const { field, message } of result.problems) {
      const column = COLUMN_FIELDS.find((one) =>
        [one, `address.${one}`].some((path) => path === field || field.startsWith(`${path}.`)),
      );
      // A refused cell has its reason already.
      if (column === undefined || refused.has(column)) continue;
      refused.add(column);
      if (this.#read[column] === undefined) this.#refuse(column, 'missing');
      else this.#refuse(column, 'invalid', { reason: message });
    }
    return { findings: this.#findings, read: this.#read };
  }

  #refuse(column: ColumnField, code: FindingCode, details: Readonly<Record<string, string>> = {}): void {
    this.#findings.push({ kind: 'wrong', code, ...this.#about(column), details });
  }

  #repair(column: ColumnField, { code, readAs }: Repair): void {
    this.#read[column] = readAs;
    this.#findings.push({ kind: 'repaired', code, ...this.#about(column), details: { readAs } });
  }

  #about(column: ColumnField): Pick<Finding, 'column' | 'value'> {
    const value = excerpt(this.#cells[column]);
    return value ? { column, value } : { column };
  }
}

function isOptional(column: ColumnField): boolean {
  return !REQUIRED_COLUMNS.some((required) => required === column);
}

const ADDRESS = ['street', 'city', 'region', 'postalCode', 'country'] as const;
const TEXTS = ['firstName', 'lastName', 'phone', 'dateOfBirth', 'email', 'bloodGroup'] as const;

/** The body of a request that would register the patient. */
function bodyOf(read: Cells): Record<string, unknown> {
  const { gender, allergies, alerts } = read;
  const only = (fields: readonly ColumnField[]) =>
    Object.fromEntries(fields.flatMap((field) => (read[field] === undefined ? [] : [[field, read[field]]])));
  const address = only(ADDRESS);
  return {
    ...only(TEXTS),
    ...(gender === undefined ? {} : { gender: genderOf(gender) }),
    ...(Object.keys(address).length === 0 ? {} : { address }),
    ...(allergies === undefined ? {} : { allergies: listOf(allergies).map(allergy) }),
    ...(alerts === undefined ? {} : { alerts: listOf(alerts) }),
  };
}

/** The code of a country that is written by its English name, or as UK, or what is written. */
function countryCode(written: string): string {
  return COUNTRIES.get(written.toLowerCase()) ?? written.toUpperCase();
}

const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const COUNTRIES: ReadonlyMap<string, string> = new Map(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    const name = COUNTRY_NAMES.of(code);
    if (code === 'UK') return [['uk', 'GB'] as const];
    return name === undefined ? [] : [[name.toLowerCase(), code] as const];
  }),
);

/** `a; b` */
function listOf(value: string): string[] {
  return value
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** `Penicillin: severe` */
function allergy(written: string): object {
  const [substance = '', severity = ''] = written.split(':').map((part) => part.trim());
  return { substance, severity: severity.toLowerCase() };
}
