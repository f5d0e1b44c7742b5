/**
 * Documents: the time of each and the memory of the process that renders them, which must not grow. The summaries are in
 * all scripts, and each has another name. HMS_BENCH_DOCUMENTS (2000) sets their number.
 */
import { $ } from 'zx';
import { Renderer } from '../packages/documents/src/index.ts';
import { SCRIPTS } from '../packages/documents/src/testing/samples.ts';
import { compare, table } from './table.ts';

const DOCUMENTS = Number(process.env.HMS_BENCH_DOCUMENTS ?? 2000);
const STEP = DOCUMENTS / 10;
const GOAL_P50 = 50;
const GOAL_P99 = 100;

const renderer = new Renderer();
const times: number[] = [];
const memory: number[] = [];
const samples = Object.values(SCRIPTS);

for (let number = 0; number < DOCUMENTS; number++) {
  const { data, options } = samples[number % samples.length] ?? SCRIPTS.Latin;
  const start = performance.now();
  await renderer.render('patient-summary', { ...data, name: `${data.name} ${number}` }, options);
  times.push(performance.now() - start);
  if ((number + 1) % STEP === 0) {
    memory.push(await residentMb());
    process.stderr.write(`${number + 1} documents: ${memory.at(-1)?.toFixed(0)} MB, ${times.at(-1)?.toFixed(1)} ms\n`);
  }
}
await renderer.end();

const [first = 0, ...rest] = times;
const sorted = rest.toSorted((a, b) => a - b);
const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
const rows = [
  compare('first document, with the start of its process', [first], 'goal', [1000], 'ms'),
  compare('next documents: p50', [percentile(0.5)], 'goal', [GOAL_P50], 'ms'),
  compare('next documents: p99', [percentile(0.99)], 'goal', [GOAL_P99], 'ms'),
  compare(`memory after ${DOCUMENTS} documents`, memory.slice(-1), `after ${DOCUMENTS / 2}`, memory.slice(4, 5), 'MB'),
];
process.stdout.write(`${table(rows)}\n`);

async function residentMb(): Promise<number> {
  const kilobytes = await $({ quiet: true })`ps -o rss= -p ${renderer.processes}`.text();
  return Number(kilobytes) / 1024;
}
