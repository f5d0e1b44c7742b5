/** One day of the hospital, in one transaction: what happens is run in the order of time, as far as it is past. */
import type { Transaction } from '@hms/database';
import type { Work } from '@hms/service';
import { Agenda } from './agenda.ts';
import type { Doctor } from './clinics.ts';
import type { Laboratory } from './laboratory.ts';
import type { PatientBook } from './patients.ts';
import type { PriceList } from './prices.ts';
import { type Actor, after, type SeedRun } from './run.ts';
import type { Staff } from './staff.ts';
import type { Pharmacy } from './stock.ts';

export interface Place {
  readonly staff: Staff;
  readonly book: PatientBook;
  readonly laboratory: Laboratory;
  readonly pharmacy: Pharmacy;
  readonly prices: PriceList;
}

/** What was created. */
export interface Counts {
  appointments: number;
  waiting: number;
  tokens: number;
  orders: number;
  prescriptions: number;
  dispenses: number;
  invoices: number;
  payments: number;
  visitors: number;
}

/** A consultation. */
export interface Visit {
  /** What is random about it follows from this. */
  readonly key: string;
  readonly patientId: string;
  readonly doctor: Doctor;
  readonly begins: Date;
  readonly ends: Date;
}

export class Day {
  readonly run: SeedRun;
  readonly place: Place;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** What happened until then was done by an earlier run. */
  readonly from: Date;
  readonly counts: Counts;
  readonly #trx: Transaction;
  readonly #agenda = new Agenda();

  constructor(
    trx: Transaction,
    { run, place, date, from, counts }: Pick<Day, 'run' | 'place' | 'date' | 'from' | 'counts'>,
  ) {
    this.#trx = trx;
    this.run = run;
    this.place = place;
    this.date = date;
    this.from = from;
    this.counts = counts;
  }

  /** @param minutes after midnight */
  moment(minutes: number): Date {
    return this.run.at(this.date, minutes);
  }

  as<T>(actor: Actor, moment: Date, work: (work: Work) => Promise<T>): Promise<T> {
    return this.run.as(this.#trx, actor, moment, work);
  }

  /** Whether a moment belongs to what is done now. */
  isNew(moment: Date): boolean {
    return moment > this.from && moment >= this.moment(0) && moment < this.moment(24 * 60);
  }

  /** Something that is going to happen. What should have happened before the begin happens then. */
  plan(moment: Date, happens: () => Promise<void>): void {
    this.#agenda.add(moment, happens);
  }

  /** Does what is planned, and what that leads to. What is left of the evening happens before midnight. */
  async live(): Promise<void> {
    await this.#agenda.runUntil(this.run.notAfterNow(after(this.moment(24 * 60), -1 / 60)));
  }
}
