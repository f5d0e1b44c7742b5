/** Renders the samples to `.hms/preview`, for a look at the templates. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Renderer } from '../renderer.ts';
import { SCRIPTS } from './samples.ts';

const folder = path.join('.hms', 'preview');
const renderer = new Renderer();

mkdirSync(folder, { recursive: true });
for (const [script, { data, options }] of Object.entries(SCRIPTS)) {
  const file = path.join(folder, `patient-summary-${script}.pdf`);
  const { pdf } = await renderer.render('patient-summary', data, options);
  writeFileSync(file, pdf);
  process.stdout.write(`${file}\n`);
}
await renderer.end();
