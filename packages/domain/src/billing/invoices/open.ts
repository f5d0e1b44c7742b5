/** What somebody still has to pay. */
import type { Work } from '@hms/service';

/** What keeps people from being deleted: invoices that they get or pay, charges on no invoice, and deposits. */
export async function openBills(
  { trx }: Work,
  patientIds: readonly string[],
): Promise<
  readonly { readonly record: 'invoices' | 'charges' | 'deposits'; readonly id: string; readonly name: string }[]
> {
  return trx.query(OPEN, [patientIds]);
}

const OPEN = `
  SELECT record, id, name FROM (
    SELECT 'invoices' AS record, id, coalesce(invoice_no, status) AS name, created_at FROM invoices
    WHERE (patient_id = ANY ($1) OR payer_id = ANY ($1)) AND status IN ('draft', 'issued', 'partially_paid')
    UNION ALL
    SELECT 'charges', id, description, created_at FROM charges charge
    WHERE patient_id = ANY ($1) AND status = 'open'
      AND NOT EXISTS (SELECT FROM invoice_lines WHERE charge_id = charge.id AND is_living)
    UNION ALL
    SELECT 'deposits', id, deposit_no, created_at FROM deposits WHERE patient_id = ANY ($1) AND balance > 0
  ) open ORDER BY created_at, id`;
