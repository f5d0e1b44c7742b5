/** The nightly check of the books, and the figure that an alert can watch. */
import { checkInvariants, invariantCheck, planCheck } from '@hms/domain/payments';
import { type Measure, type Platform, type Task, task } from '@hms/service';

/** Longer than from one night to the next. */
const KEPT_MS = 25 * 60 * 60_000;

/** What the checks of this process have found lately. */
export class InvariantChecks {
  readonly #log: Platform['log'];
  readonly #found = new Map<string, { readonly at: number; readonly broken: number }>();

  constructor({ log }: Pick<Platform, 'log'>) {
    this.#log = log;
  }

  readonly task: Task = task({
    ...invariantCheck,
    run: async (work) => {
      const broken = (await checkInvariants(work)).filter((rule) => rule.broken.length > 0);
      this.#found.set(work.hospital.id, { at: Date.now(), broken: broken.length });
      for (const { rule, broken: names } of broken)
        this.#log.error({ hospital: work.hospital.prefix, rule, names }, 'payments and invoices do not agree');
      planCheck(work);
    },
  }) as Task;

  readonly measure: Measure = {
    name: 'hms_payment_broken_invariants',
    help: 'Rules between invoices and payments that were broken in the nightly checks of this process in the last 25 hours, over all hospitals',
    value: () => {
      const since = Date.now() - KEPT_MS;
      return [...this.#found.values()].reduce((sum, { at, broken }) => sum + (at > since ? broken : 0), 0);
    },
  };
}
