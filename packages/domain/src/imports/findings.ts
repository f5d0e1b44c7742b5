/** What an import finds in the rows of a file, and says about them. */
import { z } from 'zod';

/** `wrong`: the row is left out. `known`: the person is registered. `repaired`: it is imported as `details.readAs` says. */
export const FINDING_KINDS = ['wrong', 'known', 'repaired'] as const;

/** Each with its sentence, which continues the name of the column. */
const SENTENCES = {
  invalid: ({ reason = '' }) => reason,
  missing: () => 'is required',
  cells: ({ cells = '', columns = '' }) =>
    `the row has ${cells} cells, but the names of columns are ${columns}: quote cells that contain separators`,
  sameAsLine: ({ line = '' }) => `is the same person as row ${line}`,
  errorValue: () => 'is the error of a formula: write its value in the spreadsheet',
  tooNarrow: () => 'is what a spreadsheet shows in a narrow column: make the column wider, and save the file again',
  numberAsName: () => 'is a number, not a name',
  truthValue: () => 'is what a spreadsheet makes of a word: write the name with small letters, like True',
  lostCharacter: () => 'has a character that was lost: save the file again as "CSV UTF-8"',
  html: () => 'has signs of a web page, like &amp;: write the character itself',
  wrongCharacters: () => 'has characters of a wrong encoding: write them as they should be',
  filler: () => 'is what another system writes in an empty cell: write the name',
  notAName: () => 'is no name: it has no letters, or signs that no name has',
  twoNumbers: ({ national = '', international = '' }) =>
    `may be ${national} or ${international}: write the number with a plus sign`,
  unclearGender: () => 'can mean a woman or a man in this column: write male or female',
  timeZone: () => 'has a time of another time zone, where the day may be another: write the day alone',
  exponent: () => 'has lost digits: format the column as text in the spreadsheet, and enter the number again',
  serialDate: ({ suggestion = '' }) =>
    `is a date as the number of a spreadsheet, probably ${suggestion}: format the column as a date, and save the file again`,
  twoDigitYear: () => 'needs a year with four digits',
  otherCalendar: () => 'is not in the Gregorian calendar: write the date like 1980-02-28',
  dateOrder: ({ order = '' }) => `is no date in the order of this file, which is ${order}`,
  notADate: () => 'must be a date, like 1980-02-28',
  registered: ({ patientCode = '' }) => `is registered already as ${patientCode}`,
  decimal: ({ readAs = '' }) => `had the decimals of a spreadsheet: read as ${readAs}`,
  plus: ({ readAs = '' }) => `lacked the plus sign: read as ${readAs}`,
  country: ({ readAs = '' }) => `lacked the code of the country: read as ${readAs}`,
  zero: ({ readAs = '' }) => `lacked a zero at the start: read as ${readAs}`,
  buddhistYear: ({ readAs = '' }) => `has a Buddhist year: read as ${readAs}`,
  wrongEncoding: ({ readAs = '' }) => `was saved in a wrong encoding: read as ${readAs}`,
  textMark: ({ readAs = '' }) => `had the mark of a text: read as ${readAs}`,
  genderLetter: ({ readAs = '' }) => `is read as ${readAs}, as the other values of the column say`,
  zeroForO: ({ readAs = '' }) => `has a zero for the letter O: read as ${readAs}`,
} satisfies Readonly<Record<string, (details: Readonly<Record<string, string>>) => string>>;
export type FindingCode = keyof typeof SENTENCES;
const CODES = Object.keys(SENTENCES) as [FindingCode, ...FindingCode[]];

/** About a cell, or about a whole row if it names no column. */
export interface Finding {
  readonly kind: (typeof FINDING_KINDS)[number];
  readonly code: FindingCode;
  /** The field that the cell would fill. */
  readonly column?: string;
  /** The begin of the cell. */
  readonly value?: string;
  readonly details?: Readonly<Record<string, string>>;
}

export const importFinding = z
  .object({
    line: z.int().describe('As a spreadsheet shows it. The row with the names of columns is usually 1'),
    kind: z.enum(FINDING_KINDS),
    code: z.enum(CODES),
    column: z.string().nullable().describe('The field of a patient. Null for the row as a whole'),
    value: z.string().nullable().describe('What the file has there'),
    details: z
      .record(z.string(), z.string())
      .describe('What the sentence names, such as `readAs`, `suggestion`, `line` or `patientCode`'),
    message: z.string(),
  })
  .meta({ id: 'PatientImportFinding' });
export type ImportFinding = z.output<typeof importFinding>;

/** As the API shows it. */
export function shownFinding(line: number, { kind, code, column, value, details = {} }: Finding): ImportFinding {
  const message = SENTENCES[code](details);
  return { line, kind, code, column: column ?? null, value: value ?? null, details: { ...details }, message };
}
