/** Interactions from a CSV file: what is imported, what exists, and what is named. */
import { interactions } from '@hms/domain/drugs';
import { records, workFor } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
import { admin, outcome as codeOf, doctor, get, hms, mary, newHospital, post, usePharmacy } from './testing.ts';

usePharmacy();
beforeEach(newHospital);

interface Remark {
  readonly line: number;
  readonly column: string | null;
  readonly value: string | null;
  readonly message: string;
}
interface Outcome {
  readonly total: number;
  readonly imported: number;
  readonly existing: number;
  readonly wrong: number;
  readonly problems: readonly Remark[];
  readonly differences: readonly Remark[];
}
interface Interaction {
  readonly id: string;
  readonly substanceA: string;
  readonly substanceB: string;
  readonly severity: string;
  readonly effect: string;
  readonly version: number;
}

const HEAD = 'substance,other substance,severity,effect';
const LINES = ['warfarin,ibuprofen,severe,"Bleeding, watch for it"', 'simvastatin,clarithromycin,Moderate,Muscle pain'];
const send = (lines: readonly string[], dryRun = false, token?: string) =>
  post('drug-interactions/import', { csv: [HEAD, ...lines].join('\n'), dryRun }, token);
const outcome = async (...parameters: Parameters<typeof send>) => {
  const answer = await send(...parameters);
  expect([answer.status, answer.error]).toEqual([200, undefined]);
  return answer.data<Outcome>();
};
const all = async () => (await get('drug-interactions?limit=100')).data<Interaction[]>();
/** How many statements wait for a lock. */
const waiting = async () => {
  const { rows } = await hms.operator.raw<{ rows: { count: number }[] }>(
    'SELECT count(*)::integer FROM pg_locks WHERE NOT granted',
  );
  return rows[0]?.count ?? 0;
};
const cells = (remarks: readonly Remark[]) =>
  remarks.map(({ line, column, value, message }) => [line, column, value, message]);

