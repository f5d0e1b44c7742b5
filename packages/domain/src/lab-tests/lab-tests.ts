/**
 * The catalogue of the laboratory: the tables `lab_tests`, `lab_ranges` and `lab_panels`.
 *
 * A draft can be changed at will. What the values of a test mean is fixed once it is active, because results refer to
 * it. Ranges may change at any time: each result keeps the range that it was compared with.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the panel, the tests by id, the department.
 */
import { build } from '@hms/database';
import { type FieldProblem, invalidFields, newId, Problem, records, type Work } from '@hms/service';
import type { z } from 'zod';
import { completeRange, overlapOf, type Range, rangeName, rangeProblem } from './ranges.ts';
import {
  LAB_TEST_FIXED,
  LAB_TEST_IN_PANEL,
  LAB_TEST_INVALID,
  LAB_TEST_NOT_ACTIVE,
  LAB_TEST_NOT_FOUND,
  type LabPanel,
  type LabTest,
  type LabTestWithRanges,
  labPanels,
  type labTestChanges,
  labTests,
  type newLabTest,
  RANGE_OVERLAP,
} from './record.ts';

export {
  LAB_PANEL_NOT_FOUND,
  LAB_TEST_CODE_TAKEN,
  LAB_TEST_FIXED,
  LAB_TEST_IN_PANEL,
  LAB_TEST_IN_USE,
  LAB_TEST_INVALID,
  LAB_TEST_NOT_ACTIVE,
  LAB_TEST_NOT_FOUND,
  type LabPanel,
  type LabTestWithRanges,
  labPanels,
  labTestChanges,
  labTests,
  labTestWithRanges,
  newLabTest,
  RANGE_OVERLAP,
  testsCoded,
  testsWithLoinc,
} from './record.ts';

/** Creates a draft. @throws Problem LAB_TEST_INVALID, RANGE_OVERLAP, INVALID_REFERENCE. */
export async function createLabTest(work: Work, body: z.output<typeof newLabTest>): Promise<LabTestWithRanges> {
  const { ranges: given, ...values } = body;
  const ranges = given.map(completeRange);
  requireConsistent(values, ranges);
  const test = await records(work, labTests).insert(values);
  await insertRanges(work, test.id, ranges);
  return { ...test, ranges };
}

/** Changes a test. @throws Problem as for a creation, LAB_TEST_FIXED. */
export async function changeLabTest(
  work: Work,
  id: string,
  changes: z.output<typeof labTestChanges>,
  version: number | undefined,
): Promise<LabTestWithRanges> {
  const own = records(work, labTests);
  const before = await own.lock(id, version);
  const { ranges: given, ...values } = changes;
  if (before.status !== 'draft') requireSameMeaning(before, values);
  const former = (await rangesOf(work, [id])).get(id) ?? [];
  const ranges = given?.map(completeRange) ?? former;
  requireConsistent({ ...before, ...values }, ranges);
  const after = await own.update(before, values);
  if (given) {
    await work.trx.query('DELETE FROM lab_ranges WHERE test_id = $1', [id]);
    await insertRanges(work, id, ranges);
    work.audit({ action: 'update', record: 'lab_ranges', recordId: id, before: { ranges: former }, after: { ranges } });
  }
  return { ...after, ranges: [...ranges] };
}

/** Moves a test to another state. @throws Problem INVALID_STATE, LAB_TEST_IN_PANEL. */
export async function moveLabTest(
  work: Work,
  id: string,
  to: 'active' | 'retired',
  version: number | undefined,
): Promise<LabTestWithRanges> {
  const own = records(work, labTests);
  const test = await own.lock(id, version);
  // Nobody could order the panel any more.
  const panels = to === 'retired' ? await panelsWith(work, id) : [];
  if (panels.length > 0) throw new Problem(LAB_TEST_IN_PANEL, { details: { panels } });
  return withRanges(work, await own.moveTo(test, to));
}

