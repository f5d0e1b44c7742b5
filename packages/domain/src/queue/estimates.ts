/**
 * How long people wait, from what the clinic's history says. Pure.
 *
 * Someone with n people ahead waits for n + 1 calls. A pace is a wait of the past divided by those calls, so that the
 * waits of people with about as many ahead can be compared.
 */
import type { Estimate, EstimateBasis } from './record.ts';

/** People ahead from which the next group begins. */
export const GROUPS = [1, 3, 6, 11, 21] as const;
/** Fewer waits than this say too little. */
const FEWEST = 30;
/** Fewer estimates than this say too little of how right they were. */
const FEWEST_ESTIMATES = 100;
/** How much longer the slow ones wait than the usual ones, without a history. */
const RULE_SPREAD = 1.5;
/**
 * The ratios of the latest waits are of estimates that were corrected themselves, so they show only what is left of an
 * error. To the power of 2, two thirds of it are corrected in the end, and to the power of 1, half of it.
 */
const CORRECTION_POWER = 2;
const LARGEST_CORRECTION = 2;
const MOST_MINUTES = 24 * 60;

/** The parts of the history, what is most like this hour first. */
const LADDER = ['hour_of_week', 'hour_of_day', 'clinic'] as const satisfies readonly EstimateBasis[];

interface Quantiles {
  readonly p50: number;
  readonly p80: number;
}

/** What one part of the history says. */
export interface Past extends Quantiles {
  /** Of `estimates`, the quantiles are ratios: the wait by its estimate. Otherwise they are paces in minutes. */
  readonly of: (typeof LADDER)[number] | 'estimates';
  /** As `groupOf` says. Null: all groups together. */
  readonly group: number | null;
  readonly waits: number;
}

interface Pace extends Quantiles {
  readonly basis: EstimateBasis;
}

/** What a clinic's history says now. */
export interface History {
  /** Of each group. None: the history says too little. */
  readonly paces: readonly Pace[];
  /** What estimates are multiplied by, because the latest ones were too short or too long. */
  readonly correction: Quantiles;
}

/** What the estimate uses without a history. */
export interface Rule {
  /** Minutes of an appointment. */
  readonly slotMinutes: number;
  /** Rooms in which people are seen at the moment. */
  readonly rooms: number;
}

/** For each group, what the first part of the history says that has enough of it, and otherwise all groups together. */
export function historyOf(past: readonly Past[]): History {
  const paceOf = (basis: (typeof LADDER)[number], group: number | null): Pace | undefined => {
    const found = past.find((one) => one.of === basis && one.group === group && one.waits >= FEWEST);
    return found && { p50: found.p50, p80: found.p80, basis };
  };
  const whole = paceOf('clinic', null);
  const groups = [0, ...GROUPS].map(groupOf);
  const ratios = past.find(({ of, waits }) => of === 'estimates' && waits >= FEWEST_ESTIMATES);
  return {
    paces: whole ? groups.map((group) => firstOf(LADDER, (basis) => paceOf(basis, group)) ?? whole) : [],
    correction: { p50: correctionOf(ratios?.p50 ?? 1), p80: correctionOf(ratios?.p80 ?? 1) },
  };
}

/** @param ahead how many people are ahead */
export function estimateWait({ paces, correction }: History, { slotMinutes, rooms }: Rule, ahead: number): Estimate {
  const basis = paces[groupOf(ahead)]?.basis ?? 'rule';
  if (basis === 'rule') {
    const usual = (slotMinutes / Math.max(1, rooms)) * (ahead + 1);
    return { p50: wholeMinutes(usual), p80: wholeMinutes(usual * RULE_SPREAD), basis };
  }
  const p50 = wholeMinutes(minutesOf(paces, 'p50', ahead) * correction.p50);
  const p80 = wholeMinutes(minutesOf(paces, 'p80', ahead) * correction.p80);
  return { p50, p80: Math.max(p50, p80), basis };
}

/**
 * Nobody is told less than those ahead. The paces of two groups may differ so much that this needs a middle way: between
 * the longest wait with at most as many ahead, and the shortest with at least as many.
 */
function minutesOf(paces: History['paces'], quantile: keyof Quantiles, ahead: number): number {
  const minutes = (people: number) => (paces[groupOf(people)]?.[quantile] ?? 0) * (people + 1);
  // Within a group, minutes grow with the people ahead.
  const fewer = GROUPS.filter((from) => from <= ahead).map((from) => minutes(from - 1));
  const more = GROUPS.filter((from) => from > ahead).map((from) => minutes(from));
  return (Math.max(minutes(ahead), ...fewer) + Math.min(minutes(ahead), ...more)) / 2;
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** As `width_bucket` of PostgreSQL. */
function groupOf(ahead: number): number {
  return GROUPS.filter((from) => from <= ahead).length;
}

function correctionOf(ratio: number): number {
  return Math.min(LARGEST_CORRECTION, Math.max(1 / LARGEST_CORRECTION, ratio ** CORRECTION_POWER));
}

function wholeMinutes(minutes: number): number {
  return Math.min(MOST_MINUTES, Math.max(1, Math.round(minutes)));
}
