import { describe, expect, test } from '@jest/globals';
import { Health, type Outcome, statusOutcome } from './health.ts';

const limits = { successes: 2, http_failures: 3, tcp_failures: 2, timeouts: 0 };
const [ok, http, tcp, timeout] = ['success', 'http_failure', 'tcp_failure', 'timeout'] as const;

describe('a target', () => {
  test.each<[string, Outcome[], boolean]>([
    ['starts healthy', [], true],
    ['is out after the limit', [http, http, http], false],
    ['is in before it', [http, http], true],
    ['has its failures forgiven by a success', [http, http, ok, http, http], true],
    ['has its kinds of failures counted apart', [http, http, tcp], true],
    ['is out by either kind', [http, tcp, tcp], false],
    ['is never out by what has no limit', [timeout, timeout, timeout, timeout], true],
    ['stays out after one success', [tcp, tcp, ok], false],
    ['is back after enough', [tcp, tcp, ok, ok], true],
    ['needs them in a row', [tcp, tcp, ok, http, ok], false],
    ['begins anew when it is back', [tcp, tcp, ok, ok, tcp], true],
  ])('%s', (_name, outcomes, healthy) => {
    const health = new Health();
    for (const outcome of outcomes) health.count(outcome, limits);
    expect(health.healthy).toBe(healthy);
  });

  test('tells when its state turns, and only then', () => {
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
