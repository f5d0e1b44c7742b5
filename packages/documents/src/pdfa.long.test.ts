/** The documents, validated by veraPDF. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findJava } from '@hms/local';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { $ } from 'zx';
import { tool } from '../../../test/support/tools.ts';
import { Renderer } from './renderer.ts';
import {
  DISPENSE_LABELS,
  FIGURES,
  LABELS,
  PRESCRIPTIONS,
  REPORTS,
  SCRIPTS,
  sample,
  VISITOR_LISTS,
} from './testing/samples.ts';

const CHECK = path.join(import.meta.dirname, 'testing', 'PdfACheck.java');
const folder = mkdtempSync(path.join(tmpdir(), 'hms-test-pdfa-'));
const renderer = new Renderer();
let java: string;

beforeAll(async () => {
  ({ binary: java } = await findJava());
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await renderer.end();
});

it('are PDF/A-2b, and the check refuses one that is not', async () => {
  const logo = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" opacity="0.5"/></svg>',
  );
  const files: [string, Uint8Array][] = [['plain', NodeCompiler.create().pdf({ mainFileContent: 'Hello' })]];
  const facts = Array.from({ length: 60 }, (_, index) => [`Fact ${index}`, `<Value> & "${index}" 山\u0007`] as const);
  const samples = { ...SCRIPTS, pages: sample({ name: 'A & <B> 山', facts }, { logo, hospital: 'C & <D> \u0007' }) };
  for (const [name, { data, options }] of Object.entries(samples)) {
    files.push([name, (await renderer.render('patient-summary', data, options)).pdf]);
  }
  for (const [script, { data, options }] of Object.entries(REPORTS))
    files.push([`report-${script}`, (await renderer.render('lab-report', data, options)).pdf]);
  for (const [script, { data, options }] of Object.entries(LABELS))
    files.push([`labels-${script}`, (await renderer.render('specimen-labels', data, options)).pdf]);
  for (const [script, { data, options }] of Object.entries(DISPENSE_LABELS))
    files.push([`dispense-labels-${script}`, (await renderer.render('dispense-labels', data, options)).pdf]);
  for (const [script, { data, options }] of Object.entries(PRESCRIPTIONS))
    files.push([`prescription-${script}`, (await renderer.render('prescription', data, options)).pdf]);
  for (const [script, { data, options }] of Object.entries(VISITOR_LISTS))
    files.push([`visitors-${script}`, (await renderer.render('visitor-list', data, options)).pdf]);
  for (const [script, { data, options }] of Object.entries(FIGURES))
    files.push([`figures-${script}`, (await renderer.render('report', data, options)).pdf]);
  for (const [name, bytes] of files) writeFileSync(path.join(folder, name), bytes);
  const output = await $({
    quiet: true,
    cwd: folder,
  })`${java} -cp ${tool('verapdf')} ${CHECK} ${files.map(([name]) => name)}`.text();
  const broken = Object.fromEntries(
    output
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: ?/, 2)),
  );
  expect(broken).toEqual({
    plain: expect.stringContaining('6.6.4 The PDF/A version'),
    ...Object.fromEntries(files.slice(1).map(([name]) => [name, ''])),
  });
}, 120_000);
