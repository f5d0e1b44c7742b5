/** Lists behind figures, as files that are written in the background: the table `report_exports`. */
import { fields, record, type TaskName } from '@hms/service';
import { z } from 'zod';
import type { Report } from '../declare.ts';
import { REPORTS } from '../reports/reports.ts';

const NAMES = REPORTS.map(({ name }) => name) as [Report['name'], ...Report['name'][]];

const FAIL_REASONS = ['too-slow', 'unexpected'] as const;

export const exportsRecord = record('report_exports', {
  name: 'report export',
  fields: {
    report: z.enum(NAMES),
    from: fields.day.describe('First day, by the clock of the hospital'),
    to: fields.day.describe('The day after the last one, at most 366 days later'),
    measure: fields.line(50).nullish().describe('Only what this figure is computed from'),
    filters: z
      .record(fields.line(50), fields.line(100))
      .default({})
      .describe('Keys of groups by their names, such as `{"method": "CASH"}`. Only facts with these'),
    filterNames: z
      .record(fields.line(50), fields.line(300))
      .default({})
      .describe('What these keys are called, for the list of files, such as `{"doctor": "Ann Byrne"}`'),
    hasBom: z.boolean().default(false).describe('Whether the file begins with a byte order mark'),
  },
  set: {
    requestedBy: fields.line(100).describe('Account of the person'),
    rowsDone: z.int().describe('Rows that are in the file so far'),
    rowsTotal: z.int().nullable().describe('Null: not counted yet'),
    size: z.int().nullable().describe('In bytes. Null: not done'),
    failReason: z
      .enum(FAIL_REASONS)
      .nullable()
      .describe('too-slow: it took longer than reports may take, and fewer days may help. Null: it has not failed'),
    expiresAt: fields.instant.nullable().describe('When the file is deleted. Null: not done'),
  },
  states: {
    waiting: ['running', 'cancelled'],
    running: ['done', 'failed', 'cancelled'],
    done: [],
    failed: [],
    cancelled: [],
  },
  filters: ['status', 'requestedBy'],
});
export type ReportExport = z.output<typeof exportsRecord.item>;

const input = z.object({ exportId: z.uuid() });
export const exportTask: TaskName<z.output<typeof input>> = { name: 'report-export', input, attempts: 16 };
/** Deletes the file, and with it what is known of it. */
export const exportRemoval: TaskName<z.output<typeof input>> = { name: 'report-export-removal', input, attempts: 16 };

/** Where the file is. */
export function exportKey(id: string): string {
  return `reports/${id}.csv`;
}
