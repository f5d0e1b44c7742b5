/** People who come, with an appointment or without one, wait for a token to be called, and are seen by a doctor. */
import { missAppointment } from '@hms/domain/appointments';
import { checkInAppointment } from '@hms/domain/check-in';
import {
  callEntry,
  cancel,
  type Entry,
  entries,
  finish,
  join,
  markNoShow,
  newEntry,
  recall,
  serve,
  skip,
} from '@hms/domain/queue';
import { records } from '@hms/service';
import { expected, refusedOr } from './bookings.ts';
import { plannedOn } from './calendar.ts';
import { isFor } from './clinics.ts';
import { consult } from './consultations.ts';
import type { Day } from './day.ts';
import { Random } from './random.ts';
import { after, FIRST, latest } from './run.ts';
import { type Room, roomsOf, turnOf, type Waiting } from './waiting.ts';

/** When the desk knows who is expected. */
const MORNING = 7 * 60;
/** Minutes after which somebody who has not come is missing. */
const MISSING = 30;
/** Minutes before a doctor's day ends, from which on nobody comes without an appointment. */
const LAST = 60;
/** The waiting rooms of a day. */
export class Reception {
  readonly #day: Day;
  readonly #rooms: readonly Room[];
  readonly #waiting = new Set<Waiting>();

  constructor(day: Day) {
    this.#day = day;
    this.#rooms = roomsOf(day);
  }

