/** Routes of reports, derived from their declarations. */

import { DOCUMENTS_BUSY, printed } from '@hms/domain/printing';
import { brandingOf } from '@hms/domain/rendering';
import {
  csvLines,
  type ErrorKind,
  fields,
  Problem,
  pageParameters,
  queryBoolean,
  RANGE_TOO_WIDE,
  type RawReply,
  type RequestContext,
  type Route,
  route,
  STORAGE_UNAVAILABLE,
  withTraits,
} from '@hms/service';
import { MAIL_LANGUAGES, type MailLanguage, mailLanguage } from '@hms/tenancy';
import { z } from 'zod';
import { DASHBOARDS, type Dashboard } from './dashboards.ts';
import { AREAS, filtersOf, groupsOf, KINDS, type Measure, NO_KEY, type Report, type Span } from './declare.ts';
import { type Figures, figures, listed, readFigures, readRecords, type Wanted, type WantedRecords } from './figures.ts';
import { CSV, csvHead, figuresTable, PDF, recordColumns, workbook, XLSX } from './files.ts';
import { spanOf } from './period.ts';
import { allRecords, REPORT_TOO_SLOW, type Reader, reading, streamRecords } from './read.ts';
import { permissionOf, REPORTS, reportNamed } from './reports/reports.ts';
import { reportSheet } from './sheet.ts';
import { TOO_MANY_REPORTS } from './turns.ts';

const FORMAT_NOT_SUPPORTED: ErrorKind = {
  status: 406,
  code: 'FORMAT_NOT_SUPPORTED',
  message: 'There is no such format of this report',
};
const TOO_MANY_ROWS: ErrorKind = {
  status: 422,
  code: 'TOO_MANY_ROWS',
  message: 'This is too long for such a file: choose fewer days, or the format csv',
};
/** A workbook is made in memory. */
const MOST_XLSX_ROWS = 50_000;
/** About 80 pages. */
const MOST_PDF_ROWS = 2_000;
const MOST_GROUPS = 2;
const FAILURES = [RANGE_TOO_WIDE, TOO_MANY_REPORTS, REPORT_TOO_SLOW];

const title = z.object({ en: z.string(), ar: z.string() }).meta({ id: 'Words' });
const named = z.object({ name: z.string(), title });
const declared = z
  .object({
    ...named.shape,
    about: title,
    area: z.enum(AREAS),
    of: z.enum(['period', 'moment']).describe('Whether it is about what happened, or how things are at the end'),
    groupBy: z.string().describe('What it is grouped by, unless the request says otherwise'),
    groups: z.array(
      named.extend({
        labels: z.record(z.string(), title).nullable().describe('What each possible key is called. Null: any key'),
        isFilter: z.boolean().describe('Whether the key can be a parameter of the request'),
      }),
    ),
    measures: z.array(named.extend({ kind: z.enum(KINDS) })).describe('The most important first'),
    columns: z.array(named.extend({ kind: z.enum(KINDS) })).describe('Of the lists behind the figures'),
  })
  .meta({ id: 'Report' });

const catalogue = z.object({
  reports: z.array(declared),
  dashboards: z.array(named).describe('Those for the caller, their own first'),
});

const dashboard = z
  .object({
    ...named.shape,
    tiles: z.array(
      z.object({
        report: z.string(),
        chart: z.enum(['bars', 'line']),
        measures: z.array(z.string()).describe('The figures to show. The first one is drawn'),
        figures,
      }),
    ),
  })
  .meta({ id: 'Dashboard' });

const period = {
  from: fields.isoDate.optional().describe('First day, by the clock of the hospital. Default: 30 days before `to`'),
  to: fields.isoDate
    .optional()
    .describe('The day after the last one. Default: tomorrow. At most 366 days after `from`'),
};
const form = {
  format: fields.line(20).default('json').describe('json, csv, xlsx or pdf'),
  bom: queryBoolean()
    .optional()
    .describe('Whether a CSV file begins with a byte order mark, which some spreadsheets need'),
  language: z.enum(MAIL_LANGUAGES).optional().describe('Of xlsx and pdf. Default: that of the hospital'),
};

