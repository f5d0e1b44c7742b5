/** The declarations of tests and panels. */
import { build } from '@hms/database';
import { declareConstraints, type ErrorKind, fields, itemWith, record, ref } from '@hms/service';
import type { Knex } from 'knex';
import { z } from 'zod';
import { newRange, range } from './ranges.ts';

const MEANINGS = ['normal', 'abnormal', 'critical'] as const;
/** A year. */
const MOST_MINUTES = 527_040;
const MOST_OPTIONS = 50;
const MOST_RANGES = 100;
export const MOST_TESTS = 100;

const option = z.object({
  code: fields.line(40).describe('What is entered, and what an analyser sends'),
  name: fields.line(100),
  meaning: z.enum(MEANINGS).default('normal'),
});
export type Option = z.output<typeof option>;

const IN_PANEL = 'id IN (SELECT jsonb_array_elements_text(test_ids)::uuid FROM lab_panels WHERE id = ?)';

export const labTests = record('lab_tests', {
  name: 'lab test',
  fields: {
    code: fields.line(20).describe('Short and unique, such as `K`. Analysers use it too'),
    name: fields.line(100),
    departmentId: ref('departments').nullish().describe('The department that does it'),
    specimenType: fields
      .line(40)
      .describe('Such as `Serum` or `EDTA blood`. The tests of an order with the same type share a specimen'),
    valueType: z.enum(['numeric', 'text', 'coded']),
    unit: fields.line(20).nullish().describe('Such as `mmol/L`. Only of a numeric test'),
    decimals: z.int().min(0).max(6).nullish().describe('Most decimals of a value. Only of a numeric test'),
    options: z.array(option).min(1).max(MOST_OPTIONS).nullish().describe('The possible values of a coded test'),
    loinc: z
      .string()
      .regex(/^[0-9]{1,7}-[0-9]$/, 'must be a LOINC code, like 2823-3')
      .nullish(),
    price: z.int().min(0).max(999_999_999_999).nullish().describe('In minor units of the currency of the hospital'),
    turnaroundMinutes: z
      .int()
      .min(1)
      .max(MOST_MINUTES)
      .default(1440)
      .describe('Within how many minutes after the order its verified result is expected'),
  },
  states: { draft: ['active'], active: ['retired'], retired: ['active'] },
  sort: ['name'],
  defaultSort: 'name',
  filters: ['code', 'departmentId', 'status'],
  moreFilters: {
    panelId: { schema: fields.id, where: (rows, value) => void rows.whereRaw(IN_PANEL, [value as string]) },
  },
  search: {},
  live: true,
});
export type LabTest = z.output<typeof labTests.item>;

export const labTestWithRanges = itemWith(labTests, { ranges: z.array(range) }).meta({ id: 'LabTestWithRanges' });
export type LabTestWithRanges = z.output<typeof labTestWithRanges>;

const ranges = z
  .array(newRange)
  .max(MOST_RANGES)
  .describe('Only of a numeric test. No two of them may be for the same sex and age');
export const newLabTest = labTests.create.extend({ ranges: ranges.default([]) }).meta({ id: 'NewLabTest' });
export const labTestChanges = labTests.changes
  .extend({ ranges: ranges.optional().describe('Replaces all of them') })
  .meta({ id: 'LabTestChanges' });

const LAB_PANEL_CODE_TAKEN: ErrorKind = {
  status: 409,
  code: 'LAB_PANEL_CODE_TAKEN',
  message: 'Another panel has this code: choose another one',
  field: 'code',
};

export const labPanels = record('lab_panels', {
  name: 'lab panel',
  fields: {
    code: fields.line(20).describe('Short and unique, such as `LIVER`'),
    name: fields.line(100),
    testIds: fields.ids('test', MOST_TESTS).describe('The tests that are ordered together, in their order on a report'),
  },
  sort: ['name'],
  defaultSort: 'name',
  filters: ['code'],
  search: {},
  constraints: { lab_panels_code: LAB_PANEL_CODE_TAKEN },
  live: true,
});
export type LabPanel = z.output<typeof labPanels.item>;

export const LAB_TEST_NOT_FOUND: ErrorKind = labTests.notFound;
export const LAB_PANEL_NOT_FOUND: ErrorKind = labPanels.notFound;
export const LAB_TEST_CODE_TAKEN: ErrorKind = {
  status: 409,
  code: 'LAB_TEST_CODE_TAKEN',
  message: 'Another test has this code: choose another one',
  field: 'code',
};
export const RANGE_OVERLAP: ErrorKind = {
  status: 422,
  code: 'RANGE_OVERLAP',
  message: 'Two ranges are for the same sex and age: change one of them',
};
export const LAB_TEST_INVALID: ErrorKind = {
  status: 422,
  code: 'LAB_TEST_INVALID',
  message: 'The fields of the test do not fit together',
};
export const LAB_TEST_FIXED: ErrorKind = {
  status: 409,
  code: 'LAB_TEST_FIXED',
  message: 'What the values of a test mean can be changed only in a draft: retire this test and create another one',
};
export const LAB_TEST_IN_USE: ErrorKind = {
  status: 409,
  code: 'LAB_TEST_IN_USE',
  message: 'The test was ordered, or is in a panel: take it out of its panels, and retire it',
};
export const LAB_TEST_IN_PANEL: ErrorKind = {
  status: 409,
  code: 'LAB_TEST_IN_PANEL',
  message: 'The test is in the panels in details.panels: take it out of them, then retire it',
};
export const LAB_TEST_NOT_ACTIVE: ErrorKind = {
  status: 409,
  code: 'LAB_TEST_NOT_ACTIVE',
  message: 'Only active tests can be ordered: activate those in details.tests, or leave them out',
};

declareConstraints({
  lab_tests_code: LAB_TEST_CODE_TAKEN,
  lab_ranges_no_overlap: RANGE_OVERLAP,
  lab_ranges_hours: LAB_TEST_INVALID,
  lab_ranges_limits: LAB_TEST_INVALID,
  lab_tests_value_type: LAB_TEST_INVALID,
});

/** Ids of the tests that have one of these codes, without regard to capitals, for a filter. */
export function testsCoded(codes: readonly string[]): Knex.QueryBuilder {
  const lower = codes.map((code) => code.toLowerCase());
  return build.from('lab_tests').whereRaw('lower(code) = ANY(?)', [lower]).select('id');
}

/** Ids of the tests that have one of these LOINC codes, for a filter. */
export function testsWithLoinc(codes: readonly string[]): Knex.QueryBuilder {
  return build.from('lab_tests').whereIn('loinc', codes).select('id');
}

/** Ids of the tests of a department. */
export function testsOfDepartment(departmentId: string): Knex.QueryBuilder {
  return build.from('lab_tests').where('department_id', departmentId).select('id');
}
