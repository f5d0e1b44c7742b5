/** What an interrupted `make test-all` has done already, so that the next one goes on. */
import fs from 'node:fs';
import path from 'node:path';
import { outcomesIn } from './jest.ts';
import type { Outcome } from './reporter.ts';
import { remembered } from './tree.ts';

/** What must be the same for a run to go on. */
interface Header {
  readonly hash: string;
  readonly parts: readonly string[];
}

export class Progress {
  /** The suites' outcomes are appended here. */
  readonly outcomes: string;
  readonly #folder: string;

  /** @param header undefined: the run can't go on after an interruption. */
  constructor(header: Header | undefined) {
    this.#folder = remembered(header ? 'test-all' : `test-${process.pid}`);
    this.outcomes = path.join(this.#folder, 'outcomes.jsonl');
    const mark = path.join(this.#folder, 'of.json');
    const text = JSON.stringify(header ?? {});
    if (fs.existsSync(mark) && fs.readFileSync(mark, 'utf8') === text) return;
    this.end();
    fs.mkdirSync(this.#folder, { recursive: true });
    fs.writeFileSync(mark, text);
  }

  /** Those that have passed before the interruption. */
  passed(): readonly Outcome[] {
    return outcomesIn(this.outcomes).filter(({ failed }) => failed === 0);
  }

  /** The next run begins anew. */
  end(): void {
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}