export function reportRoutes(reader: Reader): readonly Route[] {
  return [
    catalogueRoute(),
    dashboardRoute(reader),
    ...REPORTS.flatMap((report) => [figuresRoute(reader, report), recordsRoute(reader, report)]),
  ];
}

/** `LabTurnaround` of `lab-turnaround`. */
function capitalized(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function catalogueRoute(): Route {
  return route({
    method: 'GET',
    path: '/api/report/reports',
    summary: 'The reports and dashboards that the caller may see',
    access: 'reports.read',
    response: catalogue,
    database: 'none',
    handler: async ({ caller }) => ({
      data: {
        reports: REPORTS.filter((one) => caller.permissions.has(permissionOf(one))).map(shownReport),
        dashboards: dashboardsFor(caller.permissions).map(({ name, title }) => ({ name, title })),
      },
    }),
  });
}

function dashboardsFor(permissions: ReadonlySet<string>): readonly Dashboard[] {
  return DASHBOARDS.filter(({ areas }) => areas.every((area) => permissions.has(permissionOf({ area }))));
}

function shownReport(report: Report): z.output<typeof declared> {
  const { name, title, about, area, of, groupBy, measures, columns } = report;
  const filters = filtersOf(report);
  return {
    ...{ name, title, about, area, of, groupBy },
    groups: Object.entries(groupsOf(report)).map(([group, { title, labels = null }]) => ({
      ...{ name: group, title, labels, isFilter: filters.includes(group) },
    })),
    measures: Object.entries(measures).map(([measure, { title, kind }]) => ({ name: measure, title, kind })),
    columns: Object.entries(columns).map(([column, { title, kind }]) => ({ name: column, title, kind })),
  };
}

function dashboardRoute(reader: Reader): Route {
  return route({
    method: 'GET',
    path: '/api/report/dashboards/:name',
    operationId: 'readDashboard',
    summary: 'All figures of a dashboard, in one request',
    access: 'reports.read',
    params: z.object({ name: fields.line(50) }),
    query: z.object(period),
    response: dashboard,
    database: 'none',
    errors: [...FAILURES, DASHBOARD_NOT_FOUND],
    handler: async (context) => {
      const { params, query, caller, hospital } = context;
      const found = dashboardsFor(caller.permissions).find(({ name }) => name === params.name);
      if (!found) throw new Problem(DASHBOARD_NOT_FOUND);
      const tiles = await reading(reader, context, async (work) => {
        const span = spanOf(query, hospital.timezone, work.trx.moment);
        const doctor = found.tiles.some(({ isOwn }) => isOwn) ? await doctorId(work) : undefined;
        const all: z.output<typeof dashboard>['tiles'] = [];
        for (const { report: name, groupBy, chart, measures, isOwn = false } of found.tiles) {
          const report = reportNamed(name);
          const filters = isOwn && doctor !== undefined ? { doctor } : {};
          const wanted = { span, groupBy: [groupBy], filters, isCompared: true };
          all.push({ report: name, chart, measures: [...measures], figures: await readFigures(work, report, wanted) });
        }
        return all;
      });
      return { data: { name: found.name, title: found.title, tiles } };
    },
  });
}

const DASHBOARD_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'DASHBOARD_NOT_FOUND',
  message: 'There is no such dashboard for you: GET /api/report/reports lists yours',
};

/** The caller as a doctor whose patients the figures are about. */
async function doctorId({ trx, caller }: Parameters<Parameters<typeof reading>[2]>[0]): Promise<string | undefined> {
  const [own] = await trx.query<{ id: string }>(OWN_DOCTOR, [caller.sub]);
  return own?.id;
}

const OWN_DOCTOR = `
  SELECT id FROM employees WHERE account_id::text = $1 AND deleted_at IS NULL AND roles @> '["DOCTOR"]' LIMIT 1`;

