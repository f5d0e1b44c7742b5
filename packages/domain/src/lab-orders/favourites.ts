/** What a doctor orders most, so that it is offered first. */
import { records, type Work } from '@hms/service';
import { z } from 'zod';
import { holderOf } from '../employees/employees.ts';
import { labPanels, testsById } from '../lab-tests/lab-tests.ts';

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
  if (doctorId === undefined) return [];
  const counted = await work.trx.query<Counted>(COUNTED, [doctorId]);
  const idsOf = (kind: Favourite['kind']) => counted.filter((one) => one.kind === kind).map(({ id }) => id);
  const [tests, panels] = await Promise.all([
    testsById(work, idsOf('test')),
    records(work, labPanels).byIds(idsOf('panel')),
  ]);
  const active = [...tests.values()].filter(({ status }) => status === 'active');
  const offered = new Map(
    [...active, ...panels].filter(({ deletedAt }) => deletedAt === undefined).map((one) => [one.id, one]),
  );
  return counted
    .flatMap(({ kind, id, orders }): Favourite[] => {
      const one = offered.get(id);
      return one ? [{ kind, id, code: one.code, name: one.name, orders }] : [];
    })
    .slice(0, MOST);
}

type Counted = Pick<Favourite, 'kind' | 'id' | 'orders'>;

/** A test that was ordered within a panel counts for the panel alone. */
const COUNTED = `
  SELECT CASE WHEN item.panel_id IS NULL THEN 'test' ELSE 'panel' END AS kind, COALESCE(item.panel_id, item.test_id) AS id,
    count(DISTINCT o.id)::int AS orders
  FROM lab_orders o JOIN lab_order_items item ON item.order_id = o.id
  WHERE o.doctor_id = $1 AND o.created_at > moment() - interval '${DAYS} days'
  GROUP BY 1, 2 ORDER BY orders DESC, max(o.created_at) DESC`;
