/** Waits until hospitals are as they should be, and reports meanwhile what they wait for. */

import type { HospitalObject } from '@hms/hospitals';
import { conditionLine, conditionsOf, isDone, isTrue, poll } from '@hms/local';
import { EXIT, Exit } from './exit.ts';
import type { Hospitals } from './hospitals.ts';

export interface Goal {
  /** As in `h is not <name> in time`. */
  readonly name: string;
  /** @param hospital undefined if it does not exist. */
  readonly reached: (hospital: HospitalObject | undefined) => boolean;
}

/** Ready, or closed if it is suspended. */
export const READY: Goal = { name: 'Ready', reached: (hospital) => hospital !== undefined && isDone(hospital) };
export const DELETED: Goal = { name: 'deleted', reached: (hospital) => hospital === undefined };

/** A condition with a status for the current spec. */
export function conditionGoal(type: string, status = 'True'): Goal {
  const name = status === 'True' ? type : `${type}=${status}`;
  if (status === 'True') return { name, reached: (hospital) => hospital !== undefined && isTrue(hospital, type) };
  return {
    name,
    reached: (hospital) =>
      conditionsOf(hospital ?? {}).some(
        (condition) =>
          condition.type === type &&
          condition.status === status &&
          (condition.observedGeneration ?? 0) >= (hospital?.metadata.generation ?? 0),
      ),
  };
}

export interface Patience {
  /** Milliseconds. */
  readonly timeout: number;
  /** Gets a line for people whenever there is something new. */
  readonly say?: (line: string) => void;
}

const REPORT_MS = 2_000;
/** A new operator takes over within this time. */
const SILENCE_MS = 3_000;

/**
 * Waits for all of them.
 * @returns their last states, without those that do not exist.
 * @throws Exit `timeout` that names those that are late with their conditions, and whether an operator answers;
 *   `notFound` if one that should exist does not.
 */
export async function waitFor(
  hospitals: Hospitals,
  names: readonly string[],
  goal: Goal,
  { timeout, say = () => undefined }: Patience,
): Promise<HospitalObject[]> {
  const report = new Report(hospitals, names.length, goal, say);
  let latest = new Map<string, HospitalObject>();
  const done = await poll(
    async () => {
      latest = await read(hospitals, names);
      if (goal !== DELETED) requireAll(names, latest);
      const late = names.filter((name) => !goal.reached(latest.get(name)));
      await report.about(late.flatMap((name) => latest.get(name) ?? []));
      return late.length === 0 || undefined;
    },
    { timeout, interval: names.length === 1 ? 200 : 1_000 },
  );
  const all = names.flatMap((name) => latest.get(name) ?? []);
  if (done) return all;
  throw new Exit(EXIT.timeout, await lateText(hospitals, all, goal));
}

async function read(hospitals: Hospitals, names: readonly string[]): Promise<Map<string, HospitalObject>> {
  const [name] = names;
  const one = names.length === 1 && name !== undefined ? await hospitals.find(name) : undefined;
  const found = names.length === 1 ? (one ? [one] : []) : await hospitals.list();
  return new Map(found.map((hospital) => [hospital.metadata.name, hospital]));
}

function requireAll(names: readonly string[], found: ReadonlyMap<string, HospitalObject>): void {
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0)
    throw new Exit(EXIT.notFound, `there is no hospital ${missing.join(', ')}: hmsctl hospital list shows all.`);
}

async function lateText(hospitals: Hospitals, all: readonly HospitalObject[], goal: Goal): Promise<string> {
  const silence = await hospitals.silence();
  const late = all.filter((hospital) => !goal.reached(hospital));
  const goes = goal === DELETED ? 'the deletion continues' : 'the operator keeps trying';
  return late
    .flatMap((hospital) => [
      `hospital ${hospital.metadata.name} is not ${goal.name} in time; ${silence ?? goes}.${goal === DELETED ? '' : ' Its conditions:'}`,
      ...(goal === DELETED ? teardownLines(hospital) : conditionsOf(hospital).map(conditionLine)),
    ])
    .join('\n');
}

function teardownLines(hospital: HospitalObject): string[] {
  const unfinished = (hospital.status?.teardown ?? []).filter((part) => !part.done).map((part) => part.backend);
  const deleting = conditionsOf(hospital).filter((condition) => condition.type === 'Deleting');
  return [
    ...(unfinished.length > 0 ? [`    not finished: ${unfinished.join(', ')}`] : []),
    ...deleting.map(conditionLine),
  ];
}

/** Says how far it is, at most every two seconds and never twice the same. */
class Report {
  readonly #hospitals: Hospitals;
  readonly #total: number;
  readonly #goal: Goal;
  readonly #say: (line: string) => void;
  readonly #began = Date.now();
  #last = '';
  #silence = '';
  #at = 0;
  #asked = Date.now();

  constructor(hospitals: Hospitals, total: number, goal: Goal, say: (line: string) => void) {
    this.#hospitals = hospitals;
    this.#total = total;
    this.#goal = goal;
    this.#say = say;
  }

  async about(late: readonly HospitalObject[]): Promise<void> {
    const now = Date.now();
    if (now - this.#asked >= SILENCE_MS && late.length > 0) {
      this.#asked = now;
      const silence = (await this.#hospitals.silence()) ?? '';
      if (silence && silence !== this.#silence) this.#say(`${silence}; waiting for it.`);
      this.#silence = silence;
    }
    // What is done at once needs no words.
    if (now - Math.max(this.#at, this.#began) < REPORT_MS) return;
    const line = this.#line(late);
    if (line !== this.#last) this.#say(line);
    this.#at = now;
    this.#last = line;
  }

  #line(late: readonly HospitalObject[]): string {
    const shown = late.slice(0, 3).map((hospital) => `${hospital.metadata.name} (${reasonOf(hospital)})`);
    const more = late.length > shown.length ? ` and ${late.length - shown.length} more` : '';
    const waits = shown.length > 0 ? `; waiting for ${shown.join(', ')}${more}` : '';
    return `${this.#total - late.length} of ${this.#total} ${this.#goal.name}${waits}`;
  }
}

/** Why it is not done, in a few words. */
function reasonOf(hospital: HospitalObject): string {
  const conditions = conditionsOf(hospital);
  const backend = conditions.find(
    ({ type, status, reason }) => /.Ready$/.test(type) && status === 'False' && reason !== 'Provisioning',
  );
  const shown = backend ?? conditions.find(({ type }) => type === 'Deleting') ?? conditions.find(isReady);
  return shown ? `${shown.type}: ${shown.reason ?? shown.status}` : 'not reconciled yet';
}

function isReady({ type }: { readonly type: string }): boolean {
  return type === 'Ready';
}
