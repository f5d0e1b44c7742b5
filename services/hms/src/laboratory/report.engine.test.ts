/** Reports and labels: rendered in the background, fetched as a browser does it. */
import { retryTasks } from '@hms/database';
import { Renderer } from '@hms/documents';
import { labReport, type ShownOrder, type ShownResult } from '@hms/domain/lab-orders';
import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
import {
  attemptsAt,
  download,
  hashOf,
  issuedBy,
  objectsIn,
  tasksOf,
  withoutFile,
} from '../documents/testing/issued.ts';
import { labelsOf } from './labels.ts';
import { reportOf, reportTask } from './report.ts';
import {
  activeTest,
  COUNT,
  colleague,
  doctor,
  done,
  get,
  hms,
  item,
  mary,
  ORDERS,
  order,
  PATIENTS,
  POTASSIUM,
  patient,
  read,
  resulted,
  resultIds,
  step,
  tech,
  useLaboratory,
  verified,
} from './testing.ts';

useLaboratory();

const renderer = new Renderer();
afterAll(() => renderer.end());

let potassium: LabTestWithRanges;
beforeEach(async () => {
  potassium = await activeTest(POTASSIUM);
});

interface ReportUrl {
  readonly url: string;
  readonly sha256: string;
  readonly revision: number;
  readonly isSuperseded: boolean;
}

const reportOfOrder = ({ id }: Pick<ShownOrder, 'id'>, query = '') => get(`${ORDERS}/${id}/report${query}`, doctor);
const ready = async (placed: Pick<ShownOrder, 'id'>): Promise<ReportUrl> => {
  const answer = await until(
    'the report',
    () => reportOfOrder(placed),
    ({ status }) => status === 200,
  );
  return answer.data<ReportUrl>();
};
const amend = (placed: ShownOrder, value: string) =>
  done(placed, 'amend', { resultId: resultIds(placed)[0], value, reason: 'Typing error' });
const verify = (placed: ShownOrder) => done(placed, 'verify', { resultIds: resultIds(placed) }, colleague);
/** As if no process had begun its task yet. */
const withoutTask = (make: () => Promise<ShownOrder>) => withoutFile(hms, mary, labReport.name, make);
const attempts = ({ id, revision }: ShownOrder) =>
  attemptsAt(hms, mary, reportTask(hms.platform, renderer), { orderId: id, revision });

