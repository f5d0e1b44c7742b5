/** The report of an order as a PDF: rendered by a background task when every result is verified. */

import { barcode, type LabReport, type Renderer } from '@hms/documents';
import { issuedFileUrl } from '@hms/domain/issued-files';
import { issuingTask, withUrl } from '@hms/domain/issuing';
import type { ShownOrder, ShownResult } from '@hms/domain/lab-orders';
import * as domain from '@hms/domain/lab-orders';
import { patientNameOf } from '@hms/domain/patients';
import { fact, leftToRight } from '@hms/domain/rendering';
import { fields, type Platform, type Route, route, type Task, type Work } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { z } from 'zod';
import { words as summaryWords } from '../documents/summary-words.ts';
import { words } from './words.ts';

export function reportTask(
  platform: Platform,
  renderer: Renderer,
): Task<{ readonly orderId: string; readonly revision: number }> {
  return issuingTask(platform, renderer, {
    task: domain.labReport,
    template: 'lab-report',
    find: async (work, input) => {
      const found = await domain.reportable(work, input);
      if (!found) return undefined;
      const { order, versions } = found;
      // The last of these, so that another attempt renders the same bytes.
      const createdAt = new Date(lastVerification(order));
      return { file: domain.reportFile(order), data: reportOf(order, versions, work.hospital, createdAt), createdAt };
    },
    issue: domain.issueReport,
  });
}

const issued = issuedFileUrl
  .extend({ isSuperseded: z.boolean().describe('Whether a result on it was amended since') })
  .meta({ id: 'LabReportUrl' });

export function reportRoute({ storage }: Platform): Route {
  return route({
    method: 'GET',
    path: '/api/hms/lab-orders/:id/report',
    operationId: 'readLabReportUrl',
    summary: 'Get a URL to download the report of an order',
    description:
      'Whoever has the URL can download the report for a minute. Until every result is verified, and while an amendment is not, there is no current report. Earlier ones stay available by their revision.',
    access: 'lab-orders.read',
    params: fields.idParams,
    query: z.object({ revision: fields.count(999_999).optional().describe('Default: the current one') }),
    response: issued,
    errors: [domain.LAB_ORDER_NOT_FOUND, domain.REPORT_NOT_READY],
    handler: async (context) =>
      withUrl(await domain.reportUrl(context, storage, context.params.id, context.query.revision)),
  });
}

