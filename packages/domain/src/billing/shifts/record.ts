/** What a shift is, and its errors. */
import { type ErrorKind, fields, itemWith, record, withTraits } from '@hms/service';
import { z } from 'zod';
import { LARGEST_AMOUNT, money } from '../../prices/prices.ts';
import { METHODS } from '../payments/record.ts';

const MOST_FACES = 50;
const MOST_PIECES = 1_000_000;

const counter = fields.line(40).describe('Where the cashier sits, such as Counter 1');
const note = fields.line(300);

export const SHIFT_ALREADY_OPEN: ErrorKind = {
  status: 409,
  code: 'SHIFT_ALREADY_OPEN',
  message: 'You have an open shift: close it first',
};
export const COUNTER_TAKEN: ErrorKind = {
  status: 409,
  code: 'COUNTER_TAKEN',
  message: 'Somebody else has an open shift at this counter: choose another one',
  field: 'counter',
};
export const shifts = record('shifts', {
  name: 'shift',
  code: { field: 'shiftNo', series: 'shift', letters: 'SHF' },
  fields: { counter },
  set: {
    cashier: withTraits(z.string(), { filter: fields.line(100) }).describe('Account of the person'),
    cashierName: z.string().nullable().describe('As the person was called then'),
    currency: z.string().describe('ISO 4217'),
    openingFloat: money.describe('What was in the drawer when it was opened'),
    openedOn: fields.day.describe('The whole shift belongs to this day of the hospital'),
    openedAt: fields.instant,
    closedAt: fields.instant.nullable(),
    lastCount: z.int().nullable(),
    difference: z.int().nullable().describe('What the last count found more than expected. Below zero: less'),
    note: note.nullable(),
    decidedBy: z.string().nullable(),
    decidedByName: z.string().nullable(),
    decidedAt: fields.instant.nullable(),
    decisionNote: note.nullable(),
  },
  states: { open: ['closed'], closed: ['approved', 'disputed'], disputed: ['closed'], approved: [] },
  sort: ['openedAt'],
  defaultSort: '-openedAt',
  filters: ['status', 'cashier', 'shiftNo', 'openedOn'],
  constraints: { shifts_cashier: SHIFT_ALREADY_OPEN, shifts_counter: COUNTER_TAKEN },
  live: true,
});
export type Shift = z.output<typeof shifts.item>;

export const opening = z
  .object({
    counter,
    openingFloat: money.default(0).describe('What is in the drawer, counted, in minor units'),
  })
  .meta({ id: 'ShiftOpening' });

const denomination = z.strictObject({
  face: money.min(1, 'must be 1 or more').describe('In minor units: 500 is a note of 5.00 EUR'),
  pieces: z.int().min(0).max(MOST_PIECES),
});
/** What a person has counted, by method. */
const declared = z.partialRecord(z.enum(METHODS), money);

export const closing = z
  .object({
    denominations: z
      .array(denomination)
      .max(MOST_FACES)
      .optional()
      .refine(
        (all) => all === undefined || new Set(all.map(({ face }) => face)).size === all.length,
        'must not have a face value twice',
      )
      .describe('The cash in the drawer, by face value'),
    declared: declared
      .optional()
      .describe('Amounts by method, in minor units. CASH is required without denominations. Others can be left out'),
    note: note.nullish().describe('Such as why something is missing'),
    version: fields.version,
  })
  .meta({ id: 'ShiftClosing' });

export const approval = z.object({ note: note.nullish(), version: fields.version }).meta({ id: 'ShiftApproval' });
export const dispute = z
  .object({ reason: note.describe('What has to be counted again, and why'), version: fields.version })
  .meta({ id: 'ShiftDispute' });

const amounts = z.partialRecord(z.enum(METHODS), z.int());
export const shownCount = z
  .object({
    number: z.int(),
    denominations: z.array(z.object({ face: z.int(), pieces: z.int() })),
    declared: amounts.describe('What was counted, by method'),
    expected: amounts.describe('What the ledger says, by method'),
    difference: z.int().describe('What was counted more than expected, over all methods. Below zero: less'),
    note: z.string().nullable(),
    countedBy: z.string(),
    countedByName: z.string().nullable(),
    countedAt: fields.timestamp,
  })
  .meta({ id: 'ShiftCount' });

export const transfers = record('shift_transfers', {
  name: 'shift transfer',
  fields: {},
  set: {
    fromShiftId: fields.id,
    toShiftId: fields.id.nullable().describe('Null: to the safe'),
    amount: money.describe('Cash, in minor units'),
    note: note.nullable(),
    decidedBy: z.string().nullable(),
    decidedByName: z.string().nullable(),
    decidedAt: fields.instant.nullable(),
    createdBy: z.string().describe('Account of who hands it over'),
  },
  states: { offered: ['accepted', 'declined'], accepted: [], declined: [] },
});
export type Transfer = z.output<typeof transfers.item>;

export const transferring = z
  .object({
    toShiftId: fields.id.optional().describe('An open shift. Default: to the safe'),
    amount: money.min(1, 'must be 1 or more').max(LARGEST_AMOUNT).describe('Cash, in minor units'),
    note: note.nullish(),
  })
  .meta({ id: 'ShiftTransferring' });

export const shownTransfer = itemWith(transfers, {
  fromShiftNo: z.string(),
  fromCashierName: z.string().nullable(),
  toShiftNo: z.string().nullable(),
  toCashierName: z.string().nullable(),
}).meta({ id: 'ShownShiftTransfer' });
export type ShownTransfer = z.output<typeof shownTransfer>;

export const shownShift = itemWith(shifts, {
  counts: z.array(shownCount).describe('Each time that it was counted, the last one last'),
  transfers: z.array(shownTransfer).describe('Cash that was handed over, from it and to it'),
}).meta({ id: 'ShownShift' });
export type ShownShift = z.output<typeof shownShift>;

export const SHIFT_NOT_OPEN: ErrorKind = {
  status: 409,
  code: 'SHIFT_NOT_OPEN',
  message: 'The shift is not open any more',
};
export const SHIFT_OF_ANOTHER: ErrorKind = {
  status: 403,
  code: 'SHIFT_OF_ANOTHER',
  message: 'Only the cashier of the shift can do that',
};
export const NO_OPEN_SHIFT: ErrorKind = {
  status: 409,
  code: 'NO_OPEN_SHIFT',
  message: 'Cash is taken and given back in an open shift only: open one first',
};
export const SHIFT_HAS_TRANSFERS: ErrorKind = {
  status: 409,
  code: 'SHIFT_HAS_TRANSFERS',
  message: 'Cash that is handed over waits to be accepted or declined: decide that first',
};
export const SAME_PERSON_APPROVAL: ErrorKind = {
  status: 403,
  code: 'SAME_PERSON_APPROVAL',
  message: 'Somebody else must decide on it',
};