describe('a report', () => {
  it('is issued when every result is verified, and known as genuine', async () => {
    const placed = await resulted('7', potassium);
    const early = await reportOfOrder(placed);
    expect(early).toMatchObject({ status: 409, error: { code: 'REPORT_NOT_READY', details: { status: 'resulted' } } });
    await verify(placed);
    const report = await ready(placed);
    const pdf = await download(report);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(hashOf(pdf)).toBe(report.sha256);
    expect(await issuedBy(hms, report.sha256)).toEqual([mary.hospital.id]);
    const { reports, reportedAt, orderNo } = await read(placed);
    expect(reports).toMatchObject([{ revision: 1, sha256: report.sha256, size: pdf.length, isSuperseded: false }]);
    expect(reportedAt).toBe(reports[0]?.issuedAt);
    expect(await objectsIn(mary, 'lab-reports')).toEqual([
      `${mary.hospital.prefix}/lab-reports/${orderNo}-1-${report.sha256}.pdf`,
    ]);
  });

  it('says which characters of its text it shows as codes, because no font has them', async () => {
    const placed = await order([potassium], { clinicalNote: 'Seen 🧪, and 🧪 again 😀' });
    await done(placed, 'collect');
    const entered = await done(placed, 'results', { results: [{ itemId: item(placed).id, value: '4' }] });
    await verify(entered);
    const { missingCharacters } = (await ready(placed)) as unknown as ShownOrder['reports'][number];
    expect([...missingCharacters].sort()).toEqual(['U+1F600', 'U+1F9EA']);
    expect((await read(placed)).reports).toMatchObject([{ missingCharacters }]);
  });

  it('is superseded at once by an amendment, replaced after its verification, and kept', async () => {
    const placed = await verified('4', potassium);
    const first = await ready(placed);
    const amended = await amend(placed, '4.4');
    expect(await reportOfOrder(placed)).toMatchObject({ status: 409, error: { code: 'REPORT_NOT_READY' } });
    expect((await reportOfOrder(placed, '?revision=1')).data()).toMatchObject({ isSuperseded: true });
    await verify(amended);
    const second = await ready(placed);
    expect(second).toMatchObject({ revision: 2, isSuperseded: false });
    const old = (await reportOfOrder(placed, '?revision=1')).data<ReportUrl>();
    expect(hashOf(await download(old))).toBe(first.sha256);
    expect(hashOf(await download(second))).toBe(second.sha256);
    const { reports } = await read(placed);
    expect(reports.map(({ revision, isSuperseded }) => [revision, isSuperseded])).toEqual([
      ...[[1, true] as const, [2, false] as const],
    ]);
  });

  it('that two processes render at once, before and after a change of the name, is issued once', async () => {
    const placed = await withoutTask(() => verified('4', potassium));
    const { prepare, run } = attempts(placed);
    const first = await prepare();
    const rename = { lastName: 'Other' };
    await hms.send('PUT', `${PATIENTS}/${patient.id}`, { token: doctor, body: rename });
    const second = await prepare();
    expect(second).not.toEqual(first);
    await Promise.all([run(second), run(first)]);
    const report = await ready(placed);
    const { sha256 } = report;
    expect([first, second]).toContainEqual({ sha256, size: expect.any(Number), missingCharacters: [] });
    expect(hashOf(await download(report))).toBe(report.sha256);
    expect((await read(placed)).reports).toHaveLength(1);

    expect(await objectsIn(mary, 'lab-reports')).toHaveLength(2);
    const settling = await tasksOf(hms, mary, 'issued-file-settle');
    await retryTasks(
      hms.operator,
      settling.map(({ id }) => id),
    );
    await until(
      'the other object to be erased',
      () => objectsIn(mary, 'lab-reports'),
      ({ length }) => length === 1,
    );
    expect(hashOf(await download(await ready(placed)))).toBe(report.sha256);
  });

  it('of a result that is amended while it is rendered is not issued', async () => {
    const placed = await withoutTask(() => verified('4', potassium));
    const { prepare, run } = attempts(placed);
    const stored = await prepare();
    await amend(await read(placed), '5');
    await run(stored);
    const { reports } = await read(placed);
    expect(reports).toEqual([]);
    expect(await issuedBy(hms, (stored as { sha256: string }).sha256)).toEqual([]);
  });

  it('is the same, byte for byte, when it is rendered again', async () => {
    const placed = await withoutTask(() => verified('4', potassium));
    const { prepare } = attempts(placed);
    expect(await prepare()).toEqual(await prepare());
  });

  it('that fails at first is made later', async () => {
    const placed = await withoutTask(() => verified('4', potassium));
    expect(await ready(placed)).toMatchObject({ revision: 1 });
  });
});

