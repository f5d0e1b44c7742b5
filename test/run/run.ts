/**
 * Runs suites: `gate` (make test), `all` or its parts (make test-all), or those whose path contains a text. First it gets
 * what they need, then it starts one platform for all of them. Suites that fail run once more, alone.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { layout, lineReport, Problem } from '@hms/local';
import { TOOLS_VARIABLE } from '../support/tools.ts';
import { rememberFlaky } from './flaky.ts';
import { type Result, resultsOf, runJest } from './jest.ts';
import { ENGINES, type SharedPlatform, startSharedPlatform } from './platform.ts';
import { Progress } from './progress.ts';
import { allSuites, PARTS, type Part, type Suite } from './suites.ts';
import { suites as counted, summary, table } from './summary.ts';
import { obtainAll } from './tools.ts';
import { currentTree, remembered, type Tree } from './tree.ts';

const HELP = `npm test -- gate                 the gate, as make test runs it after its checks
npm test -- all [part…]          the rest or parts of it: ${PARTS.join(', ')}
npm test -- <text>…              suites whose path contains one of these texts
  -t, --name <text>              only tests with this in their names
`;

/** Parts whose suites run one after the other. */
const ONE_BY_ONE: readonly Part[] = ['alone', 'faults', 'cluster'];
/** How many other suites run at the same time: one for each core of a small machine. */
const WORKERS = 2;

/** What the arguments ask for. */
interface Asked {
  readonly kind: 'gate' | 'all' | 'some';
  readonly suites: readonly Suite[];
  readonly name: string | undefined;
}

function asked(): Asked {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string', short: 't' }, help: { type: 'boolean', short: 'h' } },
  });
  const [first, ...others] = positionals;
  if (values.help || first === undefined) {
    process.stdout.write(HELP);
    process.exit(values.help ? 0 : 2);
  }
  const { name } = values;
  const suites = allSuites().filter(({ part }) => part !== 'cluster' || process.env.HMS_CLUSTER_HOST);
  if (first === 'gate' && others.length === 0) {
    return { kind: 'gate', name, suites: suites.filter(({ part }) => part === 'gate') };
  }
  if (first === 'all') {
    const unknown = others.find((other) => !PARTS.some((part) => part === other));
    if (unknown !== undefined) throw new Problem(`There is no part ${unknown}. The parts are ${PARTS.join(', ')}.`);
    const wanted = PARTS.filter((part) => others.length === 0 || others.includes(part));
    return { kind: 'all', name, suites: suites.filter(({ part }) => wanted.some((one) => one === part)) };
  }
  const found = suites.filter(({ file }) => positionals.some((text) => file.includes(text)));
  if (found.length === 0) throw new Problem(`No suite has ${positionals.join(' or ')} in its path.`);
  return { kind: 'some', name, suites: found };
}

const report = lineReport((line) => process.stderr.write(`${line}\n`));

class Run {
  readonly #asked: Asked;
  readonly #progress: Progress;
  readonly #signal: AbortSignal;
  readonly #results = new Map<string, Result>();
  readonly #flaky: { readonly file: string; readonly error: string }[] = [];
  /** Milliseconds of each part, without the platform's start and second chances. */
  readonly #times = new Map<Part, number>();
  #env: Readonly<Record<string, string>> = {};

  constructor(what: Asked, tree: Tree, signal: AbortSignal) {
    const parts = [...new Set(what.suites.map(({ part }) => part)), what.name ?? ''];
    this.#asked = what;
    this.#signal = signal;
    this.#progress = new Progress(what.kind === 'all' ? { hash: tree.hash, parts } : undefined);
  }