/** What is printed, in the language of the hospital. Pure. @param versions of all results, the oldest first. */
export function reportOf(
  order: ShownOrder,
  versions: readonly ShownResult[],
  { settings, timezone }: Pick<Work['hospital'], 'settings' | 'timezone'>,
  issuedAt: Date,
): LabReport {
  const { language } = settings;
  const locale = localeOf(settings);
  const word = words(language);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone });
  const { genders, unknown } = summaryWords(language);
  const { patient, doctor, orderNo, revision, clinicalNote } = order;
  const time = (label: string, at: string | null) => fact(label, at && moment.format(new Date(at)));
  const live = order.items.flatMap((item) => (item.result ? [{ item, result: item.result }] : []));
  const specimens = order.specimens.filter(({ id }) => live.some(({ item }) => item.specimenId === id));
  const numberOf = (specimenId: string) => specimens.find(({ id }) => id === specimenId)?.accessionNo ?? '';
  const replaced = ({ revision: number, issuedAt: at }: ShownOrder['reports'][number]) =>
    `${word.revision} ${number}: ${word.issued} ${moment.format(new Date(at))}.`;
  const used = new Set(live.flatMap(({ result }) => (result.flag && result.flag !== 'N' ? [result.flag] : [])));
  return {
    orderNo,
    name: patientNameOf(patient),
    title: word.title,
    // An amendment before the first report replaces none.
    notice: order.reports.length > 0 ? [word.amendedTitle, ...order.reports.map(replaced)].join(' ') : '',
    facts: [
      [word.patientCode, leftToRight(patient.patientCode)],
      ...fact(word.formerName, order.patientName === patientNameOf(patient) ? null : order.patientName),
      [word.dateOfBirth, patient.dateOfBirth === null ? unknown : day.format(new Date(patient.dateOfBirth))],
      ...fact(word.gender, patient.gender && genders[patient.gender]),
      ...fact(word.doctor, doctor?.name),
      ...time(word.ordered, order.createdAt),
      ...specimens.map(({ type, accessionNo, collectedAt }): [string, string] => [
        word.collected,
        [...(collectedAt === null ? [] : [moment.format(new Date(collectedAt))]), type, leftToRight(accessionNo)].join(
          ', ',
        ),
      ]),
      [word.verified, [moment.format(new Date(lastVerification(order))), ...verifiers(order)].join(', ')],
      ...fact(word.note, clinicalNote),
    ],
    columns: [word.columns.test, word.columns.result, word.columns.unit, word.columns.range],
    rows: live.map(({ item, result }) => ({
      test: item.name,
      value: valueText(item.options, result.value),
      unit: result.unit === null ? '' : leftToRight(result.unit),
      range: rangeText(result.range),
      flag: result.flag === null || result.flag === 'N' ? '' : result.flag,
      critical: result.isCritical,
      notes: [
        ...(specimens.length > 1 ? [leftToRight(numberOf(item.specimenId))] : []),
        ...(result.unflagged === 'no_range' ? [word.noRange] : []),
        ...(result.unflagged === 'uncertain' ? [word.uncertain] : []),
        ...(result.note === null ? [] : [result.note]),
        ...corrections(result, versions).map(
          ({ reason, enteredAt, former }) =>
            `${word.corrected} ${moment.format(new Date(enteredAt))}: ${reason ?? ''} (${word.formerly} ${valueText(item.options, former)})`,
        ),
      ],
    })),
    legend: [...used].map((flag) => `${flag}: ${word.flags[flag]}`).join(' | '),
    issued: [
      `${word.issued} ${moment.format(issuedAt)}`,
      ...(revision > 1 ? [`${word.revision} ${revision}`] : []),
    ].join(' | '),
    barcode: barcode(orderNo),
  };
}

/** Names of those who have verified what is printed. */
function verifiers({ items }: ShownOrder): readonly string[] {
  return [...new Set(items.flatMap(({ result }) => result?.verifiedBy?.name ?? []))];
}

function lastVerification({ items }: ShownOrder): string {
  const times = items.flatMap(({ result }) => result?.verifiedAt ?? []);
  const last = times.toSorted().at(-1);
  if (last === undefined) throw new Error('nothing is verified');
  return last;
}

/** Amendments that led to a result, the oldest first, each with the value before it. */
function corrections(result: ShownResult, versions: readonly ShownResult[]) {
  const chain: { reason: string | null; enteredAt: string; former: string }[] = [];
  for (let one: ShownResult | undefined = result; one?.status === 'corrected'; ) {
    const { reason, enteredAt, supersedesId }: ShownResult = one;
    one = versions.find(({ id }) => id === supersedesId);
    if (one) chain.unshift({ reason, enteredAt, former: one.value });
  }
  return chain;
}

/** The name of an option, or the value with its comparator on the left. */
function valueText(options: ShownOrder['items'][number]['options'], value: string): string {
  const option = options?.find(({ code }) => code === value);
  return option
    ? option.name
    : /^[<>]?=?-?\d/.test(value)
      ? leftToRight(value.replace('<=', '≤').replace('>=', '≥'))
      : value;
}

function rangeText(range: ShownResult['range']): string {
  if (!range) return '';
  const { low, high } = range;
  if (low !== null && high !== null) return leftToRight(`${low} – ${high}`);
  return low !== null ? leftToRight(`≥ ${low}`) : high !== null ? leftToRight(`≤ ${high}`) : '';
}
