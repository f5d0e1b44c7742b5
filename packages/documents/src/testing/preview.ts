/** Renders the samples to `.hms/preview`, for a look at the templates. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type DocumentOptions, Renderer } from '../renderer.ts';
import type { Templates } from '../templates.ts';
import {
  DISPENSE_LABELS,
  FIGURES,
  INVOICES,
  LABELS,
  PRESCRIPTIONS,
  RECEIPTS,
  REPORTS,
  SCRIPTS,
  VISITOR_LISTS,
} from './samples.ts';

const folder = path.join('.hms', 'preview');
const renderer = new Renderer();

mkdirSync(folder, { recursive: true });
const show = async <Name extends keyof Templates>(template: Name, script: string, sample: Shown<Name>) => {
  const file = path.join(folder, `${template}-${script}.pdf`);
  writeFileSync(file, (await renderer.render(template, sample.data, sample.options)).pdf);
  process.stdout.write(`${file}\n`);
};
for (const [script, sample] of Object.entries(SCRIPTS)) await show('patient-summary', script, sample);
for (const [script, sample] of Object.entries(REPORTS)) await show('lab-report', script, sample);
for (const [script, sample] of Object.entries(LABELS)) await show('specimen-labels', script, sample);
for (const [script, sample] of Object.entries(DISPENSE_LABELS)) await show('dispense-labels', script, sample);
for (const [script, sample] of Object.entries(PRESCRIPTIONS)) await show('prescription', script, sample);
for (const [script, sample] of Object.entries(INVOICES)) await show('invoice', script, sample);
for (const [script, sample] of Object.entries(RECEIPTS)) await show('receipt', script, sample);
for (const [script, sample] of Object.entries(VISITOR_LISTS)) await show('visitor-list', script, sample);
for (const [script, sample] of Object.entries(FIGURES)) await show('report', script, sample);
await renderer.end();

interface Shown<Name extends keyof Templates> {
  readonly data: Templates[Name];
  readonly options: DocumentOptions;
}
