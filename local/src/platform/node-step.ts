import type { ProcessStep } from '../process/spec.ts';
import type { Platform } from './options.ts';
import { processStep } from './step.ts';

/** Heap limits: far above the need, but low enough to collect garbage before a process grows to 150 MB. */
export const NODE_LIMITS = [
  '--max-old-space-size=192',
  '--max-semi-space-size=8',
  '--disable-warning=ExperimentalWarning',
];

type Own = Pick<ProcessStep, 'name' | 'after' | 'env' | 'address' | 'ready'> &
  Partial<ProcessStep> & {
    /** The script to run. */
    readonly main: string;
    /** Of Node, besides the limits. */
    readonly options?: readonly string[];
  };

/** A Node process, with the current Node. */
export function nodeStep(platform: Platform, { main, options = [], args = [], ...own }: Own): ProcessStep {
  return processStep(platform, {
    ...{ ...own, command: process.execPath },
    args: [...NODE_LIMITS, ...options, main, ...args],
  });
}
