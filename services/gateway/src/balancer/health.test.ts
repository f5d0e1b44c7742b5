import { describe, expect, test } from '@jest/globals';
import { Health, type Outcome, statusOutcome } from './health.ts';

const limits = { successes: 2, http_failures: 3, tcp_failures: 2, timeouts: 0 };
const [ok, http, tcp, timeout] = ['success', 'http_failure', 'tcp_failure', 'timeout'] as const;

describe('a target', () => {
  test.each<[string, Outcome[], boolean]>([
    ['starts healthy', [], true],
    ['is out after the limit', [http, http, http], false],
    ['is in before it', [http, http], true],
    ['resets its failures at a success', [http, http, ok, http, http], true],
    ['counts each kind of failure separately', [http, http, tcp], true],
    ['is out after enough failures of either kind', [http, tcp, tcp], false],
    ['is never out by failures without a limit', [timeout, timeout, timeout, timeout], true],
    ['stays out after one success', [tcp, tcp, ok], false],
    ['is back after enough successes', [tcp, tcp, ok, ok], true],
    ['needs consecutive successes', [tcp, tcp, ok, http, ok], false],
    ['starts counting again when it is back', [tcp, tcp, ok, ok, tcp], true],
  ])('%s', (_name, outcomes, healthy) => {
    const health = new Health();
    for (const outcome of outcomes) health.count(outcome, limits);
    expect(health.healthy).toBe(healthy);
  });

  test('reports only changes of its state', () => {
    const health = new Health();
    expect([tcp, tcp, tcp, ok, ok, ok].map((outcome) => health.count(outcome, limits))).toEqual([
      false,
      true,
      false,
      false,
      true,
      false,
    ]);
  });
});

test.each([
  [200, 'success'],
  [503, 'http_failure'],
  [401, undefined],
])('the status %i means %s', (status, outcome) => {
  expect(statusOutcome(status, { healthy: { http_statuses: [200] }, unhealthy: { http_statuses: [503] } })).toBe(
    outcome,
  );
});
