/** Accounts at banks, their statements, what was paid by them, and errors. */
import { type ErrorKind, fields, itemWith, record, withTraits } from '@hms/service';
import { z } from 'zod';
import { amount } from '../payments/record.ts';
import { csvMapping } from './reading/mapping.ts';

const MOST_BYTES = 5_000_000;

export const BANK_ACCOUNT_NAME_TAKEN: ErrorKind = {
  status: 409,
  code: 'BANK_ACCOUNT_NAME_TAKEN',
  message: 'Another account has this name: choose another one',
  field: 'name',
};
export const BANK_ACCOUNT_NO_TAKEN: ErrorKind = {
  status: 409,
  code: 'BANK_ACCOUNT_NO_TAKEN',
  message: 'Another account has this number and currency: import the statements into that one',
  field: 'accountNo',
};
const MAPPING_REQUIRED: ErrorKind = {
  status: 422,
  code: 'MAPPING_REQUIRED',
  message: 'A mapping is needed for the format csv, and for no other: send one, or change the format',
  field: 'mapping',
};

export const bankAccounts = record('bank_accounts', {
  name: 'bank account',
  fields: {
    name: fields.line(100),
    kind: z.enum(['bank', 'card']).default('bank').describe('`card`: the statements of a card acquirer'),
    accountNo: fields.line(40).nullish().describe('As statements have it, such as the IBAN. Null: any'),
    currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code, such as EUR'),
    format: z.enum(['camt053', 'csv']),
    mapping: withTraits(csvMapping, { shown: z.record(z.string(), z.unknown()) })
      .nullish()
      .describe('How the bank writes CSV. Only for the format `csv`'),
    flipsReversals: z
      .boolean()
      .default(false)
      .describe('Whether the bank gives a reversal the direction of what it reverses'),
  },
  states: { active: ['inactive'], inactive: ['active'] },
  filters: ['status', 'kind'],
  constraints: {
    bank_accounts_name: BANK_ACCOUNT_NAME_TAKEN,
    bank_accounts_account_no: BANK_ACCOUNT_NO_TAKEN,
    bank_accounts_mapping: MAPPING_REQUIRED,
  },
});
export type BankAccount = z.output<typeof bankAccounts.item>;

const count = (what: string) => z.int().describe(what);
export const statements = record('bank_statements', {
  name: 'bank statement',
  fields: {},
  set: {
    bankAccountId: fields.id,
    fileName: fields.line(255),
    sha256: fields.sha256.describe('Of the file'),
    position: count('In the file, which may have several statements'),
    externalId: fields.line(100).nullable().describe('As the bank calls it'),
    currency: z.string(),
    fromDay: fields.day.nullable(),
    toDay: fields.day.nullable(),
    opening: z.int().nullable().describe('Balance at the beginning, in minor units. Null: the file does not say'),
    closing: z.int().nullable(),
    entryCount: count('Entries of the statement'),
    newEntries: count('Entries that no earlier file had'),
    hasGap: z.boolean().describe('Whether it begins with another balance than the statement before ends with'),
  },
  filters: ['bankAccountId'],
});
export type BankStatement = z.output<typeof statements.item>;

const lineText = (max: number) => fields.line(max);
export const parts = record('bank_parts', {
  name: 'bank part',
  fields: {},
  set: {
    entryId: fields.id,
    statementId: fields.id,
    bankAccountId: fields.id,
    currency: z.string(),
    bookedOn: fields.day,
    amount: z.int().describe('In minor units. Below zero: money that left the account'),
    reference: lineText(200).nullable().describe('Structured reference'),
    endToEndId: lineText(200).nullable(),
    text: z.string(),
    partyName: lineText(200).nullable().describe('Who paid, or was paid'),
    partyAccount: lineText(100).nullable(),
    matched: z.int().describe('What of it belongs to payments'),
    ignoreReason: lineText(200).nullable(),
  },
  // A part that is not booked yet comes again as soon as it is.
  states: { open: ['open', 'matched', 'ignored'], matched: [], ignored: ['open'], pending: [] },
  sort: ['bookedOn'],
  defaultSort: 'bookedOn',
  filters: ['status', 'statementId', 'bankAccountId'],
  search: {},
});
export type BankPart = z.output<typeof parts.item>;

