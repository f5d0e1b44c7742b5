/** One search over what people look for by a name or a number. */
import { employees } from '@hms/domain/employees';
import { listOrders, orderQuery, shownOrder } from '@hms/domain/lab-orders';
import { patients } from '@hms/domain/patients';
import { listPrescriptions, prescriptions, shownPrescription } from '@hms/domain/prescriptions';
import { type DataReply, fields, type RecordQuery, type Route, records, route, single, type Work } from '@hms/service';
import type { Permission } from '@hms/tenancy';
import { z } from 'zod';

/** What is found of a kind: the best matches, and how many there are. */
const found = <Item extends z.ZodType>(item: Item, id: string) =>
  z
    .object({ items: z.array(item), total: z.int().min(0) })
    .nullable()
    .meta({ id });

const everything = z
  .object({
    patients: found(patients.item, 'FoundPatients'),
    labOrders: found(shownOrder, 'FoundLabOrders'),
    prescriptions: found(shownPrescription, 'FoundPrescriptions'),
    employees: found(employees.item, 'FoundEmployees'),
  })
  .meta({ id: 'FoundRecords' });
type Everything = z.output<typeof everything>;

interface Kind {
  readonly needs: Permission;
  /** The query of the kind's own list. */
  readonly query: { parse(query: object): RecordQuery };
  list(work: Work, query: RecordQuery): Promise<DataReply<unknown[]>>;
}

const KINDS: Readonly<Record<keyof Everything, Kind>> = {
  patients: {
    needs: 'patients.read',
    query: patients.query,
    list: (work, query) => records(work, patients).list({ ...query, filters: { ...query.filters, status: 'active' } }),
  },
  labOrders: { needs: 'lab-orders.read', query: orderQuery, list: listOrders },
  prescriptions: { needs: 'prescriptions.read', query: prescriptions.query, list: listPrescriptions },
  employees: {
    needs: 'employees.read',
    query: employees.query,
    list: (work, query) => records(work, employees).list(query),
  },
};

const MOST = 20;

export const searchRoute: Route = route({
  method: 'GET',
  path: '/api/hms/search',
  operationId: 'searchRecords',
  summary: 'Search patients, lab orders, prescriptions and employees at once',
  description:
    'Each kind as its own list finds it with `q`. A kind is null if the caller may not see it. Each list is an event of the audit log.',
  access: 'authenticated',
  query: z.object({
    q: fields.line(200).min(2),
    limit: z.coerce.number().int().min(1).max(MOST).default(5).describe('Of each kind'),
  }),
  response: everything,
  handler: async (context) => {
    const { q, limit } = context.query;
    const entries = Object.entries(KINDS).map(async ([name, { needs, query, list }]) => {
      if (!context.caller.permissions.has(needs)) return [name, null] as const;
      const { data, meta } = await list(context, query.parse({ q, limit: String(limit) }));
      return [name, { items: data, total: meta?.total ?? data.length }] as const;
    });
    return single(Object.fromEntries(await Promise.all(entries)) as Everything);
  },
});
