/** The lines of drafts: what a request names, as rows with their sums. */
import { isDeepStrictEqual } from 'node:util';
import { type ErrorKind, invalidFields, newId, Problem, today, type Work } from '@hms/service';
import { samePerson } from '../../patients/merges.ts';
import { activeItems, NO_PRICE, priceItems, pricesOn } from '../../prices/prices.ts';
import { CHARGE_INVOICED, type Charge, charges, lockOpenCharges } from '../charges/charges.ts';
import type { Invoice, NewLine } from './record.ts';
import { linesOf } from './show.ts';
import { type LineTerms, type Service, type Sums, termsFrom } from './sums.ts';

interface Around {
  readonly draft: Pick<Invoice, 'id' | 'patientId' | 'payerGroup' | 'coverageBps'>;
  /** Lines of the draft that stay. */
  readonly before: readonly Service[];
  /** Whether all open charges of the patient that are on no invoice are lines, too. */
  readonly openCharges?: boolean;
}

/**
 * What is meant by the lines of a request. All charges are locked in the order of their ids, so that two requests can't
 * deadlock.
 * @throws Problem PRICE_ITEM_NOT_FOUND, CHARGE_NOT_FOUND, CHARGE_INVOICED, NO_PRICE, VALIDATION_FAILED.
 */
export async function meantBy(
  work: Work,
  lines: readonly NewLine[],
  { draft, before, openCharges = false }: Around,
): Promise<readonly Service[]> {
  const itemIds = lines.flatMap(({ itemId }) => itemId ?? []);
  const chargeIds = lines.map(({ chargeId }) => chargeId ?? null);
  const named = chargeIds.filter((id) => id !== null);
  const needsCharges = openCharges || named.length > 0;
  const patientIds = needsCharges ? await samePerson(work, draft.patientId) : [];
  const others = openCharges ? await uninvoiced(work, patientIds) : [];
  const [items, listed, open] = await Promise.all([
    activeItems(work, itemIds),
    pricesOn(work, itemIds, draft.payerGroup, today(work)),
    lockOpenCharges(work, [...named, ...others]),
  ]);
  const present = new Set(before.map(({ chargeId }) => chargeId));
  // They are locked, so nobody takes one of them meanwhile.
  const elsewhere = open.size === 0 ? new Set() : await chargesElsewhere(work, [...open.keys()], draft.id);
  const meant = lines.map((line, index): Service => {
    const at = (name: string, message: string) => [{ field: `lines.${index}.${name}`, in: 'body', message }] as const;
    const field = (name: string, message: string) => invalidFields(at(name, message));
    const refused = (kind: ErrorKind, name: string, message: string) =>
      new Problem(kind, { details: { fields: at(name, message) } });
    const { itemId = null, chargeId = null, discount, coverageBps = draft.coverageBps } = line;
    if (chargeId !== null) {
      if (itemId !== null) throw field('itemId', 'must not be given with chargeId');
      const charge = open.get(chargeId);
      if (!charge) throw refused(charges.notFound, 'chargeId', 'is no charge that is open');
      if (!patientIds.includes(charge.patientId)) throw field('chargeId', 'is a charge of another patient');
      if (elsewhere.has(chargeId)) throw refused(CHARGE_INVOICED, 'chargeId', 'is on another invoice');
      if (chargeIds.indexOf(chargeId) < index || present.has(chargeId))
        throw field('chargeId', 'is on another line already');
      return { ...ofCharge(charge, coverageBps), discount };
    }
    const item = itemId === null ? undefined : items.get(itemId);
    if (itemId !== null && !item) throw refused(priceItems.notFound, 'itemId', 'is no item on the price list');
    const description = line.description ?? item?.name;
    const unitPrice = line.unitPrice ?? (itemId === null ? undefined : listed.get(itemId));
    if (description === undefined) throw field('description', 'or itemId or chargeId is required');
    if (unitPrice === undefined) {
      if (item) throw refused(NO_PRICE, 'itemId', 'has no price today');
      throw field('unitPrice', 'is required without itemId');
    }
    return {
      ...{ itemId, chargeId, description, unitPrice, discount, coverageBps },
      itemGroup: line.itemGroup ?? item?.itemGroup ?? 'other',
      quantity: line.quantity,
      taxBps: line.taxBps ?? item?.taxBps ?? 0,
    };
  });
  // Somebody may have put one of them on another invoice, or cancelled it, before it was locked.
  const rest = others.filter((id) => !named.includes(id) && !elsewhere.has(id)).flatMap((id) => open.get(id) ?? []);
  return [...meant, ...rest.map((charge) => ofCharge(charge, draft.coverageBps))];
}

/** Open charges of a patient that are on no invoice, by id. @param patientIds those who are one person. */
async function uninvoiced({ trx }: Work, patientIds: readonly string[]): Promise<readonly string[]> {
  const rows = await trx.query<{ id: string }>(UNINVOICED, [patientIds]);
  return rows.map(({ id }) => id);
}

