/**
 * What patients have to pay for: the table `charges`.
 *
 * Other modules add a charge in the transaction of what it is for, and cancel it with that. The lines of an invoice may
 * come from charges. PostgreSQL makes sure that a charge is on one invoice at most that is not void.
 */
import { build } from '@hms/database';
import {
  type DataReply,
  type ErrorKind,
  fields,
  itemWith,
  type RecordQuery,
  record,
  records,
  today,
  type Work,
} from '@hms/service';
import { z } from 'zod';
import { patientNames } from '../../patients/names.ts';
import { patientsMatching, samePersonIds } from '../../patients/record.ts';
import { bps, type ItemGroup, itemGroup, money } from '../../prices/prices.ts';

export { chargeFeed } from '../feeds.ts';

/** What a charge can be for, each with the table of its `sourceId`. */
export const CHARGE_SOURCES = ['lab', 'dispense', 'visit'] as const;
export type ChargeSource = (typeof CHARGE_SOURCES)[number];

const livingLines = () => build.from('invoice_lines').whereRaw('charge_id = charges.id AND is_living');

export const charges = record('charges', {
  name: 'charge',
  fields: {},
  set: {
    patientId: fields.id,
    sourceType: z.enum(CHARGE_SOURCES).describe('What it is for'),
    sourceId: fields.id,
    itemGroup,
    description: fields.line(200),
    unitPrice: money,
    quantity: z.int(),
    taxBps: bps,
    aroseOn: fields.day,
  },
  states: { open: ['cancelled'], cancelled: [] },
  filters: ['sourceType', 'sourceId', 'status'],
  moreFilters: {
    patientId: {
      schema: fields.id.describe('Also charges of those who were merged with the patient'),
      where: (rows, id) => void rows.whereIn('patient_id', samePersonIds(id as string)),
    },
    uninvoiced: {
      schema: z.literal('true').describe('Only open ones that are on no invoice'),
      where: (rows) => void rows.where({ status: 'open' }).whereNotExists(livingLines()),
    },
  },
  search: {
    also: (text, precision) =>
      build.from('charges').select('id').whereIn('patient_id', patientsMatching(text, precision)),
  },
  auditReads: true,
  patient: 'patientId',
  live: true,
});
export type Charge = z.output<typeof charges.item>;

export const shownCharge = itemWith(charges, {
  patientCode: z.string(),
  patientName: z.string(),
  isBilled: z.boolean().describe('Whether it is on an issued invoice'),
}).meta({ id: 'ShownCharge' });
export type ShownCharge = z.output<typeof shownCharge>;

export async function listCharges(work: Work, query: RecordQuery): Promise<DataReply<ShownCharge[]>> {
  const { data, ...reply } = await records(work, charges).list(query);
  return { ...reply, data: await showCharges(work, data) };
}

/** @throws Problem CHARGE_NOT_FOUND */
export async function readCharge(work: Work, id: string): Promise<ShownCharge> {
  const [shown] = await showCharges(work, [await records(work, charges).read(id)]);
  return shown as ShownCharge;
}

async function showCharges(work: Work, all: readonly Charge[]): Promise<ShownCharge[]> {
  const people = all.map(({ patientId }) => patientId);
  const [named, billed] = await Promise.all([
    patientNames(work, people),
    work.trx.query<{ id: string }>(BILLED, [all.map(({ id }) => id)]),
  ]);
  const isBilled = new Set(billed.map(({ id }) => id));
  return all.map((charge) => ({ ...charge, ...named(charge.patientId), isBilled: isBilled.has(charge.id) }));
}

/** Charges in any order. The audit log has no event. */
export async function chargesById(work: Work, ids: readonly string[]): Promise<readonly ShownCharge[]> {
  return showCharges(work, await records(work, charges).byIds(ids));
}

const BILLED = `
  SELECT line.charge_id AS id FROM invoice_lines line JOIN invoices invoice ON invoice.id = line.invoice_id
  WHERE line.charge_id = ANY ($1) AND line.is_living AND invoice.invoice_no IS NOT NULL`;

export const CHARGE_INVOICED: ErrorKind = {
  status: 409,
  code: 'CHARGE_INVOICED',
  message: 'A charge is on another invoice: take it off there, or void that invoice',
};

export const CHARGE_CHANGED: ErrorKind = {
  status: 409,
  code: 'CHARGE_CHANGED',
  message:
    'What lines of the invoice are for was cancelled or returned: take the lines in details.lines off, or send their chargeId again for what is left',
};

export interface NewCharge {
  readonly patientId: string;
  readonly sourceType: ChargeSource;
  readonly sourceId: string;
  readonly itemGroup: ItemGroup;
  /** As it is printed on invoices. */
  readonly description: string;
  /** Of one unit, in minor units of the hospital's currency. Null if there is none. */
  readonly unitPrice: number | null;
  readonly quantity: number;
  readonly taxBps: number;
}

/** Adds charges. Each thing that is charged has one at most. What has no price is not charged. */
export async function addCharges(work: Work, added: readonly NewCharge[]): Promise<void> {
  const own = records(work, charges);
  const aroseOn = today(work);
  await Promise.all(
    added.flatMap(({ unitPrice, ...charge }) =>
      unitPrice === null ? [] : own.insert({ ...charge, unitPrice, aroseOn }),
    ),
  );
}

/** Cancels the charges for things, if they have any. A draft with one of them can't be issued any more. */
export async function cancelCharges(work: Work, sourceType: ChargeSource, sourceIds: readonly string[]): Promise<void> {
  const own = records(work, charges);
  for (const id of await chargesFor(work, sourceType, sourceIds)) await own.moveTo(await own.lock(id), 'cancelled');
}

/**
 * Charges less of things. A draft that has more of them can't be issued any more, and an issued invoice stays as it is.
 * @param left how many units are left of each.
 */
export async function reduceCharges(
  work: Work,
  sourceType: ChargeSource,
  left: ReadonlyMap<string, number>,
): Promise<void> {
  const own = records(work, charges);
  for (const id of await chargesFor(work, sourceType, [...left.keys()])) {
    const charge = await own.lock(id);
    const quantity = left.get(charge.sourceId) ?? 0;
    await (quantity === 0 ? own.moveTo(charge, 'cancelled') : own.update(charge, { quantity }));
  }
}

/** Those that are open, in the order of their ids, so that two requests that lock them can't deadlock. */
async function chargesFor(work: Work, source_type: ChargeSource, ids: readonly string[]): Promise<readonly string[]> {
  const rows = build.from('charges').where({ source_type, status: 'open' }).whereIn('source_id', ids).orderBy('id');
  return (await work.trx.run<{ id: string }>(rows.select('id'))).map(({ id }) => id);
}

/** Locks charges, by id. @returns those that are open. */
export async function lockOpenCharges(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, Charge>> {
  const own = records(work, charges);
  const found = await own.byIds([...new Set(ids)]);
  const open = new Map<string, Charge>();
  for (const id of found.map((charge) => charge.id).sort()) {
    const charge = await own.lock(id);
    if (charge.status === 'open') open.set(id, charge);
  }
  return open;
}
