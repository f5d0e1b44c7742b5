import type { BackendStatus, HospitalStatus } from '@hms/hospitals';
import { describe, expect, it } from '@jest/globals';
import { announcements, driftOf } from './announcements.ts';
import type { Claim } from './claim.ts';
import { type Outcomes, outcomesOf } from './outcome.ts';
import { DESCRIPTORS, outcomesWith } from './testing.ts';

const KNOWN: Claim = { hospitalId: 'id', kind: 'known' };
const change = { action: 'create', object: 'route st-mary-hms' } as const;

function applied(hash: string | undefined): HospitalStatus {
  const entry = {
    state: 'Ready',
    reason: 'Ready',
    message: '',
    externalId: 'x',
    ...(hash ? { appliedHash: hash } : {}),
  } as const;
  return {
    endpoints: { issuer: 'i', api: 'a', portal: 'http://st-mary.localhost' },
    backends: Object.fromEntries(DESCRIPTORS.map(({ name }) => [name, entry])),
  };
}

function outcomes(hash: string, changes: readonly (typeof change)[]): Outcomes {
  const all = outcomesOf(DESCRIPTORS.map((backend) => ({ backend, externalId: 'x', changes: [], hash })));
  return outcomesWith('gateway', { changes }, all);
}

describe('announcements', () => {
  it('announces once that a hospital was created', () => {
    const events = announcements(
      applied(undefined),
      applied('h1'),
      { ...KNOWN, kind: 'new' },
      outcomes('h1', [change]),
    );
    expect(events).toEqual([
      { type: 'Normal', reason: 'Created', message: expect.stringContaining('http://st-mary.localhost') },
    ]);
  });

  it('announces drift if something differs while the desired state is unchanged', () => {
    const [events, ...more] = announcements(applied('h1'), applied('h1'), KNOWN, outcomes('h1', [change]));
    expect(events).toMatchObject({
      reason: 'DriftCorrected',
      message: expect.stringContaining('create route st-mary-hms'),
    });
    expect(more).toEqual([]);
  });

  it('warns what is lost with a registry row', () => {
    const events = announcements(applied('h1'), applied('h1'), { ...KNOWN, kind: 'lost' }, outcomes('h1', []));
    expect(events.map(({ type, reason }) => [type, reason])).toEqual([
      ['Normal', 'DriftCorrected'],
      ['Warning', 'RegistryRowLost'],
    ]);
  });

  it('tells once what changes only speed', () => {
    const tuned = outcomesWith('database', { report: { tuning: ['index spy was added'] } }, outcomes('h1', []));
    const after = applied('h1');
    const database = { ...after.backends?.database, message: 'index spy was added' } as BackendStatus;
    const status = { ...after, backends: { ...after.backends, database } };
    const event = { type: 'Normal', reason: 'Tuned', message: expect.stringContaining('index spy was added') };
    expect(announcements(after, status, KNOWN, tuned)).toEqual([event]);
    expect(announcements(status, status, KNOWN, tuned)).toEqual([]);
  });

  it('warns what a restored part has lost', () => {
    const loss = { reason: 'AccountsLost', message: 'without its accounts' };
    const realm = { action: 'create', object: 'realm st-mary', loss } as const;
    const restored = outcomesWith('identity', { changes: [realm] }, outcomes('h1', []));
    const events = announcements(applied('h1'), applied('h1'), KNOWN, restored);
    expect(events.map(({ type, reason }) => [type, reason])).toEqual([
      ['Normal', 'DriftCorrected'],
      ['Warning', 'AccountsLost'],
    ]);
    const created = announcements(applied(undefined), applied('h1'), KNOWN, restored);
    expect(created.map(({ reason }) => reason)).toEqual(['Created']);
  });

  it('announces an update if the desired state has changed, by the object or a release', () => {
    const [events] = announcements(applied('h1'), applied('h2'), KNOWN, outcomes('h2', [change]));
    expect(events).toMatchObject({ reason: 'Updated' });
  });

  it('distinguishes a backend with a new desired state from one with drift', () => {
    const role = { action: 'update', object: 'role h_st_mary' } as const;
    const current = outcomesWith('database', { changes: [role], hash: 'h1' }, outcomes('h2', [change]));
    expect(driftOf(applied('h1'), current)).toEqual([{ backend: 'database', change: role }]);
    const events = announcements(applied('h1'), applied('h1'), KNOWN, current);
    expect(events.map(({ reason }) => reason)).toEqual(['DriftCorrected', 'Updated']);
  });

  it('announces no drift before a backend was first applied', () => {
    expect(driftOf(applied(undefined), outcomes('h1', [change]))).toEqual([]);
  });

  it('announces that the registry row was restored', () => {
    const [events] = announcements(applied('h1'), applied('h1'), { ...KNOWN, kind: 'lost' }, outcomes('h1', []));
    expect(events).toMatchObject({ reason: 'DriftCorrected', message: expect.stringContaining('registry row') });
  });

  it('announces nothing when nothing changed', () => {
    expect(announcements(applied('h1'), applied('h1'), KNOWN, outcomes('h1', []))).toEqual([]);
  });
});