const UNINVOICED = `
  SELECT id FROM charges charge
  WHERE patient_id = ANY ($1) AND status = 'open' AND deleted_at IS NULL
    AND NOT EXISTS (SELECT FROM invoice_lines WHERE charge_id = charge.id AND is_living)
  ORDER BY id`;

/** A charge as a line. */
function ofCharge(charge: Charge, coverageBps: number): Service {
  const { id, itemGroup, description, unitPrice, quantity, taxBps } = charge;
  const given = { itemGroup, description, unitPrice, quantity, taxBps, coverageBps };
  return { ...given, itemId: null, chargeId: id, discount: undefined };
}

/** The lines of an invoice, before anything is computed. */
export async function termsOf(work: Work, invoiceId: string): Promise<readonly LineTerms[]> {
  return (await linesOf(work, [invoiceId])).map(termsFrom);
}

/** Replaces all lines of a locked draft. */
export async function replaceLines(
  work: Work,
  { id, patientId }: Owner,
  lines: readonly LineTerms[],
  sums: Sums,
): Promise<void> {
  const before = await termsOf(work, id);
  const event = { action: 'update', record: 'invoice_lines', recordId: id, patientId } as const;
  if (!isDeepStrictEqual(before, lines)) work.audit({ ...event, before: { lines: before }, after: { lines } });
  await Promise.all([work.trx.query(DELETE, [id]), insertRows(work, id, lines, sums)]);
}

/** Writes the lines of a new draft. */
export async function insertLines(
  work: Work,
  { id, patientId }: Owner,
  lines: readonly LineTerms[],
  sums: Sums,
): Promise<void> {
  if (lines.length === 0) return;
  work.audit({ action: 'create', record: 'invoice_lines', recordId: id, patientId, after: { lines } });
  await insertRows(work, id, lines, sums);
}

type Owner = Pick<Invoice, 'id' | 'patientId'>;

async function insertRows({ trx }: Work, invoiceId: string, lines: readonly LineTerms[], sums: Sums): Promise<void> {
  let [upTo, insuredUpTo] = [0, 0];
  const rows = lines.map((line, index) => {
    const own = sums.lines[index];
    const insured = sums.shares[index] ?? 0;
    upTo += own?.total ?? 0;
    insuredUpTo += insured;
    const { discount } = line;
    return {
      id: newId(),
      seq: index + 1,
      item_id: line.itemId,
      charge_id: line.chargeId,
      item_group: line.itemGroup,
      description: line.description,
      unit_price: line.unitPrice,
      quantity: line.quantity,
      tax_bps: line.taxBps,
      discount_amount: discount && 'amount' in discount ? discount.amount : null,
      discount_bps: discount && 'bps' in discount ? discount.bps : null,
      benefit_bps: line.benefitBps,
      membership_no: line.membershipNo,
      tier_name: line.tierName,
      gross: own?.gross,
      line_discount: own?.lineDiscount,
      benefit: own?.benefit,
      invoice_discount: own?.invoiceDiscount,
      net: own?.net,
      tax: own?.tax,
      total: own?.total,
      up_to: upTo,
      coverage_bps: line.coverageBps,
      insured,
      insured_up_to: insuredUpTo,
    };
  });
  await trx.query(INSERT, [invoiceId, JSON.stringify(rows)]);
}

async function chargesElsewhere({ trx }: Work, ids: readonly string[], invoiceId: string): Promise<Set<string>> {
  const rows = await trx.query<{ charge_id: string }>(ELSEWHERE, [ids, invoiceId]);
  return new Set(rows.map((row) => row.charge_id));
}

const ELSEWHERE = `
  SELECT charge_id FROM invoice_lines WHERE charge_id = ANY ($1) AND is_living AND invoice_id <> $2`;
const DELETE = 'DELETE FROM invoice_lines WHERE invoice_id = $1';
const INSERT = `
  INSERT INTO invoice_lines (
    id, invoice_id, seq, item_id, charge_id, item_group, description, unit_price, quantity, tax_bps,
    discount_amount, discount_bps, benefit_bps, membership_no, tier_name, gross, line_discount, benefit,
    invoice_discount, net, tax, total, up_to, coverage_bps, insured, insured_up_to
  )
  SELECT
    id, $1, seq, item_id, charge_id, item_group, description, unit_price, quantity, tax_bps,
    discount_amount, discount_bps, benefit_bps, membership_no, tier_name, gross, line_discount, benefit,
    invoice_discount, net, tax, total, up_to, coverage_bps, insured, insured_up_to
  FROM jsonb_to_recordset($2::jsonb) AS line (
    id uuid, seq integer, item_id uuid, charge_id uuid, item_group text, description text, unit_price bigint,
    quantity integer, tax_bps integer, discount_amount bigint, discount_bps integer, benefit_bps integer,
    membership_no text, tier_name text,
    gross bigint, line_discount bigint, benefit bigint, invoice_discount bigint, net bigint, tax bigint, total bigint,
    up_to bigint, coverage_bps integer, insured bigint, insured_up_to bigint
  )`;
