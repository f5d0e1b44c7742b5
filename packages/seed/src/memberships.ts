/** Tiers of VIPs, and who is a member. */
import type { Transaction } from '@hms/database';
import { createMembership, moveMembership, newMembership, vipTiers } from '@hms/domain/vip';
import { fields, records } from '@hms/service';
import { Random } from './random.ts';
import { after, FIRST, type SeedRun } from './run.ts';
import type { Staff } from './staff.ts';

/** The name, who is served first, and the discounts in basis points. */
const TIERS = [
  ['Silver', 10, 500, 0],
  ['Gold', 30, 1000, 500],
  ['Platinum', 60, 2000, 1000],
] as const;

/** The shares of memberships that end after some days, and that are suspended or cancelled then. */
const ENDS = 0.01;
const SUSPENDED = 0.015;
const CANCELLED = 0.015;
const DAY = 24 * 60;

interface Joins {
  /** Of the patient. */
  readonly number: number;
  readonly holder: { readonly patientId?: string; readonly familyId?: string | undefined; readonly tierId: string };
  readonly registeredAt: Date;
}

/** Makes somebody or their family a member. A few memberships do not last. */
export async function joinTier(
  run: SeedRun,
  trx: Transaction,
  { admin }: Staff,
  { number, holder, registeredAt }: Joins,
): Promise<void> {
  const random = new Random(run.options.seed, 'membership', number);
  const kind = random.next();
  const joinedAt = run.notAfterNow(after(registeredAt, 5));
  const changesAt = after(joinedAt, random.between(10, 60) * DAY);
  const validTo = kind < ENDS ? { validTo: fields.today(run.options.hospital.timezone, changesAt) } : {};
  const { id } = await run.as(trx, admin, joinedAt, (work) =>
    createMembership(work, newMembership.parse({ ...holder, ...validTo })),
  );
  if (kind < ENDS || kind >= ENDS + SUSPENDED + CANCELLED || !run.isPast(changesAt)) return;
  const [status, reason] =
    kind < ENDS + SUSPENDED ? (['suspended', 'Has not paid'] as const) : (['cancelled', 'Has moved away'] as const);
  await run.as(trx, admin, changesAt, (work) => moveMembership(work, id, status, reason, undefined));
}

/** Ids of the tiers. */
export async function ensureTiers(run: SeedRun, { admin }: Staff, moment: Date): Promise<readonly string[]> {
  return run.batch((trx) =>
    run.as(trx, admin, moment, async (work) => {
      const own = records(work, vipTiers);
      const known = new Map((await own.list(FIRST)).data.map(({ name, id }) => [name, id]));
      const ids: string[] = [];
      for (const [name, priorityWeight, consultationBps, laboratoryBps] of TIERS) {
        const body = { name, priorityWeight, consultationBps, laboratoryBps };
        ids.push(known.get(name) ?? (await own.insert(vipTiers.create.parse(body))).id);
      }
      return ids;
    }),
  );
}