/** The test with its ranges. */
export async function readLabTest(work: Work, id: string): Promise<LabTestWithRanges> {
  return withRanges(work, await records(work, labTests).read(id));
}

/** The panels in which a locked test is. */
export async function panelsWith({ trx }: Work, testId: string): Promise<readonly { id: string; code: string }[]> {
  const rows = build
    .from('lab_panels')
    .whereNull('deleted_at')
    .whereRaw('test_ids @> ?::jsonb', [`["${testId}"]`]);
  return trx.run<{ id: string; code: string }>(rows.select('id', 'code').orderBy('code'));
}

/** Creates a panel. @throws Problem LAB_TEST_NOT_FOUND. */
export async function createLabPanel(work: Work, body: z.output<typeof labPanels.create>): Promise<LabPanel> {
  await holdTests(work, body.testIds);
  return records(work, labPanels).insert(body);
}

/** Changes a panel. Orders that exist keep their tests. @throws Problem LAB_TEST_NOT_FOUND. */
export async function changeLabPanel(
  work: Work,
  id: string,
  { testIds, ...changes }: z.output<typeof labPanels.changes>,
  version: number | undefined,
): Promise<LabPanel> {
  const own = records(work, labPanels);
  const before = await own.lock(id, version);
  if (testIds) await holdTests(work, testIds);
  return own.update(before, { ...changes, testIds });
}

/** A test to be ordered, and the panel in which it is. */
export interface OrderedTest {
  readonly test: LabTest;
  readonly panelId: string | null;
}

/**
 * The tests of an order: those of its panels, then single ones, each once. They stay active until the transaction ends.
 * @throws Problem LAB_TEST_NOT_FOUND, LAB_PANEL_NOT_FOUND, LAB_TEST_NOT_ACTIVE.
 */
export async function holdOrdered(
  work: Work,
  { testIds, panelIds }: { readonly testIds: readonly string[]; readonly panelIds: readonly string[] },
): Promise<readonly OrderedTest[]> {
  const panels = new Map((await records(work, labPanels).byIds(panelIds)).map((panel) => [panel.id, panel]));
  const wanted = new Map<string, string | null>();
  for (const id of panelIds) {
    const panel = panels.get(id);
    if (!panel || panel.deletedAt !== undefined) throw new Problem(labPanels.notFound);
    for (const testId of panel.testIds) if (!wanted.has(testId)) wanted.set(testId, id);
  }
  for (const testId of testIds) if (!wanted.has(testId)) wanted.set(testId, null);
  const tests = new Map((await holdTests(work, [...wanted.keys()])).map((test) => [test.id, test]));
  const ordered = [...wanted].flatMap(([id, panelId]) => {
    const test = tests.get(id);
    return test ? [{ test, panelId }] : [];
  });
  const inactive = ordered.filter(({ test }) => test.status !== 'active');
  if (inactive.length > 0) {
    const names = inactive.map(({ test: { id, code, status } }) => ({ id, code, status }));
    throw new Problem(LAB_TEST_NOT_ACTIVE, { details: { tests: names } });
  }
  return ordered;
}