  /** @param walkIns how many people come without an appointment */
  async open(share: number, walkIns: number): Promise<void> {
    const day = this.#day;
    const morning = day.moment(MORNING);
    const begin = latest(morning, day.from);
    day.plan(begin, async () => {
      if (day.from > morning) await this.#goOn(begin);
      await this.#expect(begin, share);
    });
    for (let index = 0; index < walkIns; index += 1) this.#planWalkIn(index, walkIns);
    for (const room of this.#rooms) {
      const opens = after(room.opens, new Random(day.date, room.doctor.lastName).next() * 6);
      this.#plan(latest(opens, begin), async (at) => {
        if (!room.isTaken) await this.#next(room, at);
      });
    }
  }

  async #expect(moment: Date, share: number): Promise<void> {
    const day = this.#day;
    const { staff } = day.place;
    const missing = new Set(
      plannedOn(day.run, staff.doctors, day.date, share)
        .filter(({ fate }) => fate === 'is missing')
        .map(({ doctor, startsAt }) => `${doctor.employeeId} ${startsAt.getTime()}`),
    );
    for (const { id, appointmentNo, doctorId, startsAt } of await expected(day, moment)) {
      const begins = new Date(startsAt);
      const random = new Random(day.run.options.seed, appointmentNo, 'arrival');
      const receptionist = random.oneOf(staff.receptionists);
      const key = `${day.run.options.seed}/${appointmentNo}`;
      const over = after(begins, MISSING);
      const isMissing = async () => {
        await refusedOr(day.as(receptionist, over, (work) => missAppointment(work, id, undefined)));
      };
      const comes = after(begins, random.chance(0.85) ? -random.between(3, 25) : random.between(1, 12));
      const isGone = missing.has(`${doctorId} ${begins.getTime()}`);
      if (day.isNew(over) && isGone) day.plan(over, isMissing);
      // Who should have come before was refused by an earlier run.
      if (isGone || !day.isNew(comes)) continue;
      day.plan(comes, async () => {
        const visit = { moment: comes, key, doctorId, readyAt: after(begins, -random.between(1, 8)) };
        const isHere = await this.#come(visit, () =>
          day.as(
            receptionist,
            comes,
            async (work) => (await checkInAppointment(work, id, { priority: 0 }, undefined)).entry,
          ),
        );
        // They wait in this clinic already.
        if (!isHere) day.plan(over, isMissing);
      });
    }
  }

  /** Those whom an earlier run has left in the queue. */
  async #goOn(moment: Date): Promise<void> {
    const day = this.#day;
    const filters = { serviceDate: day.date };
    const { data } = await day.as(day.place.staff.admin, moment, (work) =>
      records(work, entries).list({ ...FIRST, filters }),
    );
    for (const entry of data) {
      const key = `${day.date}/${entry.label}`;
      const one: Waiting = { key, entry, doctorId: undefined, readyAt: moment, leavesAt: undefined };
      const isLive = entry.status === 'waiting' || entry.status === 'called' || entry.status === 'serving';
      const room = this.#rooms.find(({ doctor }) => isLive && doctor.roomId === entry.roomId);
      if (room && entry.status !== 'waiting') room.isTaken = true;
      if (entry.status === 'waiting') this.#waiting.add(one);
      else if (room && entry.status === 'called') this.#plan(after(moment, 1), (at) => this.#serve(room, one, at));
      else if (room && entry.status === 'serving') this.#plan(after(moment, 5), (at) => this.#finish(room, one, at));
    }
  }

  #planWalkIn(index: number, number: number): void {
    const day = this.#day;
    const key = `${day.run.options.seed}/${day.date}/${index}`;
    const random = new Random(key, 'visit');
    const { doctor, opens, closes } = random.oneOf(this.#rooms);
    const minutes = (closes.getTime() - opens.getTime()) / 60_000 - LAST;
    const comes = after(opens, ((index + random.next()) / number) * minutes);
    if (!day.isNew(comes)) return;
    const isWeekend = day.run.isWeekend(day.date);
    day.plan(comes, async () => {
      const patientId = day.place.book.somebody(random, comes, (age) => isWeekend || isFor(doctor.clinic, age));
      if (patientId === undefined) return;
      const body = newEntry.parse({ patientId, priority: random.chance(0.04) ? 2 : 0 });
      const receptionist = random.oneOf(day.place.staff.receptionists);
      const readyAt = after(comes, random.between(4, 15));
      await this.#come({ moment: comes, key, doctorId: undefined, readyAt }, () =>
        day.as(receptionist, comes, (work) => join(work, doctor.clinicId, body)),
      );
    });
  }

  /** @returns whether they got a token */
  async #come(
    { moment, key, ...visit }: Pick<Waiting, 'key' | 'doctorId' | 'readyAt'> & { readonly moment: Date },
    enter: () => Promise<Entry>,
  ): Promise<boolean> {
    const entry = await refusedOr(enter());
    if (!entry) return false;
    const random = new Random(key, 'patience');
    const leavesAt = random.chance(0.03) ? after(moment, random.between(25, 60)) : undefined;
    this.#day.counts.tokens += 1;
    const readyAt = latest(visit.readyAt, after(moment, 1));
    const waiting = { ...visit, key, entry, readyAt, leavesAt };
    this.#waiting.add(waiting);
    this.#plan(readyAt, async (at) => {
      const room = this.#rooms.find((one) => one.isIdle && this.#mayCall(one, waiting, at));
      if (room) await this.#next(room, at);
    });
    return true;
  }

  #mayCall(
    { doctor, closes }: Pick<Room, 'doctor' | 'closes'>,
    { entry, doctorId, readyAt }: Waiting,
    moment: Date,
  ): boolean {
    if (entry.clinicId !== doctor.clinicId || readyAt > moment) return false;
    if (doctorId !== undefined) return doctorId === doctor.employeeId;
    const others = this.#rooms.filter((other) => other.doctor.clinicId === doctor.clinicId && other.closes > moment);
    return moment < closes || others.length === 0;
  }

  /** Calls whoever is next. */
  async #next(room: Room, moment: Date): Promise<void> {
    const day = this.#day;
    const { doctor } = room;
    for (const one of [...this.#waiting].filter(({ leavesAt }) => leavesAt && leavesAt <= moment)) {
      this.#waiting.delete(one);
      const reason = 'Did not want to wait any longer';
      await day.as(doctor, moment, (work) => cancel(work, one.entry.id, { reason }));
    }
    const [next] = [...this.#waiting]
      .filter((one) => this.#mayCall(room, one, moment))
      .sort((one, other) => turnOf(one) - turnOf(other));
    room.isIdle = next === undefined;
    if (!next) return;
    this.#waiting.delete(next);
    const random = new Random(next.key, 'call', next.entry.calls);
    next.entry = await day.as(doctor, moment, (work) => callEntry(work, next.entry.id, doctor.roomId, undefined));
    const kind = random.next();
    const comes = after(moment, 0.3 + random.next() * 1.5);
    if (kind < 0.93) return this.#plan(comes, (at) => this.#serve(room, next, at));
    this.#plan(after(moment, 2), async (again) => {
      next.entry = await day.as(doctor, again, (work) => recall(work, next.entry.id, undefined));
      if (kind < 0.96) return this.#plan(after(again, 1), (at) => this.#serve(room, next, at));
      this.#plan(after(again, 2), async (at) => {
        const isGone = kind > 0.99 || next.entry.calls > 2;
        next.entry = await day.as(doctor, at, (work) => (isGone ? markNoShow : skip)(work, next.entry.id, undefined));
        if (!isGone) this.#waiting.add(next);
        await this.#next(room, at);
      });
    });
  }

  async #serve(room: Room, one: Waiting, moment: Date): Promise<void> {
    const { doctor } = room;
    one.entry = await this.#day.as(doctor, moment, (work) => serve(work, one.entry.id, undefined));
    const random = new Random(one.key, 'consultation');
    const minutes = doctor.slotMinutes * (0.35 + 0.6 * random.next() + (random.chance(0.1) ? 0.4 : 0));
    const ends = after(moment, minutes);
    this.#plan(ends, (at) => this.#finish(room, one, at));
    const { patientId } = one.entry;
    if (patientId !== null) consult(this.#day, { key: one.key, patientId, doctor, begins: moment, ends });
  }

  async #finish(room: Room, one: Waiting, moment: Date): Promise<void> {
    await this.#day.as(room.doctor, moment, (work) => finish(work, one.entry.id, undefined));
    this.#plan(after(moment, 0.5 + new Random(one.key, 'pause').next()), (at) => this.#next(room, at));
  }

  #plan(moment: Date, happens: (moment: Date) => Promise<void>): void {
    this.#day.plan(moment, () => happens(moment));
  }
}
