/** How one bank writes CSV: settings of a bank account. Nothing is guessed per value. */
import { z } from 'zod';
import { ENCODINGS } from '../../../imports/text.ts';

/** A name, whose case does not matter, or a position from 1. */
const column = z.union([z.string().min(1).max(200), z.int().min(1).max(200)]);

export const csvMapping = z.strictObject({
  encoding: z.enum([...ENCODINGS, 'iso-8859-1', 'iso-8859-2', 'iso-8859-15']).default('utf-8'),
  separator: z.enum([',', ';', '\t', '|']),
  decimal: z.enum(['.', ',']),
  group: z.enum(['', '.', ',', ' ', "'"]).default(''),
  dateFormat: z
    .string()
    .regex(/^(?=.*D)(?=.*M)(?=.*YY)(?:DD?|MM?|YYYY|YY|[./ -])+$/, 'must be made of DD, MM and YYYY, like DD.MM.YYYY'),
  linesBefore: z.int().min(0).max(100).default(0).describe('Lines before the header, empty ones included'),
  hasHeader: z.boolean().default(true),
  currency: z.string().regex(/^[A-Z]{3}$/),
  date: column,
  valueDate: column.optional(),
  amount: column.optional(),
  debit: column.optional(),
  credit: column.optional(),
  sign: z
    .strictObject({ column, debit: z.string().min(1), credit: z.string().min(1).optional() })
    .optional()
    .describe('The word for money that left, and for money that came. Without the second, every other word is credit'),
  balance: column.optional(),
  texts: z.array(column).max(20).default([]),
  reference: column.optional(),
  partyName: column.optional(),
  partyAccount: column.optional(),
  account: column.optional(),
  continuesText: z.boolean().default(false).describe('A row without a date continues the text of the row before'),
  newestFirst: z.boolean().optional().describe('Default: as the dates or the balances say'),
});
export type CsvMapping = z.input<typeof csvMapping>;
export type CsvSettings = z.output<typeof csvMapping>;
export type Column = z.output<typeof column>;
