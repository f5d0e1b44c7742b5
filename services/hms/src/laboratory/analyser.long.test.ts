import type { ShownOrder, ShownResult } from '@hms/domain/lab-orders';
import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import { createTestHospital } from '@hms/service/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  activeTest,
  COUNT,
  colleague,
  done,
  get,
  hms,
  item,
  ORDERS,
  order,
  POTASSIUM,
  post,
  read,
  resultIds,
  SODIUM,
  step,
  tech,
  useLaboratory,
} from './testing.ts';

useLaboratory();

interface Outcome {
  readonly total: number;
  readonly imported: number;
  readonly repeated: number;
  readonly wrong: number;
  readonly problems: readonly { line: number; column: string | null; value: string | null; message: string }[];
}

const HEAD = 'accessionNo,testCode,value,unit,measuredAt';
/** An hour ago, when the analyser ran. */
const TIME = new Date(Date.now() - 3_600_000).toISOString();
const send = (lines: readonly string[], more: object = {}, token = tech) =>
  post('/api/hms/lab-results/import', { csv: [HEAD, ...lines].join('\n'), ...more }, token);
const outcome = async (...parameters: Parameters<typeof send>) => {
  const answer = await send(...parameters);
  expect([answer.status, answer.error]).toEqual([200, undefined]);
  return answer.data<Outcome>();
};
const versions = async ({ id }: ShownOrder) => (await get(`${ORDERS}/${id}/results`)).data<ShownResult[]>();

let placed: ShownOrder;
let tests: LabTestWithRanges[];
beforeEach(async () => {
  tests = [await activeTest(POTASSIUM), await activeTest(SODIUM), await activeTest(COUNT)];
  placed = await done(await order(tests), 'collect');
});

