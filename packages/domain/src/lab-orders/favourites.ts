/** What a doctor orders most, so that it is offered first. */
import type { Work } from '@hms/service';
import { z } from 'zod';
import { holderOf } from '../employees/employees.ts';

const MOST = 8;
const DAYS = 180;

export const favourite = z
  .object({
    kind: z.enum(['test', 'panel']),
    id: z.uuid(),
    code: z.string(),
    name: z.string(),
    orders: z.int().describe(`Orders with it in the last ${DAYS} days`),
  })
  .meta({ id: 'LabFavourite' });
type Favourite = z.output<typeof favourite>;

/** The active tests and the panels that the caller's own employee has ordered most, those first. */
export async function favouritesOf(work: Work): Promise<readonly Favourite[]> {
  const doctorId = await holderOf(work, work.caller.sub);
  return doctorId === undefined ? [] : work.trx.query<Favourite>(FAVOURITES, [doctorId, MOST]);
}

/** A test that was ordered within a panel counts for the panel alone. */
const FAVOURITES = `
  WITH own AS (
    SELECT item.test_id, item.panel_id, item.order_id FROM lab_orders o JOIN lab_order_items item ON item.order_id = o.id
    WHERE o.doctor_id = $1 AND o.created_at > moment() - interval '${DAYS} days'
  )
  SELECT 'test' AS kind, test.id, test.code, test.name, count(*)::int AS orders
  FROM own JOIN lab_tests test ON test.id = own.test_id
  WHERE own.panel_id IS NULL AND test.status = 'active' AND test.deleted_at IS NULL
  GROUP BY test.id
  UNION ALL
  SELECT 'panel', panel.id, panel.code, panel.name, count(DISTINCT own.order_id)::int
  FROM own JOIN lab_panels panel ON panel.id = own.panel_id
  WHERE panel.deleted_at IS NULL
  GROUP BY panel.id
  ORDER BY orders DESC, code LIMIT $2`;