export const importing = z
  .object({
    fileName: fields.line(255),
    content: z
      .base64('must be the bytes of a file in Base64')
      .min(1)
      .max(Math.ceil(MOST_BYTES / 3) * 4, `must be a file of at most ${MOST_BYTES / 1_000_000} MB`),
  })
  .meta({ id: 'NewBankStatement' });

export const REASONS = ['reference', 'number', 'amount_and_name', 'payment', 'chosen'] as const;
const debtor = z.enum(['patient', 'insurer']).describe('Who pays: the patient’s part, or the insurer’s');

const suggestion = z.object({
  invoiceId: z.uuid().nullable(),
  invoiceNo: z.string().nullable(),
  paymentId: z.uuid().nullable().describe('A payment that was written down already. Otherwise it is written now'),
  receiptNo: z.string().nullable(),
  debtor: debtor.nullable(),
  payerName: z.string(),
  amount: z.int().describe('What is open, or was paid'),
  isCertain: z.boolean().describe('Whether `match` of the statement takes it by itself'),
  reason: z.enum(REASONS),
});
export type Suggestion = z.output<typeof suggestion>;

export const shownPart = itemWith(parts, {
  suggestions: z.array(suggestion).describe('The strongest first'),
  matches: z.array(
    z.object({
      paymentId: z.uuid(),
      receiptNo: z.string(),
      invoiceId: z.uuid().nullable(),
      invoiceNo: z.string().nullable(),
      amount: z.int(),
      reason: z.enum(REASONS),
      matchedByName: z.string().nullable(),
    }),
  ),
}).meta({ id: 'ShownBankPart' });
export type ShownPart = z.output<typeof shownPart>;

export const matching = fields
  .exactlyOneOf(
    ['invoiceId', 'paymentId'],
    z.object({
      invoiceId: fields.id.optional().describe('An open invoice, which it pays'),
      debtor: debtor.default('patient'),
      amount: amount.optional().describe('With invoiceId. Default: all that is left of it, and at most what is owed'),
      paymentId: fields.id.optional().describe('A payment that was written down already'),
      version: fields.version,
    }),
  )
  .meta({ id: 'BankPartMatching' });
export const ignoring = z
  .object({ reason: fields.line(200).describe('Such as a fee of the bank'), version: fields.version })
  .meta({ id: 'BankPartIgnoring' });

export const matchedOutcome = z
  .object({
    matched: z.int().describe('Parts that were matched now'),
    left: z.int().describe('Parts that can still be matched without anybody’s choice. Ask again until it is 0'),
    open: z.int().describe('Parts of the statement that nothing is known of'),
  })
  .meta({ id: 'BankStatementMatching' });

export const STATEMENT_INVALID: ErrorKind = {
  status: 422,
  code: 'STATEMENT_INVALID',
  message: 'The file is no statement in the format of this account',
  field: 'content',
};
export const STATEMENT_DOES_NOT_ADD_UP: ErrorKind = {
  status: 422,
  code: 'STATEMENT_DOES_NOT_ADD_UP',
  message:
    'The entries do not add up to the balance of the statement, so nothing was imported: details has the difference. Ask the bank for the whole file',
};
export const STATEMENT_OF_ANOTHER_ACCOUNT: ErrorKind = {
  status: 422,
  code: 'STATEMENT_OF_ANOTHER_ACCOUNT',
  message:
    'The file is of another account, of another currency, or of several accounts: details has both. Give the account its number',
};
export const STATEMENT_ALREADY_IMPORTED: ErrorKind = {
  status: 409,
  code: 'STATEMENT_ALREADY_IMPORTED',
  message: 'This file is imported already, into this account or into one without a number: details has its statements',
};
export const PART_NOT_OPEN: ErrorKind = {
  status: 409,
  code: 'PART_NOT_OPEN',
  message: 'It is matched, ignored or not booked yet',
};
export const PAYMENT_NOT_MATCHING: ErrorKind = {
  status: 409,
  code: 'PAYMENT_NOT_MATCHING',
  message: 'The payment has no part of this amount and direction that is not matched yet',
};