/** Tests with these ids, even deleted ones, by id. */
export async function testsById(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, LabTest>> {
  return new Map((await records(work, labTests).byIds([...new Set(ids)])).map((test) => [test.id, test]));
}

/** The ranges of tests, by the id of the test. */
export async function rangesOf(
  { trx }: Work,
  testIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Range[]>> {
  const rows = await trx.query<RangeRow>(RANGES, [testIds]);
  return new Map(
    [...Map.groupBy(rows, ({ test_id }) => test_id)].map(([id, some]) => [
      id,
      some.map(({ test_id: _, ...one }) => one),
    ]),
  );
}

interface RangeRow extends Range {
  readonly test_id: string;
}

const RANGES = `
  SELECT test_id, sex, age_unit AS "ageUnit", from_age AS "fromAge", to_age AS "toAge", low, high,
    critical_low AS "criticalLow", critical_high AS "criticalHigh"
  FROM lab_ranges WHERE test_id = ANY($1) ORDER BY sex, ages`;

async function withRanges(work: Work, test: LabTest): Promise<LabTestWithRanges> {
  return { ...test, ranges: [...((await rangesOf(work, [test.id])).get(test.id) ?? [])] };
}

async function insertRanges({ trx }: Work, testId: string, ranges: readonly Range[]): Promise<void> {
  if (ranges.length === 0) return;
  const rows = ranges.map((one) => ({ id: newId(), ...one }));
  await trx.query(INSERT_RANGES, [testId, JSON.stringify(rows)]);
}

const INSERT_RANGES = `
  INSERT INTO lab_ranges (id, test_id, sex, age_unit, from_age, to_age, low, high, critical_low, critical_high)
  SELECT id, $1, sex, "ageUnit", "fromAge", "toAge", low, high, "criticalLow", "criticalHigh"
  FROM jsonb_to_recordset($2::jsonb) AS given(id uuid, sex text, "ageUnit" text, "fromAge" integer, "toAge" integer,
    low numeric, high numeric, "criticalLow" numeric, "criticalHigh" numeric)`;

/** Locks tests against changes until the transaction ends, in the order of their ids. */
async function holdTests(work: Work, ids: readonly string[]): Promise<readonly LabTest[]> {
  const held = await work.trx.query<{ id: string }>(HOLD, [ids]);
  if (held.length !== ids.length) throw new Problem(LAB_TEST_NOT_FOUND);
  return records(work, labTests).byIds(ids);
}

const HOLD = 'SELECT id FROM lab_tests WHERE id = ANY($1) AND deleted_at IS NULL ORDER BY id FOR SHARE';

type Changed<Name extends keyof LabTest> = { readonly [Field in Name]?: LabTest[Field] | undefined };

/** What only PostgreSQL would refuse otherwise, with the names of the fields. */
function requireConsistent(
  { valueType, unit, decimals, options }: Changed<'valueType' | 'unit' | 'decimals' | 'options'>,
  ranges: readonly Range[],
): void {
  const problems: FieldProblem[] = [];
  const refuse = (field: string, message: string) => problems.push({ field, in: 'body', message });
  if (valueType !== 'numeric') {
    if (unit != null) refuse('unit', 'is only for a numeric test');
    if (decimals != null) refuse('decimals', 'is only for a numeric test');
    if (ranges.length > 0) refuse('ranges', 'are only for a numeric test');
  }
  if (valueType === 'coded' && !options) refuse('options', 'are required for a coded test');
  if (valueType !== 'coded' && options) refuse('options', 'are only for a coded test');
  const codes = options?.map(({ code }) => code.toLowerCase()) ?? [];
  if (new Set(codes).size < codes.length) refuse('options', 'must not have a code twice');
  for (const [index, one] of ranges.entries()) {
    const problem = rangeProblem(one);
    if (problem) refuse(`ranges.${index}.${problem.field}`, problem.message);
  }
  if (problems.length > 0) throw invalidFields(problems, LAB_TEST_INVALID);
  const both = overlapOf(ranges);
  if (!both) return;
  const [one, other] = both;
  const message = `overlaps with ${rangeName(one)}`;
  const field = { field: `ranges.${ranges.indexOf(other)}.fromAge`, in: 'body', message };
  throw new Problem(RANGE_OVERLAP, {
    message: `Two ranges are for the same sex and age: ${both.map(rangeName).join('; ')}`,
    details: { ranges: both, fields: [field] },
  });
}

/** What the values of a test mean. */
const MEANING = ['valueType', 'unit', 'options', 'specimenType'] as const;

function requireSameMeaning(before: LabTest, changes: Changed<(typeof MEANING)[number]>): void {
  const changed = MEANING.filter(
    (field) => changes[field] !== undefined && JSON.stringify(changes[field]) !== JSON.stringify(before[field]),
  );
  if (changed.length > 0) throw new Problem(LAB_TEST_FIXED, { details: { fields: changed } });
}