  async all(): Promise<readonly Result[]> {
    try {
      const rest = this.#withoutPassed();
      await this.#obtain(rest);
      const units = rest.filter(({ part, needs }) => part === 'gate' && needs === 'nothing');
      const onEngines = rest.filter(({ needs }) => needs === 'engines');
      const onPlatform = rest.filter(({ needs }) => needs === 'platform');
      const own = rest.filter(({ part, needs }) => part !== 'gate' && needs === 'nothing');
      await this.#on(onEngines, ENGINES, []);
      // The platform's start waits for its engines part of the time.
      await this.#on(onPlatform, process.env.HMS_TEST_ONLY?.split(','), units);
      await this.#on(own, [], []);
    } finally {
      if (!this.#signal.aborted || this.#asked.kind !== 'all') this.#progress.end();
    }
    return [...this.#results.values()];
  }

  get flaky() {
    return this.#flaky;
  }

  get times(): ReadonlyMap<Part, number> {
    return this.#times;
  }

  /**
   * Runs suites on a platform that is stopped afterwards.
   * @param only its steps. Undefined: all.
   * @param meanwhile suites that run while it starts.
   */
  async #on(suites: readonly Suite[], only: readonly string[] | undefined, meanwhile: readonly Suite[]): Promise<void> {
    let platform: SharedPlatform | undefined;
    try {
      platform = await this.#start(suites.length > 0 && only?.length !== 0, only, meanwhile);
      this.#env = { ...this.#env, ...platform?.env };
      for (const [part, some] of Map.groupBy(suites, ({ part }) => part)) {
        const start = performance.now();
        await this.#run(some, { workers: ONE_BY_ONE.includes(part) ? 1 : WORKERS });
        this.#times.set(part, (this.#times.get(part) ?? 0) + performance.now() - start);
      }
      await this.#secondChance([...meanwhile, ...suites]);
    } finally {
      await platform?.stop();
    }
  }

  /** Starts a platform, and runs suites meanwhile, which end at once when it can't start. */
  async #start(
    isNeeded: boolean,
    only: readonly string[] | undefined,
    meanwhile: readonly Suite[],
  ): Promise<SharedPlatform | undefined> {
    if (!isNeeded) {
      await this.#run(meanwhile, { workers: WORKERS });
      return;
    }
    const failed = new AbortController();
    const [started, ran] = await Promise.allSettled([
      startSharedPlatform(report, this.#signal, only).catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
      this.#run(meanwhile, { workers: WORKERS, givesWay: true, signal: failed.signal }),
    ]);
    if (started.status === 'rejected') throw started.reason;
    if (ran.status === 'rejected') {
      await started.value.stop();
      throw ran.reason;
    }
    return started.value;
  }

  #withoutPassed(): readonly Suite[] {
    const passed = this.#progress.passed();
    const before = resultsOf(this.#asked.suites, passed, this.#progress.outcomes).filter(({ failed }) => failed === 0);
    if (before.length > 0) report.note(`continuing after an interruption: ${counted(before.length)} passed before it`);
    for (const result of before) this.#results.set(result.suite.file, result);
    return this.#asked.suites.filter(({ file }) => !this.#results.has(file));
  }

  async #obtain(suites: readonly Suite[]): Promise<void> {
    const parts = new Set(
      suites.filter(({ part, needs }) => part !== 'gate' || needs !== 'nothing').map(({ part }) => part),
    );
    if (parts.size === 0) return;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hms-test-tools-'));
    const tools = await obtainAll(parts, layout(folder), report);
    fs.rmSync(folder, { recursive: true, force: true });
    this.#env = { [TOOLS_VARIABLE]: JSON.stringify(tools) };
  }

  async #run(
    suites: readonly Suite[],
    how: { readonly workers: number; readonly givesWay?: boolean; readonly signal?: AbortSignal },
  ): Promise<void> {
    const { workers, givesWay = false } = how;
    const { name } = this.#asked;
    const outcomes = this.#progress.outcomes;
    const signal = AbortSignal.any([this.#signal, ...(how.signal ? [how.signal] : [])]);
    const results = await runJest({ suites, workers, name, env: this.#env, outcomes, givesWay, signal });
    for (const result of results) this.#results.set(result.suite.file, result);
  }

  /** Runs what failed once more, one after the other. */
  async #secondChance(suites: readonly Suite[]): Promise<void> {
    const failed = suites.flatMap(({ file }) => this.#results.get(file) ?? []).filter((result) => result.failed > 0);
    if (failed.length === 0) return;
    report.note(`failed: ${counted(failed.length)}; each runs once more, alone`);
    await this.#run(
      failed.map(({ suite }) => suite),
      { workers: 1 },
    );
    for (const { suite, errors } of failed) {
      if (this.#results.get(suite.file)?.failed === 0) this.#flaky.push({ file: suite.file, error: errors[0] ?? '' });
    }
  }
}

async function main(): Promise<number> {
  const start = performance.now();
  const what = asked();
  const tree = currentTree();
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Problem(signal)));
  const run = new Run(what, tree, stopping.signal);
  const results = await run.all();
  const { flaky, times } = run;
  const at = new Date().toISOString();
  rememberFlaky(flaky.map(({ file, error }) => ({ at, commit: tree.commit, suite: file, error })));
  const tableFile = remembered(`suites-${what.kind}.txt`);
  fs.writeFileSync(tableFile, `${table(results)}\n`);
  const milliseconds = performance.now() - start;
  process.stderr.write(summary({ results, flaky, times, milliseconds, tableFile: path.relative('.', tableFile) }));
  const isGreen = results.every(({ failed }) => failed === 0);
  if (isGreen && what.kind === 'gate' && what.name === undefined) {
    // Files that were edited during the run are changes too.
    const isClean = tree.isClean && currentTree().hash === tree.hash;
    fs.writeFileSync(remembered('test-passed'), `${tree.commit} ${isClean ? 'clean' : 'with changes'}\n`);
  }
  return isGreen ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof Problem)) throw error;
  process.stderr.write(`${error.message}\n`);
  return error.message.startsWith('SIG') ? 130 : 1;
});
