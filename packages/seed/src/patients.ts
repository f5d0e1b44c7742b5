/** The patients of a hospital, with their families and memberships. */
import { changeFamily, lockJoined, registerPatient, registerRelative, setPrimaryContact } from '@hms/domain/families';
import { patients, type Registration, registeredBy } from '@hms/domain/patients';
import { fields, newId, records } from '@hms/service';
import { ensureTiers, joinTier } from './memberships.ts';
import { detailsAt, type Origin, personAt, type Registered } from './people.ts';
import { Random } from './random.ts';
import { type Actor, after, latest, type SeedRun } from './run.ts';
import type { Staff } from './staff.ts';

/** Patients of one transaction. Others who register somebody meanwhile wait for it, about a tenth of a second. */
const BATCH = 100;
/** The share of patients who were registered before the first day, in the year before it. */
const FORMER = 0.4;
const FORMER_DAYS = 365;
const DAY = 24 * 60;
/** The reception is open from 7:30 to 18:30. */
const OPENS = 7.5 * 60;
const OPEN_MINUTES = 11 * 60;
/** Later in the time of a hospital, this is enough to find somebody who is registered. */
const TRIES = 100;
/** One patient in so many is a member of a VIP tier, and as many with their whole family. */
const MEMBERS = 40;
/** Some patients between the one and the other. */
const FAMILIES_AFTER = 20;

export class PatientBook {
  readonly #run: SeedRun;
  readonly #entries: Registration[];
  readonly #numbers = new Map<string, number>();

  private constructor(run: SeedRun, entries: Iterable<Registration>) {
    this.#run = run;
    this.#entries = [];
    this.#add(entries);
  }

  /** Reads whom the receptionists have registered, and registers the others. */
  static async fill(run: SeedRun, staff: Staff): Promise<{ readonly book: PatientBook; readonly created: number }> {
    const accounts = staff.receptionists.map(({ caller }) => caller.sub);
    const known = await run.batch((trx) =>
      run.as(trx, staff.admin, new Date(), (work) => registeredBy(work, accounts)),
    );
    await requireSameSeed(run, staff, known);
    const book = new PatientBook(run, known);
    const before = known.length;
    const tiers = await ensureTiers(run, staff, book.#momentOf(0));
    const wanted = run.options.patients;
    await run.options.part(`registering ${Math.max(0, wanted - before)} patients`, async (progress) => {
      progress(() => `${book.count} of ${wanted}`);
      while (book.count < wanted) await book.#register(staff, tiers, Math.min(BATCH, wanted - book.count));
    });
    return { book, created: book.count - before };
  }

  get count(): number {
    return this.#entries.length;
  }

  /**
   * Somebody who is registered at a moment. Whoever came lately comes again sooner.
   * @param fits is asked for the age at the time of the visit, which may be later
   */
  somebody(
    random: Random,
    moment: Date,
    fits: (age: number) => boolean = () => true,
    visit = moment,
  ): string | undefined {
    const today = this.#dayOf(visit);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const among = random.chance(0.5) ? this.count : Math.ceil(this.count / 4);
      const entry = this.#entries[this.count - 1 - random.below(among)];
      if (!entry || entry.isDeleted || entry.registeredAt > moment) continue;
      if (fits(ageOn(today, entry.dateOfBirth))) return entry.id;
    }
    return undefined;
  }

