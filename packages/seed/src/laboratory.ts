/** The laboratory's catalogue, and values that its results have. */
import { createLabPanel, createLabTest, labPanels, labTests, moveLabTest, newLabTest } from '@hms/domain/lab-tests';
import { records } from '@hms/service';
import { GROWN_UP } from './clinics.ts';
import { FOR_ADULTS, PANELS, type SeededTest, TESTS } from './lab-catalogue.ts';
import type { Random } from './random.ts';
import { FIRST, type SeedRun } from './run.ts';
import type { Staff } from './staff.ts';

export interface Laboratory {
  /** What one order has. @param age of the patient */
  someTests(
    random: Random,
    age: number,
  ): { readonly testIds?: readonly string[]; readonly panelIds?: readonly string[] };
}

export async function ensureLaboratory(
  run: SeedRun,
  { technicians: [technician], departmentIds }: Staff,
  opened: Date,
): Promise<Laboratory> {
  if (!technician) throw new Error('the laboratory has no technician');
  const { testIds, panelIds } = await run.batch((trx) =>
    run.as(trx, technician, opened, async (work) => {
      const tests = new Map((await records(work, labTests).list(FIRST)).data.map(({ code, id }) => [code, id]));
      for (const test of TESTS) {
        if (tests.has(test.code)) continue;
        const body = { ...bodyOf(test), departmentId: departmentIds.get('LAB') };
        const { id } = await createLabTest(work, newLabTest.parse(body));
        await moveLabTest(work, id, 'active', undefined);
        tests.set(test.code, id);
      }
      const panels = new Map((await records(work, labPanels).list(FIRST)).data.map(({ code, id }) => [code, id]));
      for (const [code, name, codes] of PANELS) {
        if (panels.has(code)) continue;
        const body = { code, name, testIds: codes.map((one) => tests.get(one)) };
        panels.set(code, (await createLabPanel(work, labPanels.create.parse(body))).id);
      }
      return { testIds: tests, panelIds: panels };
    }),
  );
  const single = TESTS.filter(({ code }) => !PANELS.some(([, , codes]) => codes.includes(code)));
  return {
    someTests(random, age) {
      const isForAge = (code: string) => age >= GROWN_UP || !FOR_ADULTS.has(code);
      const panels = PANELS.filter(([code, , , share]) => random.chance(share / 60) && isForAge(code)).map(
        ([code]) => code,
      );
      const suitable = single.filter(({ code }) => isForAge(code));
      const tests = random.chance(0.3) || panels.length === 0 ? [random.oneOf(suitable).code] : [];
      const ids = (of: ReadonlyMap<string, string>, codes: readonly string[]) =>
        codes.map((code) => of.get(code) ?? '');
      return {
        ...(tests.length > 0 ? { testIds: ids(testIds, tests) } : {}),
        ...(panels.length > 0 ? { panelIds: ids(panelIds, panels) } : {}),
      };
    },
  };
}

function bodyOf({ value, ...test }: SeededTest) {
  if (value.type === 'numeric') {
    const { unit, decimals, ranges } = value;
    return { ...test, valueType: 'numeric', unit, decimals, ranges };
  }
  return {
    ...test,
    valueType: 'coded',
    options: value.options.map(([code, name, meaning]) => ({ code, name, meaning })),
  };
}

const ABNORMAL = 0.14;
const CRITICAL = 0.012;
const byCode = new Map(TESTS.map((test) => [test.code, test]));

/** A value of a test that a person may have. One that the seed does not know gets a text. */
export function valueFor(code: string, random: Random): string {
  const value = byCode.get(code)?.value;
  if (!value) return 'See the comment';
  if (value.type === 'coded') return random.byShare(value.options, ([, , , share]) => share)[0];
  const [middle, spread] = value.usual;
  const kind = random.next();
  const limit = value.ranges[0];
  if (kind < CRITICAL && limit?.criticalHigh) return (Number(limit.criticalHigh) * 1.05).toFixed(value.decimals);
  if (kind < CRITICAL && limit?.criticalLow) return (Number(limit.criticalLow) * 0.9).toFixed(value.decimals);
  const shift = kind < ABNORMAL ? (random.chance(0.6) ? 1 : -1) * random.between(2, 5) : random.normal() * 0.7;
  const least = 10 ** -value.decimals;
  return Math.max(least, middle + shift * spread).toFixed(value.decimals);
}