describe("an analyser's file", () => {
  const LINES = [`S-000001,K,7.00,mmol/L,${TIME}`, `s-000001,na,140,,${TIME}`, `S-000002,WBC,<0.01,10⁹/L,`];

  it('is first only checked, and then becomes results that a person has to verify', async () => {
    const counts = { total: 3, imported: 3, repeated: 0, wrong: 0, problems: [] };
    expect(await outcome(LINES, { dryRun: true })).toEqual(counts);
    expect(await versions(placed)).toEqual([]);
    expect(await outcome(LINES)).toEqual(counts);
    const after = await read(placed);
    expect(after).toMatchObject({ status: 'resulted', toVerify: 3, toAcknowledge: 2 });
    expect(item(after).result).toMatchObject({
      ...{ value: '7.00', flag: 'HH', source: 'analyser', status: 'preliminary' },
      ...{ measuredAt: TIME },
    });
    const signature = { resultIds: resultIds(after) };
    // Whoever sends a file could have written it.
    expect(await step(placed, 'verify', signature)).toMatchObject({ error: { code: 'SAME_PERSON_VERIFY' } });
    expect(await done(placed, 'verify', signature, colleague)).toMatchObject({ status: 'verified' });
  });

  it('that comes again adds nothing, also after the verification', async () => {
    await outcome(LINES);
    expect(await outcome(LINES)).toMatchObject({ imported: 0, repeated: 3, wrong: 0 });
    await done(placed, 'verify', { resultIds: resultIds(await read(placed)) }, colleague);
    expect(await outcome(LINES)).toMatchObject({ imported: 0, repeated: 3, wrong: 0 });
    expect(await versions(placed)).toHaveLength(3);
  });

  it('that comes three times at once adds its results once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => outcome(LINES)));
    expect(answers.map(({ imported }) => imported).sort()).toEqual([0, 0, 3]);
    expect(await versions(placed)).toHaveLength(3);
  });

  it('and another one with the same orders the other way round do not block each other', async () => {
    const others = await Promise.all(Array.from({ length: 8 }, async () => done(await order(tests), 'collect')));
    const lines = others.map(({ specimens }, index) => `${specimens[0]?.accessionNo},K,${4 + index / 10},,${TIME}`);
    const changed = lines.map((line) => line.replace(',K,4', ',K,5'));
    const answers = await Promise.all([outcome(lines), outcome(changed.toReversed())]);
    expect(answers).toMatchObject([{ imported: 8 }, { imported: 8 }]);
    for (const one of others) expect(await versions(one)).toHaveLength(2);
  });

  it('is imported without the rows that are wrong, which are named with line and column', async () => {
    const other = await order(tests);
    const rejected = await done(await order(tests), 'collect');
    await done(rejected, 'reject-specimen', { specimenId: rejected.specimens[0]?.id, reason: 'Clotted' });
    const wrong = await outcome([
      'S-000001,K,4,mmol/L,',
      'S-999999,K,4,,',
      'S-000002,K,4,,',
      'S-000001,NA,140,mg/dL,',
      'S-000001,NA,"1,4",,',
      'S-000001,NA,140,,yesterday',
      'S-000001,NA,140,,2999-01-01T00:00:00Z',
      'S-000001,NA,140,,1900-01-01T00:00:00Z',
      `${other.specimens[0]?.accessionNo},K,4,,`,
      `${rejected.specimens[0]?.accessionNo},K,4,,`,
      'S-000001,NA,140',
      'S-000001,K,5,,',
      'S-000001,K,4,,',
    ]);
    expect(wrong).toMatchObject({ total: 13, imported: 1, repeated: 1, wrong: 11 });
    expect(wrong.problems.map(({ line, column, value, message }) => [line, column, value, message])).toEqual([
      [3, 'accessionNo', 'S-999999', 'is no specimen of this hospital'],
      [4, 'testCode', 'K', 'is not ordered for this specimen'],
      [5, 'unit', 'mg/dL', 'must be mmol/L: values are not converted'],
      [6, 'value', '1,4', expect.stringContaining('must be a number')],
      [7, 'measuredAt', 'yesterday', expect.stringContaining('must be a date and time')],
      [8, 'measuredAt', '2999-01-01T00:00:00Z', expect.stringContaining('must not be in the future')],
      [9, 'measuredAt', '1900-01-01T00:00:00Z', expect.stringContaining('7 days before the order')],
      [10, null, null, 'The specimen is not collected yet'],
      [11, 'accessionNo', rejected.specimens[0]?.accessionNo, 'is a rejected specimen'],
      [12, null, null, expect.stringContaining('has 3 cells')],
      [13, 'testCode', 'K', expect.stringContaining('is also in line 2, with another value or time')],
    ]);
    expect(item(await read(placed)).result).toMatchObject({ value: '4' });
  });

  it('replaces a result that nobody has verified, and leaves a verified one', async () => {
    await outcome(['S-000001,K,4,,']);
    expect(await outcome(['S-000001,K,5,,'])).toMatchObject({ imported: 1 });
    const after = await read(placed);
    expect(item(after).result).toMatchObject({ number: 2, value: '5' });
    await done(placed, 'verify', { resultIds: resultIds(after) }, colleague);
    const { problems } = await outcome(['S-000001,K,6,,']);
    expect(problems).toMatchObject([{ line: 2, message: expect.stringContaining('amend') }]);
    // An old file is no news, although a person has entered another value since.
    expect(await outcome(['S-000001,K,4,,'])).toMatchObject({ repeated: 1 });
  });

  it('with two rows for one test changes nothing when it comes again, whichever row it has first', async () => {
    const lines = ['S-000001,K,4,,', 'S-000001,K,5,,', 'S-000001,K,4,,'];
    const [first, second] = [await outcome(lines), await outcome(lines)];
    expect(first).toMatchObject({ imported: 1, repeated: 1, problems: [{ line: 3, column: 'testCode' }] });
    expect(second).toMatchObject({ imported: 0, repeated: 2, problems: first.problems });
    expect(await outcome(lines.toReversed().slice(1))).toMatchObject({
      ...{ imported: 0, repeated: 1, problems: [{ line: 2, message: expect.stringContaining('in line 3') }] },
    });
    const times = [`S-000001,NA,140,,${TIME}`, `S-000001,NA,140,,${new Date().toISOString()}`];
    expect(await outcome(times)).toMatchObject({ imported: 1, problems: [{ line: 3, column: 'testCode' }] });
    expect(await outcome(times)).toMatchObject({ imported: 0, repeated: 1, wrong: 1 });
    expect((await versions(placed)).map(({ value }) => value)).toEqual(['4', '140']);
  });

  it('never replaces a result with what was measured before it', async () => {
    const at = (minutes: number) => new Date(Date.parse(TIME) + minutes * 60_000).toISOString();
    await outcome([`S-000001,K,4,,${TIME}`]);
    const { imported, problems } = await outcome([`S-000001,K,5,,${at(-1)}`]);
    expect([imported, problems]).toEqual([
      0,
      [
        {
          line: 2,
          column: 'measuredAt',
          value: at(-1),
          message: expect.stringContaining(`which is of ${TIME}: enter`),
        },
      ],
    ]);
    expect(await outcome([`S-000001,K,5,,${at(1)}`])).toMatchObject({ imported: 1 });
    const typed = { itemId: item(placed).id, value: '6', replaces: item(await read(placed)).result?.id };
    await done(placed, 'results', { results: [typed] });
    // By hand just now, after the measurement.
    expect(await outcome([`S-000001,K,7,,${at(2)}`])).toMatchObject({ problems: [{ column: 'measuredAt' }] });
    expect((await versions(placed)).map(({ value }) => value)).toEqual(['4', '5', '6']);
  });

  it.each([
    ['accessionNo,value\nS-000001,4', 'lacks the columns testCode'],
    ['accessionNo,testCode,value,colour\nS-000001,K,4,red', 'unknown column "colour"'],
    [HEAD, 'has no rows'],
    [`${HEAD}\n"S-000001,K`, 'is no CSV file'],
    [`${HEAD}\nS-000001,K,\ufffd,,`, 'is not in UTF-8'],
    [[HEAD, ...Array.from({ length: 1001 }, () => 'S-000001,K,4,,')].join('\n'), 'has more than 1000 rows'],
  ])('that is none is refused as a whole: %#', async (csv, message) => {
    const answer = await send([], { csv });
    expect(answer).toMatchObject({ status: 422, error: { code: 'IMPORT_FILE_INVALID' } });
    expect(answer.error.message).toContain(message);
  });

  it('that is too large is refused before it is read', async () => {
    const answer = await send([], { csv: 'x'.repeat(2_100_000) });
    expect(answer).toMatchObject({ status: 413, error: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('of 200 orders takes seconds', async () => {
    const others = await Promise.all(Array.from({ length: 200 }, async () => done(await order(tests), 'collect')));
    const lines = Array.from({ length: 200 }, (_, index) => {
      const { specimens } = others[index] as ShownOrder;
      return `${specimens[0]?.accessionNo},K,4,,`;
    });
    const start = performance.now();
    const { imported, wrong } = await outcome(lines);
    expect([imported, wrong]).toEqual([200, 0]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('reaches no specimen of another hospital', async () => {
    const anne = await createTestHospital(hms.operator, hms.issuer);
    const { problems } = await outcome(LINES, {}, await anne.token(['LAB_TECH']));
    expect(problems).toHaveLength(3);
    expect(await versions(placed)).toEqual([]);
  });
});