  /** In full years. Somebody whom the seed has not registered counts as grown up. */
  ageOf(patientId: string, moment: Date): number {
    return ageOn(this.#dayOf(moment), this.#entries[this.#numbers.get(patientId) ?? -1]?.dateOfBirth ?? null);
  }

  /** As they were registered first. @throws Error if the seed has not registered them. */
  personOf(patientId: string): Registered {
    const number = this.#numbers.get(patientId);
    if (number === undefined) throw new Error(`the seed has not registered ${patientId}`);
    return personAt(this.#run.options.seed, number);
  }

  /** The codes of the patients, by number. */
  get codes(): readonly string[] {
    return this.#entries.map(({ code }) => code);
  }

  #add(entries: Iterable<Registration>): void {
    for (const entry of entries) {
      this.#numbers.set(entry.id, this.count);
      this.#entries.push(entry);
    }
  }

  #dayOf(moment: Date): string {
    return fields.today(this.#run.options.hospital.timezone, moment);
  }

  async #register(staff: Staff, tiers: readonly string[], count: number): Promise<void> {
    const first = this.count;
    const numbers = Array.from({ length: count }, (_, index) => first + index);
    const added = await this.#run.batch(async (trx) => {
      const newcomers = numbers.map((number) => this.#newcomer(staff, number));
      /** What a number joins, of those whose family is there before this batch or begins with it. */
      const familyOf = (number: number) =>
        newcomers[number - first]?.familyId ?? this.#entries[number]?.familyId ?? null;
      for (const family of new Set(newcomers.flatMap(({ origin }) => joined(origin)))) {
        const id = family < first && familyOf(family);
        if (id) await this.#run.as(trx, staff.admin, new Date(), (work) => lockJoined(work, { id, relation: 'other' }));
      }
      // Their statements travel together.
      const registered = await Promise.all(
        newcomers.map(async ({ person, origin, receptionist, ...newcomer }) => {
          const [head] = joined(origin);
          const id = head === undefined ? null : familyOf(head);
          const relation = (origin.kind === 'relative' && origin.relation) || 'other';
          const patient = await this.#run.as(trx, receptionist, newcomer.registeredAt, (work) =>
            id === null
              ? registerPatient(work, person, newcomer.familyId)
              : registerRelative(work, person, { id, relation }),
          );
          const { id: patientId, familyId, patientCode: code } = patient;
          const { dateOfBirth } = newcomer;
          return { ...newcomer, id: patientId, familyId, code, dateOfBirth, isDeleted: false, origin, receptionist };
        }),
      );
      for (const { id, familyId, number, origin, receptionist, registeredAt } of registered) {
        const soon = this.#run.notAfterNow(after(registeredAt, 2));
        // A parent pays for a child who was registered first, and is whom the hospital calls.
        if (familyId !== null && origin.kind === 'relative' && origin.relation === 'parent') {
          const head = registered.find((one) => one.number === origin.of) ?? this.#entries[origin.of];
          const others = registered.filter((one) => one.familyId === familyId && one.id !== id && one !== head);
          const relations = [
            ...(head ? [{ patientId: head.id, relation: 'child' as const }] : []),
            ...others.map((one) => ({ patientId: one.id, relation: toParent(one.origin) })),
          ];
          await this.#run.as(trx, receptionist, soon, async (work) => {
            await changeFamily(work, familyId, { payerId: id }, undefined);
            await setPrimaryContact(work, familyId, { patientId: id, relations }, undefined);
          });
        }
        const nth = number % MEMBERS;
        if (nth !== MEMBERS - 1 && (nth !== FAMILIES_AFTER || familyId === null)) continue;
        const tierId = new Random(this.#run.options.seed, 'tier', number).oneOf(tiers);
        const holder = nth === FAMILIES_AFTER ? { familyId: familyId ?? undefined } : { patientId: id };
        await joinTier(this.#run, trx, staff, { number, holder: { ...holder, tierId }, registeredAt });
      }
      return registered;
    });
    this.#add(added);
  }

  /** What the reception writes. Whoever is alone begins a family with this id. */
  #newcomer({ receptionists }: Staff, number: number) {
    const { seed } = this.#run.options;
    const { origin, sex: _, country: __, ...person } = personAt(seed, number);
    return {
      ...{ number, origin, dateOfBirth: person.dateOfBirth },
      ...{ familyId: joined(origin).length > 0 ? undefined : newId() },
      person: patients.create.parse({ ...person, ...detailsAt(seed, number) }),
      receptionist: new Random(seed, 'registration', number).oneOf<Actor>(receptionists),
      // Numbers are given in the order of time, also if an earlier run had others.
      registeredAt: latest(this.#momentOf(number), this.#entries.at(-1)?.registeredAt),
    };
  }

  /** The numbers are given in the order of time. */
  #momentOf(index: number): Date {
    const { patients: wanted, days } = this.#run.options;
    const share = (index + 0.5) / Math.max(wanted, this.count);
    const former = share < FORMER;
    const daysAfterOpening = former ? (share / FORMER - 1) * FORMER_DAYS : ((share - FORMER) / (1 - FORMER)) * days;
    const day = Math.floor(daysAfterOpening);
    const moment = after(
      this.#run.at(this.#run.days[0] ?? '', 0),
      day * DAY + OPENS + (daysAfterOpening - day) * OPEN_MINUTES,
    );
    return this.#run.notAfterNow(moment);
  }
}

/** What a relative of somebody is to a parent of that one. Relations have no name for a grandchild. */
function toParent(origin: Origin): 'child' | 'other' {
  return origin.kind === 'relative' && origin.relation === 'other' ? 'child' : 'other';
}

/** Full years. Who has no known day of birth is grown up. @param today `YYYY-MM-DD` */
function ageOn(today: string, dateOfBirth: string | null): number {
  if (dateOfBirth === null) return Number.POSITIVE_INFINITY;
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}

/** The number whose family somebody joins, if they join one. */
function joined(origin: Origin): readonly number[] {
  return origin.kind === 'relative' && origin.relation !== undefined ? [origin.of] : [];
}

/** @throws Error if the numbers of the patients belong to other people. */
async function requireSameSeed(run: SeedRun, { admin }: Staff, known: readonly Registration[]): Promise<void> {
  const number = known.findIndex(({ isDeleted }) => !isDeleted);
  const entry = known[number];
  if (!entry) return;
  const found = await run.batch((trx) =>
    run.as(trx, admin, new Date(), (work) => records(work, patients).read(entry.id)),
  );
  const { lastName, dateOfBirth } = personAt(run.options.seed, number);
  // Somebody may have corrected one of them.
  if (found.lastName === lastName || found.dateOfBirth?.startsWith(dateOfBirth)) return;
  throw new Error(`the hospital was seeded with another number than ${run.options.seed}: give that one as --seed`);
}
