import type { PlatformObject } from '@hms/hospitals/platform';
import { describe, expect, it } from '@jest/globals';
import { BackendError } from '../backends/errors.ts';
import { hospitalObject } from '../hospital/testing.ts';
import { type Observed, platformStatus } from './platform-status.ts';

const EARLIER = '2026-03-01T08:00:00Z';
const NOW = new Date('2026-03-01T09:00:00Z');
const engine = { name: 'database', condition: 'DatabaseReady', waiting: 0, findings: [] } as const;
const still = { newest: 4, done: new Set<string>(), running: [], failed: [], haltedByFailures: false };

const platform = (state: 'Running' | 'Halted' = 'Running'): PlatformObject => ({
  metadata: {
    name: 'hms',
    uid: 'u',
    creationTimestamp: EARLIER,
    resourceVersion: '1',
    generation: 3,
    annotations: { 'hms.dev/reconcile-requested-at': 'at noon' },
  },
  spec: { migrations: { state } },
  status: {
    conditions: [
      {
        type: 'DatabaseReady',
        status: 'True',
        reason: 'Ready',
        message: '',
        observedGeneration: 1,
        lastTransitionTime: EARLIER,
      },
    ],
  },
});
const hospitals = (...versions: readonly number[]) =>
  versions.map((schemaVersion, n) => hospitalObject({ name: `h${n}`, status: { schemaVersion } }));

const OBSERVED = hospitalObject({
  name: 'observed',
  spec: { managementPolicy: 'Observe' },
  status: { schemaVersion: 3 },
});

function conditionOf(type: string, observed: Partial<Observed>, object = platform()) {
  const all = { engines: [{ ...engine, outcome: 'in order' as const }], migrations: still, hospitals: [], ...observed };
  return platformStatus(object, all, NOW).conditions?.find((condition) => condition.type === type);
}

describe('engines', () => {
  it('are ready since the time at which they became so', () => {
    expect(conditionOf('DatabaseReady', {})).toMatchObject({ status: 'True', lastTransitionTime: EARLIER });
    expect(conditionOf('Ready', {})).toMatchObject({ status: 'True', message: 'every engine answers' });
  });

  it('that do not answer make the platform unready, with the reason and the time', () => {
    const outcome = new BackendError('Unavailable', 'database: connection refused');
    const engines = [{ ...engine, waiting: 7, outcome }];
    expect(conditionOf('DatabaseReady', { engines })).toMatchObject({
      status: 'False',
      reason: 'BackendUnavailable',
      lastTransitionTime: '2026-03-01T09:00:00Z',
    });
    expect(conditionOf('Ready', { engines })).toMatchObject({
      status: 'False',
      message: 'database: connection refused',
    });
  });

  it('are unknown until they were asked, unless the operator before knew it', () => {
    const engines = [{ ...engine, outcome: undefined, findings: undefined }];
    expect(conditionOf('DatabaseReady', { engines })).toMatchObject({ status: 'True', lastTransitionTime: EARLIER });
    expect(conditionOf('Ready', { engines }, { ...platform(), status: {} })).toMatchObject({ status: 'Unknown' });
  });

  it('keep the first cause of an outage', () => {
    const down = (message: string) => [{ ...engine, outcome: new BackendError('Unavailable', message) }];
    const first = platformStatus(platform(), { engines: down('refused'), migrations: still, hospitals: [] }, NOW);
    const later = { ...platform(), status: first };
    expect(conditionOf('DatabaseReady', { engines: down('reset') }, later)).toMatchObject({ message: 'refused' });
  });

  it('have messages that the API server can read', () => {
    const engines = [{ ...engine, outcome: new BackendError('Invalid', `\u007f\u0085${'x'.repeat(497)}\u{1f600}`) }];
    expect(conditionOf('DatabaseReady', { engines })?.message).toBe(`\ufffd\ufffd${'x'.repeat(497)}\ufffd`);
  });

  it('have as many findings as the definition allows', () => {
    const findings = Array.from({ length: 60 }, (_, n) => `${n}${'x'.repeat(2000)}`);
    const status = platformStatus(
      platform(),
      { engines: [{ ...engine, outcome: 'in order', findings }], migrations: still, hospitals: [] },
      NOW,
    );
    expect(status.engines?.[0]?.findings).toHaveLength(50);
    expect(status.engines?.[0]?.findings[0]).toHaveLength(1024);
  });
});

describe('migrations', () => {
  it.each([
    ['True', 'Migrated', /^all hospitals have schema version 4$/, hospitals(4, 4), {}, 'Running'],
    ['True', 'Migrated', /^there are no hospitals$/, [], {}, 'Running'],
    ['True', 'Migrated', /so later migrations wait$/, hospitals(4), {}, 'Halted'],
    [
      'False',
      'Migrating',
      /^1 of 3 .* 1 are being migrated, 1 wait/,
      hospitals(4, 3, 3),
      { running: ['h1'] },
      'Running',
    ],
    ['False', 'MigrationHalted', /set spec\.migrations\.state to Running$/, hospitals(4, 3), {}, 'Halted'],
    [
      'False',
      'MigrationHalted',
      /1 failed\. No other migration starts/,
      hospitals(3, 3),
      { failed: [{ hospital: 'h0', message: 'no' }], haltedByFailures: true },
      'Running',
    ],
    ['True', 'Migrated', /^all hospitals have .*; 1 stay behind/, [...hospitals(4), OBSERVED], {}, 'Running'],
    [
      'False',
      'MigrationFailed',
      /Fix what failed/,
      hospitals(4, 3),
      { failed: [{ hospital: 'h1', message: 'no' }] },
      'Running',
    ],
  ] as const)('are %s with %s: %s', (status, reason, message, all, news, state) => {
    const condition = conditionOf('Migrated', { hospitals: all, migrations: { ...still, ...news } }, platform(state));
    expect(condition).toMatchObject({ status, reason, message: expect.stringMatching(message) });
  });

  it('echo the request to try again', () => {
    const status = platformStatus(platform(), { engines: [], migrations: still, hospitals: [] }, NOW);
    expect(status).toMatchObject({ reconcileRequestedAt: 'at noon', observedGeneration: 3 });
  });
});
