/** For tests of the engines' clients. */
import { Registry } from 'prom-client';
import { Budget } from '../runtime/budget.ts';
import { NO_TRACING } from '../runtime/tracing.ts';
import { CallMetrics, Calls } from './calls.ts';

/** Calls that the fence allows, one at a time. */
export function testCalls(backend: string, fence: () => void = () => undefined): Calls {
  return new Calls({
    backend,
    budget: new Budget({ concurrency: 1, perSecond: 100 }),
    metrics: new CallMetrics(new Registry()),
    tracing: NO_TRACING,
    fence,
  });
}