/** Parameters with keys of groups, for facts of these only. Their names differ from report to report, so no type has them. */
function filterParameters(report: Report): Readonly<Record<never, z.ZodType>> {
  const groups = groupsOf(report);
  const about = (name: string) => `Only of this key of “${groups[name]?.title.en}”. \`${NO_KEY}\`: those without one`;
  return Object.fromEntries(filtersOf(report).map((name) => [name, fields.line(100).optional().describe(about(name))]));
}

function filtersIn(report: Report, sent: object): Readonly<Record<string, string>> {
  const query: Readonly<Record<string, unknown>> = { ...sent };
  return Object.fromEntries(
    filtersOf(report).flatMap((name) => (typeof query[name] === 'string' ? [[name, query[name]] as const] : [])),
  );
}

/** Parameters of which a misspelled one would otherwise let everything count. */
function onlyKnown<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.looseObject(shape).superRefine((query, context) => {
    for (const name of Object.keys(query).filter((one) => !known.includes(one))) {
      const message = `is no parameter of this report: use ${known.join(', ')}`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
  });
}

function groupParameter(report: Report) {
  const names = Object.keys(groupsOf(report));
  const list = z.string().transform((text, context): readonly string[] => {
    const wanted = text.split(',').map((name) => name.trim());
    const isRight = wanted.length <= MOST_GROUPS && new Set(wanted).size === wanted.length;
    if (isRight && wanted.every((name) => names.includes(name))) return wanted;
    context.addIssue({
      code: 'custom',
      message: `must be one of ${names.join(', ')}, or two with a comma between them`,
    });
    return [];
  });
  const one = `(?:${names.join('|')})`;
  return withTraits(list, { accepts: { type: 'string', pattern: `^${one}(?:,${one})?$`, examples: [report.groupBy] } })
    .optional()
    .describe(`One or two of ${names.join(', ')}, with a comma between them. Default: ${report.groupBy}`);
}

function figuresRoute(reader: Reader, report: Report): Route {
  return route({
    method: 'GET',
    path: `/api/report/${report.name}`,
    operationId: `read${capitalized(report.name)}Report`,
    summary: report.title.en,
    description: `${report.about.en} In the formats json, csv, xlsx and pdf.`,
    access: permissionOf(report),
    query: onlyKnown({
      ...filterParameters(report),
      ...period,
      groupBy: groupParameter(report),
      compare: queryBoolean().optional().describe('Whether it is compared with the period before. Default: true'),
      ...form,
    }),
    response: figures,
    alsoAs: [CSV, XLSX, PDF],
    database: 'none',
    errors: [...FAILURES, FORMAT_NOT_SUPPORTED, TOO_MANY_ROWS, DOCUMENTS_BUSY, STORAGE_UNAVAILABLE],
    handler: async (context) => {
      const { query, hospital } = context;
      refuseFormat(query.format, ['json', 'csv', 'xlsx', 'pdf']);
      const data = await reading(reader, context, (work) => {
        const wanted: Wanted = {
          span: spanOf(query, hospital.timezone, work.trx.moment),
          groupBy: query.groupBy ?? [report.groupBy],
          filters: filtersIn(report, query),
          isCompared: query.compare ?? true,
        };
        return readFigures(work, report, wanted);
      });
      if (query.format === 'json') return { data };
      const language = languageOf(query, hospital);
      if (query.format === 'pdf') return pdf(reader, report, data, hospital, language);
      const table = figuresTable(report, data, language);
      if (query.format === 'csv')
        return file(report, data, 'csv', csvHead(table.columns, query.bom ?? false) + csvLines(table.rows));
      return file(report, data, 'xlsx', await workbook(report.title[language], table, language, hospital.currency));
    },
  });
}