describe('what is printed', () => {
  const versions = async ({ id }: ShownOrder) => (await get(`${ORDERS}/${id}/results`)).data<ShownResult[]>();
  const hospitalIn = (language: string) => ({
    ...mary.hospital,
    settings: { ...mary.hospital.settings, language },
  });

  it('on a report has each result with its range, its flag and its corrections', async () => {
    const coded = await activeTest({
      ...{ code: 'HIV', name: 'HIV antibodies', specimenType: 'Serum', valueType: 'coded' },
      options: [{ code: 'NEG', name: 'Negative' }],
    });
    const placed = await order([potassium, coded, await activeTest(COUNT)]);
    await done(placed, 'collect');
    const values: Readonly<Record<string, string>> = { K: '7.00', HIV: 'neg', WBC: '<5' };
    const results = placed.items.map(({ id, code }) => ({ itemId: id, value: values[code] }));
    await verify(await done(placed, 'results', { results }));
    const after = await amend(await read(placed), '4.40');
    const issued = {
      revision: 1,
      sha256: '0'.repeat(64),
      size: 1,
      missingCharacters: [],
      issuedAt: after.createdAt,
      isSuperseded: true,
    };
    const verifiedOrder = { ...(await verifyLast(after)), reports: [issued] };
    const report = reportOf(verifiedOrder, await versions(placed), mary.hospital, new Date());
    expect(report.rows).toMatchObject([
      { test: 'Potassium', value: '\u20664.40\u2069', range: '\u20663.5 – 5.1\u2069', flag: '', critical: false },
      { test: 'HIV antibodies', value: 'Negative', unit: '', range: '', flag: '', notes: ['\u2066S-000001\u2069'] },
      {
        test: 'Leukocytes',
        value: '\u2066<5\u2069',
        flag: '',
        notes: ['\u2066S-000002\u2069', 'Beyond what was measured: not flagged'],
      },
    ]);
    expect(report.rows[0]?.notes).toEqual([
      '\u2066S-000001\u2069',
      expect.stringMatching(/^Corrected .*: Typing error \(formerly \u20667.00\u2069\)$/),
    ]);
    expect(report.notice).toMatch(/replaces all earlier reports of this order\. revision 1: Issued .*\d{4}/);
    // Nobody has a report that this one would replace.
    expect(reportOf({ ...verifiedOrder, reports: [] }, [], mary.hospital, new Date()).notice).toBe('');
  });

  it('on a report has each specimen with the time of its collection, and which tests were done with it', async () => {
    const placed = await order([potassium, await activeTest(COUNT)]);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const [serum, blood] = placed.specimens;
    await done(placed, 'collect', { specimenIds: [serum?.id], collectedAt: yesterday });
    await done(placed, 'collect', { specimenIds: [blood?.id] });
    const results = placed.items.map(({ id }) => ({ itemId: id, value: '5' }));
    const final = await verify(await done(placed, 'results', { results }));
    const { facts, rows } = reportOf(final, [], mary.hospital, new Date());
    const collected = facts.filter(([label]) => label === 'Collected').map(([, text]) => text);
    expect(collected).toEqual([
      expect.stringMatching(/, Serum, \u2066S-000001\u2069$/),
      expect.stringMatching(/, EDTA blood, \u2066S-000002\u2069$/),
    ]);
    expect(collected[0]?.slice(0, 11)).not.toBe(collected[1]?.slice(0, 11));
    expect(rows.map(({ notes }) => notes[0])).toEqual(['\u2066S-000001\u2069', '\u2066S-000002\u2069']);
  });

  it('on a report has the name as it is, and as it was when the test was ordered if that differs', async () => {
    const placed = await verified('4', potassium);
    const namesOn = (shown: ShownOrder) => {
      const { name, facts } = reportOf(shown, [], mary.hospital, new Date());
      return [name, facts.find(([label]) => label === 'Name when ordered')?.[1]];
    };
    expect(namesOn(placed)).toEqual(['Jane Doe', undefined]);
    await hms.send('PUT', `${PATIENTS}/${patient.id}`, { token: doctor, body: { lastName: 'Quinn' } });
    expect(namesOn(await read(placed))).toEqual(['Jane Quinn', 'Jane Doe']);
  });

  const verifyLast = (placed: ShownOrder) =>
    done(placed, 'verify', { resultIds: [item(placed).result?.id] }, colleague);

  it.each([
    ['en', 'Laboratory report', 'HH: critically high'],
    ['ar', 'تقرير المختبر', 'HH: مرتفع بشكل حرج'],
    ['th', 'รายงานผลทางห้องปฏิบัติการ', 'HH: สูงวิกฤต'],
    ['nl', 'Laboratory report', 'HH: critically high'],
  ])('on a report is written in %s', async (language, title, legend) => {
    const placed = await verified('7', potassium);
    expect(reportOf(placed, [], hospitalIn(language), new Date())).toMatchObject({ title, legend });
  });

  it('on labels has one page for each specimen that is used', async () => {
    const placed = await order([potassium, await activeTest(COUNT)], { priority: 'stat' });
    await done(placed, 'collect');
    const [serum] = placed.specimens;
    const again = await done(placed, 'reject-specimen', { specimenId: serum?.id, reason: 'Clotted' });
    const labels = labelsOf(again, undefined, mary.hospital);
    expect(labels).toMatchObject({ name: 'Jane Doe', facts: '\u2066HSP-000001\u2069 | 17 May 1990' });
    expect(labels.labels.map(({ accessionNo, mark, time }) => [accessionNo, mark, time.includes('____')])).toEqual([
      ...[['S-000002', 'STAT', false] as const, ['S-000003', 'STAT', true] as const],
    ]);
    const response = await fetch(`${hms.url}${ORDERS}/${placed.id}/labels`, {
      headers: { Authorization: `Bearer ${tech}` },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    const rejected = await get(`${ORDERS}/${placed.id}/labels?specimenId=${serum?.id}`);
    expect(rejected).toMatchObject({ status: 404, error: { code: 'LAB_SPECIMEN_NOT_FOUND' } });
  });

  it('is only for those who may read orders', async () => {
    const placed = await order([potassium]);
    const token = await mary.token(['DISPLAY']);
    expect(await get(`${ORDERS}/${placed.id}/labels`, token)).toMatchObject({ status: 403 });
    expect(await step(placed, 'collect', {}, token)).toMatchObject({ status: 403 });
  });
});
