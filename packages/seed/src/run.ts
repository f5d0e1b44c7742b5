/** What the parts of a seed share: the hospital, its clock of the past, and people in whose name records are written. */
import type { Hospital, TenantPool, Transaction } from '@hms/database';
import { appointmentMail, appointmentReminder, cancellationMail, noShow, placeFreed } from '@hms/domain/appointments';
import { employeeAccount, employeeInvitation } from '@hms/domain/employees';
import { invoicePdf } from '@hms/domain/invoices';
import { labReport } from '@hms/domain/lab-orders';
import { invariantCheck } from '@hms/domain/payments';
import { prescriptionPdf } from '@hms/domain/prescriptions';
import { queueClosing } from '@hms/domain/queue';
import { addDays, momentOf, weekdayOf } from '@hms/domain/schedules';
import { type Caller, fields, type RecordQuery, type Sealer, type TaskName, type Work, workAs } from '@hms/service';

export interface SeedOptions {
  readonly tenants: TenantPool;
  readonly hospital: Hospital;
  /** Seals what the seed adds to the audit log. */
  readonly sealer: Pick<Sealer, 'wrote'>;
  /** Patients whom the hospital has afterwards, besides those that others have registered. */
  readonly patients: number;
  /** For how many days until now the hospital has been open. */
  readonly days: number;
  /** The same number makes the same people. */
  readonly seed: number;
  /** For how many of the last days reports and prescriptions are rendered as PDF. */
  readonly documentDays: number;
  readonly now: Date;
  /** Milliseconds to wait for the accounts of the staff, which the auth module creates. */
  readonly patience: number;
  /** Is told which part begins, and runs it. @param progress is asked every few seconds. */
  part<T>(doing: string, work: (progress: (now: () => string) => void) => Promise<T>): Promise<T>;
}

/** Somebody who works in the hospital. */
export interface Actor {
  readonly employeeId: string;
  readonly caller: Caller;
}

const MINUTE = 60_000;
/** In the audit log, this tells the seed from the people in whose name it writes. */
const SOURCE = { clientAddress: 'hmsctl seed', requestId: undefined };
/** Tasks that render a PDF. Each takes about a tenth of a second of the modules' time. */
const DOCUMENTS = new Set([labReport.name, prescriptionPdf.name, invoicePdf.name]);
/** Mails to people who do not exist, and offers of times to whom nobody would answer. */
const UNWANTED = new Set([appointmentMail, appointmentReminder, cancellationMail, placeFreed].map(({ name }) => name));
/** Tasks that find nothing to do once their time is over. */
const TIMELY = new Set([noShow, queueClosing, invariantCheck].map(({ name }) => name));

export class SeedRun {
  readonly options: SeedOptions;
  /** The days on which the hospital was open, `YYYY-MM-DD`, the last of them today. */
  readonly days: readonly string[];
  readonly #documentsFrom: Date;

  constructor(options: SeedOptions) {
    this.options = options;
    const { hospital, now, days, documentDays } = options;
    const today = fields.today(hospital.timezone, now);
    this.days = Array.from({ length: days }, (_, index) => addDays(today, index + 1 - days));
    this.#documentsFrom = new Date(now.getTime() - documentDays * 24 * 60 * MINUTE);
  }

  /** @param minutes after midnight, by the clock of the hospital. */
  at(day: string, minutes: number): Date {
    return new Date(momentOf(day, '00:00', this.options.hospital.timezone) + Math.round(minutes * MINUTE));
  }

  /** Whether fewer people come on this day. */
  isWeekend(day: string): boolean {
    return weekdayOf(day) >= 6;
  }

  /** The moment, or now if it is in the future. */
  notAfterNow(moment: Date): Date {
    return this.isPast(moment) ? moment : this.options.now;
  }

  isPast(moment: Date): boolean {
    return moment.getTime() <= this.options.now.getTime();
  }

  /**
   * One transaction, in which several people may do something at several times. It does not wait for the disk: if
   * PostgreSQL is killed, the next run does again what was done in the last half a second.
   */
  async batch<T>(work: (trx: Transaction) => Promise<T>): Promise<T> {
    const { tenants, hospital, sealer } = this.options;
    const result = await tenants.inTenant(hospital, async (trx) => {
      const [done] = await Promise.all([work(trx), trx.query('SET LOCAL synchronous_commit TO off')]);
      return done;
    });
    sealer.wrote(hospital);
    return result;
  }

  /**
   * Does something as somebody at a time. `work` starts at once, and its statements before its first `await` get this time
   * even if somebody else does something in the same transaction meanwhile.
   */
  async as<T>(trx: Transaction, { caller }: Actor, moment: Date, work: (work: Work) => Promise<T>): Promise<T> {
    const isSet = trx.setMoment(moment);
    const done = workAs(trx, this.options.hospital, { caller, ...SOURCE }, (open) => {
      const addTask: Work['addTask'] = (task, input, ...rest) => {
        // Nobody reads the mail of somebody who does not exist.
        if (task.name === employeeInvitation.name) return open.addTask(employeeAccount, input as never, ...rest);
        if (this.#isWanted(task, moment, rest[0]?.runAt)) open.addTask(task, input, ...rest);
      };
      // Lists that somebody looks at meanwhile would be read again for each record.
      return work({ ...open, addTask, changed: () => undefined });
    });
    const [{ result }] = await Promise.all([done, isSet]);
    return result;
  }

  #isWanted({ name }: Pick<TaskName, 'name'>, moment: Date, runAt: Date | undefined): boolean {
    if (UNWANTED.has(name)) return false;
    if (TIMELY.has(name) && runAt) return !this.isPast(runAt);
    return !DOCUMENTS.has(name) || moment >= this.#documentsFrom;
  }
}

/** The first page of a list, as large as it gets. */
export const FIRST: RecordQuery = {
  ...{ page: 1, limit: 100, sort: [], q: undefined, byMatch: false, from: undefined, to: undefined },
  ...{ includeDeleted: false, filters: {} },
};

/** Ids by code. */
export function byCode({ data }: { readonly data: readonly { readonly code: string; readonly id: string }[] }) {
  return new Map(data.map(({ code, id }) => [code, id]));
}

/** Later than a moment. */
export function after(moment: Date, minutes: number): Date {
  return new Date(moment.getTime() + Math.round(minutes * MINUTE));
}

/** The later one. */
export function latest(moment: Date, other = moment): Date {
  return moment > other ? moment : other;
}