function recordsRoute(reader: Reader, report: Report): Route {
  const measures = Object.keys(report.measures);
  return route({
    method: 'GET',
    path: `/api/report/${report.name}/records`,
    operationId: `list${capitalized(report.name)}Records`,
    summary: `${report.title.en}: the list behind a figure`,
    description:
      'The same facts from which the figure is computed. In the formats json, csv and xlsx. CSV has all pages.',
    access: permissionOf(report),
    query: onlyKnown({
      ...filterParameters(report),
      ...period,
      measure: z
        .enum(measures as [string, ...string[]])
        .optional()
        .describe('Only what this figure is computed from'),
      ...pageParameters(),
      ...form,
    }),
    response: listed,
    paged: true,
    alsoAs: [CSV, XLSX],
    database: 'none',
    errors: [...FAILURES, FORMAT_NOT_SUPPORTED, TOO_MANY_ROWS],
    handler: async (context) => {
      const { query, hospital, inTransaction } = context;
      refuseFormat(query.format, ['json', 'csv', 'xlsx']);
      const measure: Measure | undefined = query.measure === undefined ? undefined : report.measures[query.measure];
      const filters = filtersIn(report, query);
      const span = spanOf(query, hospital.timezone, new Date());
      const wanted: WantedRecords = { span, filters, measure };
      const note = (ids: readonly string[] | undefined) =>
        inTransaction(async ({ audit }) => {
          const { from, to } = span;
          const details = { report: report.name, from, to, filters, measure: query.measure, ids, format: query.format };
          audit({ action: 'list', record: 'reports', details });
        });
      if (query.format === 'json') {
        const { data, meta, patientIds } = await reading(reader, context, (work) =>
          readRecords(work, report, wanted, query),
        );
        await note(patientIds);
        return { data, meta };
      }
      await note(undefined);
      if (query.format === 'csv')
        return file(
          report,
          span,
          'csv',
          await streamRecords(reader, context, report, wanted, { bom: query.bom ?? false }),
        );
      const language = languageOf(query, hospital);
      const rows = await reading(reader, context, (work) => allRecords(work, report, wanted, MOST_XLSX_ROWS));
      if (!rows) throw new Problem(TOO_MANY_ROWS);
      const table = { columns: recordColumns(report, language), rows };
      return file(report, span, 'xlsx', await workbook(report.title[language], table, language, hospital.currency));
    },
  });
}

/** @throws Problem TOO_MANY_ROWS, DOCUMENTS_BUSY, StorageUnavailable */
async function pdf(
  { platform, renderer }: Reader,
  report: Report,
  data: Figures,
  hospital: RequestContext['hospital'],
  language: MailLanguage,
): Promise<RawReply> {
  if (data.groups.length > MOST_PDF_ROWS) throw new Problem(TOO_MANY_ROWS);
  const now = new Date();
  const options = { branding: await brandingOf(platform.storage, hospital), language, createdAt: now };
  const sheet = reportSheet(report, data, hospital, language, now);
  return printed(fileName(report, data, 'pdf'), renderer.render('report', sheet, options));
}

function languageOf(
  { language }: { readonly language?: MailLanguage | undefined },
  { settings }: RequestContext['hospital'],
): MailLanguage {
  return language ?? mailLanguage(settings.language);
}

function refuseFormat(format: string, known: readonly string[]): void {
  if (known.includes(format)) return;
  const message = `There is no format ${JSON.stringify(format)} of this report: use ${known.join(', ')}`;
  throw new Problem(FORMAT_NOT_SUPPORTED, { message });
}

const TYPES = { csv: CSV, xlsx: XLSX } as const;

function file(report: Report, days: Days, format: keyof typeof TYPES, body: RawReply['body']): RawReply {
  const disposition = `attachment; filename="${fileName(report, days, format)}"`;
  return { contentType: TYPES[format], body, headers: { 'Content-Disposition': disposition } };
}

type Days = Pick<Span, 'from' | 'to'>;

function fileName({ name }: Report, { from, to }: Days, ending: string): string {
  return `${name}-${from}-${to}.${ending}`;
}
