/** The two places that fold texts have the same rules. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { foldText } from './fold.ts';
import { createTestHospital, startTestModule, type TestModule } from './testing/index.ts';

let hms: TestModule;

beforeAll(async () => {
  hms = await startTestModule({
    databaseUrls: platform().databaseUrls,
    define: () => ({ name: 'hms', version: '1', title: 'HMS', routes: [] }),
  });
});
afterAll(() => hms.close());

it('folds as PostgreSQL does, each letter of the scripts that hospitals use, and names', async () => {
  const ranges: readonly (readonly [number, number])[] = [
    [0x20, 0x24f],
    [0x2b0, 0x52f],
    [0x590, 0x6ff],
    [0xe00, 0xe7f],
  ];
  const letters = [...ranges, [0x1e00, 0x1fff] as const, [0x2010, 0x2040] as const].flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => `a${String.fromCodePoint(first + index)}b`),
  );
  const names = [
    'St. Mary’s',
    'GROẞE STRAẞE',
    'مُسْتَشْفَى الأمـل ٤٢',
    'ΟΔΟΣ',
    'İzmir Işık',
    '서울대학교',
    '北京大学',
    'Ｓｔ ﬁne',
    'St.John  \u200Fof\u00A0the‑Cross\u202C',
    'ABDUĽLAH  ʻOkina ŋ ə',
    '山田　太郎',
  ];
  const texts = [...letters, ...names].map((text) => text.normalize('NFC'));
  const { hospital } = await createTestHospital(hms.operator, hms.issuer);
  const rows = await hms.platform.tenants.inTenant(hospital, (trx) =>
    trx.query<{ folded: string }>(
      'SELECT search_text(text) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS all_texts (text, at) ORDER BY at',
      [texts],
    ),
  );
  expect(texts.map(foldText)).toEqual(rows.map(({ folded }) => folded));
  expect(foldText('St. Mary’s')).toBe('st marys');
});
