/** What speaks against giving drugs to a patient. Pure. */
import type { Drug, KnownInteraction } from '../drugs/drugs.ts';
import { type Weight, weightProblems } from './weight.ts';

/** A drug as somebody takes it. */
export interface Taken {
  readonly drug: Pick<
    Drug,
    'id' | 'name' | 'ingredients' | 'allergyGroups' | 'maxDailyDose' | 'mgPerUnit' | 'maxDailyMgPerKg'
  >;
  /** Units in a day. */
  readonly dailyDose: number;
}

/** A drug that the patient takes already. */
export interface Current extends Taken {
  readonly prescriptionId: string;
  readonly rxNo: string;
}

interface Allergy {
  readonly substance: string;
  readonly severity: string;
}

export interface Facts {
  readonly wanted: readonly Taken[];
  readonly current: readonly Current[];
  /** Null if nobody has asked. */
  readonly allergies: readonly Allergy[] | null;
  readonly interactions: readonly KnownInteraction[];
  /** One spelling of all substances, by the text. */
  readonly spellings: ReadonlyMap<string, string>;
  /** Of the patient. Null if nobody has said it. */
  readonly weight: Weight | null;
  /** In the calendar of the hospital, `YYYY-MM-DD`. */
  readonly today: string;
}

export const FINDING_KINDS = ['allergy', 'interaction', 'duplicate', 'dose', 'weight'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface Finding {
  /** Names the finding, also when the checks run again: what it is about. */
  readonly finding: string;
  readonly kind: FindingKind;
  /** Whether it can be prescribed or dispensed only with a reason. */
  readonly needsReason: boolean;
  /** The drugs in question. */
  readonly drugIds: readonly string[];
  readonly message: string;
  readonly details: Readonly<Record<string, string | number>>;
}

/** The most dangerous ones come first. */
export function check(facts: Facts): readonly Finding[] {
  const all = [
    ...allergyFindings(facts).toSorted(bySeverity),
    ...interactionFindings(facts).toSorted(bySeverity),
    ...duplicateFindings(facts),
    ...doseFindings(facts),
    ...weightFindings(facts),
  ];
  // Two lines may give the same drug, one of them as a substitute.
  return [...new Map(all.map((one) => [one.finding, one])).values()];
}

/** From the least to the most dangerous, of allergies and of interactions. */
const SEVERITIES = ['minor', 'mild', 'moderate', 'severe'];

function bySeverity(one: Finding, other: Finding): number {
  const rank = ({ details }: Finding) => SEVERITIES.indexOf(String(details.severity));
  return rank(other) - rank(one);
}

function allergyFindings({ wanted, allergies, spellings }: Facts): readonly Finding[] {
  return wanted.flatMap(({ drug }) => {
    const names = [drug.name, ...drug.ingredients, ...drug.allergyGroups];
    return (allergies ?? []).flatMap(({ substance, severity }) => {
      const name = names.find((one) => isSameSubstance(spelled(spellings, one), spelled(spellings, substance)));
      if (name === undefined) return [];
      return [
        {
          finding: `allergy/${drug.id}/${spelled(spellings, substance)}`,
          kind: 'allergy',
          needsReason: true,
          drugIds: [drug.id],
          message: `${drug.name}: the patient is allergic to ${substance} (${severity})`,
          details: { drug: drug.name, allergy: substance, severity, contains: name },
        } as const,
      ];
    });
  });
}

/** Words of fewer letters are parts of many names. */
const SHORTEST_STEM = 5;

/** Also singular and plural, and a drug that is named after the substance: `penicillin` and `penicillins`, `penicillin v`. */
export function isSameSubstance(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return long === short || (short.length >= SHORTEST_STEM && long.startsWith(short));
}

function interactionFindings({ wanted, current, interactions, spellings }: Facts): readonly Finding[] {
  const all = [...wanted, ...current];
  const contains = ({ drug }: Taken, key: string) => drug.ingredients.some((one) => spelled(spellings, one) === key);
  const found = new Map<string, Finding>();
  for (const one of wanted) {
    for (const other of all) {
      if (other === one || other.drug.id === one.drug.id) continue;
      for (const { a, b, severity, effect } of interactions) {
        const isAmong = (contains(one, a) && contains(other, b)) || (contains(one, b) && contains(other, a));
        if (!isAmong) continue;
        const key = `interaction/${[one.drug.id, other.drug.id].sort().join('/')}/${[a, b].sort().join('/')}`;
        found.set(key, {
          finding: key,
          kind: 'interaction',
          needsReason: severity !== 'minor',
          drugIds: [one.drug.id, other.drug.id],
          message: `${one.drug.name} and ${other.drug.name}: ${effect}`,
          details: { drug: one.drug.name, other: other.drug.name, severity, effect, ...sourceOf(other) },
        });
      }
    }
  }
  return [...found.values()];
}

/** The same ingredient twice. The same drug twice in one prescription is refused before. */
function duplicateFindings({ wanted, current, spellings }: Facts): readonly Finding[] {
  return wanted.flatMap((one, index) =>
    [...wanted.slice(index + 1), ...current].flatMap((other) => {
      const keys = other.drug.ingredients.map((ingredient) => spelled(spellings, ingredient));
      const ingredient = one.drug.ingredients.find((mine) => keys.includes(spelled(spellings, mine)));
      if (ingredient === undefined) return [];
      const source = sourceOf(other);
      return [
        {
          finding: `duplicate/${one.drug.id}/${other.drug.id}/${source.prescriptionId ?? ''}`,
          kind: 'duplicate',
          needsReason: true,
          drugIds: [one.drug.id, other.drug.id],
          message: `${one.drug.name}: the patient ${'rxNo' in source ? `takes ${ingredient} already` : `would get ${ingredient} twice`}`,
          details: { drug: one.drug.name, other: other.drug.name, ingredient, ...source },
        } as const,
      ];
    }),
  );
}

function doseFindings({ wanted, current }: Facts): readonly Finding[] {
  return wanted.flatMap(({ drug }) => {
    const { maxDailyDose } = drug;
    const same = [...wanted, ...current].filter((other) => other.drug.id === drug.id);
    const total = sum(same.map(({ dailyDose }) => dailyDose));
    if (maxDailyDose === null || total <= maxDailyDose) return [];
    return [
      {
        // A higher dose than the one that somebody gave a reason for is another finding, and so is a lower limit.
        finding: `dose/${drug.id}/${total}/${maxDailyDose}`,
        kind: 'dose',
        needsReason: true,
        drugIds: [drug.id],
        message: `${drug.name}: ${total} units a day are more than ${maxDailyDose}`,
        details: { drug: drug.name, dailyDose: total, maxDailyDose },
      } as const,
    ];
  });
}

/** Doses have at most three decimals, and 0.1 + 0.2 must be 0.3. */
function sum(doses: readonly number[]): number {
  return doses.reduce((total, dose) => total + Math.round(dose * 1000), 0) / 1000;
}

/** Doses by weight, of drugs that have a limit. Everything with the same ingredients counts. */
function weightFindings({ wanted, current, weight, today, spellings }: Facts): readonly Finding[] {
  const substanceOf = ({ drug }: Taken) =>
    JSON.stringify(drug.ingredients.map((one) => spelled(spellings, one)).toSorted());
  // Two lines may give the same drug, one of them as a substitute.
  const each = [...new Map(wanted.map((one) => [one.drug.id, one])).values()];
  return each.flatMap((one) => {
    const { id, name, maxDailyMgPerKg } = one.drug;
    if (maxDailyMgPerKg === null) return [];
    const same = [...wanted, ...current].filter((other) => substanceOf(other) === substanceOf(one));
    return weightProblems(same, { maxDailyMgPerKg, weight, today }).map(
      ({ key, message, details }) =>
        ({
          finding: `weight/${id}/${key}`,
          kind: 'weight',
          needsReason: true,
          drugIds: [id],
          message: `${name}: ${message}`,
          details: { drug: name, ...details },
        }) as const,
    );
  });
}

function sourceOf(taken: Taken | Current): { readonly prescriptionId?: string; readonly rxNo?: string } {
  return 'rxNo' in taken ? { prescriptionId: taken.prescriptionId, rxNo: taken.rxNo } : {};
}

function spelled(spellings: ReadonlyMap<string, string>, text: string): string {
  const key = spellings.get(text);
  if (key === undefined) throw new Error(`${text} has no spelling`);
  return key;
}