describe('a file', () => {
  it('is first only checked, and then becomes interactions', async () => {
    const counts = { total: 2, imported: 2, existing: 0, wrong: 0, problems: [], differences: [] };
    expect(await outcome(LINES, true)).toEqual(counts);
    expect(await all()).toEqual([]);
    expect(await outcome(LINES)).toEqual(counts);
    const found = await all();
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ substanceA: 'warfarin', substanceB: 'ibuprofen', severity: 'severe', effect: 'Bleeding, watch for it' },
        }),
        expect.objectContaining({ substanceA: 'simvastatin', severity: 'moderate' }),
      ]),
    );
  });

  it('that comes again changes nothing, whichever substance is first and however it is spelled', async () => {
    await outcome(LINES);
    const before = await all();
    const again = { imported: 0, existing: 2, wrong: 0, differences: [] };
    expect(await outcome(LINES)).toMatchObject(again);
    const other = ['Ibuprofén,WARFARIN,severe,"Bleeding, watch for it"', LINES[1] ?? ''];
    expect(await outcome(other)).toMatchObject(again);
    expect(await all()).toEqual(before);
  });

  it('that comes three times at once makes its interactions once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => outcome(LINES)));
    expect(answers.map(({ imported, existing }) => [imported, existing]).sort()).toEqual([
      ...[
        [0, 2],
        [0, 2],
        [2, 0],
      ],
    ]);
    expect(await all()).toHaveLength(2);
  });

  it('waits for whoever adds the same pair at the moment', async () => {
    const pair = { substanceA: 'ibuprofen', substanceB: 'warfarin', severity: 'severe', effect: 'Bleeding' } as const;
    let answer: Promise<Outcome> | undefined;
    await workFor(hms.platform, mary.hospital, 'test', async (work) => {
      await records(work, interactions).insert(pair);
      answer = outcome(['warfarin,ibuprofen,severe,Bleeding']);
      await until('the import to wait', waiting, (count) => count > 0);
    });
    expect(await answer).toMatchObject({ imported: 0, existing: 1, wrong: 0 });
  });

  it('leaves a pair that exists, and names where the file differs', async () => {
    await post('drug-interactions', {
      ...{ substanceA: 'Ibuprofen', substanceB: 'Warfarin', severity: 'severe', effect: 'Bleeding' },
    });
    const [before] = await all();
    const found = await outcome(['warfarin,ibuprofen,minor,Bleeding', 'a,b,minor,X', 'B,A,minor,Y', 'a,b,minor,X']);
    expect(found).toMatchObject({ total: 4, imported: 1, existing: 3, wrong: 0 });
    expect(cells(found.differences)).toEqual([
      [2, 'severity', 'minor', 'the hospital has "severe"'],
      [4, 'effect', 'Y', 'line 3 has "X"'],
    ]);
    expect(await all()).toEqual(expect.arrayContaining([before]));
  });

  it('makes a pair again that somebody has deleted', async () => {
    await outcome(LINES);
    const [one] = await all();
    expect((await hms.send('DELETE', `/api/hms/drug-interactions/${one?.id}`, { token: admin })).status).toBe(200);
    expect(await outcome(LINES)).toMatchObject({ imported: 1, existing: 1 });
  });

  it('is imported without the rows that are wrong, which are named with line and column', async () => {
    const wrong = await outcome([
      'warfarin,,severe,Bleeding',
      `warfarin,ibuprofen,deadly,Bleeding`,
      `warfarin,aspirin,severe,${'x'.repeat(501)}`,
      'warfarin,Warfarín,severe,Bleeding',
      'warfarin,ibuprofen,severe',
      // As spreadsheets end their files.
      ',,,',
      'warfarin,ibuprofen,severe,Bleeding',
    ]);
    expect(wrong).toMatchObject({ total: 6, imported: 1, existing: 0, wrong: 5 });
    expect(cells(wrong.problems)).toEqual([
      [2, 'otherSubstance', null, expect.stringContaining('required')],
      [3, 'severity', 'deadly', expect.stringContaining('minor')],
      [4, 'effect', 'x'.repeat(100), expect.stringContaining('500')],
      [5, 'otherSubstance', 'Warfarín', expect.stringContaining('is the same substance')],
      [6, null, null, expect.stringContaining('has 3 cells')],
    ]);
    expect(await all()).toMatchObject([{ substanceA: 'warfarin', substanceB: 'ibuprofen' }]);
  });

  it.each([
    ['substance,severity,effect\na,minor,X', 'lacks the columns otherSubstance'],
    [`${HEAD},colour\na,b,minor,X,red`, 'unknown column "colour"'],
    [HEAD, 'has no rows'],
    [`${HEAD}\n"a,b,minor`, 'is no CSV file'],
    [[HEAD, ...Array.from({ length: 2001 }, (_, index) => `a,b${index},minor,X`)].join('\n'), 'more than 2000 rows'],
  ])('that is none is refused as a whole: %#', async (csv, message) => {
    const answer = await post('drug-interactions/import', { csv });
    expect(answer).toMatchObject({ status: 422, error: { code: 'IMPORT_FILE_INVALID' } });
    expect(answer.error.message).toContain(message);
    expect(await all()).toEqual([]);
  });

  it('of the longest kind takes seconds', async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `substance ${index},other,minor,X`);
    const start = performance.now();
    expect(await outcome(lines)).toMatchObject({ imported: 2000 });
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('is for those who may add interactions, and of one hospital', async () => {
    expect(codeOf(await send(LINES, true, doctor))).toBe('FORBIDDEN');
    await outcome(LINES, false, admin);
    const other = await createTestHospital(hms.operator, hms.issuer);
    expect(await outcome(LINES, true, await other.token(['PHARMACIST']))).toMatchObject({ imported: 2, existing: 0 });
  });
});
