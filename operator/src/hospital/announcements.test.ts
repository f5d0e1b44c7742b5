import { describe, expect, it } from '@jest/globals';
import { BACKEND_NAMES } from '../backends/backend.ts';
import { announcements } from './announcements.ts';
import type { Claim } from './claim.ts';
import type { Outcomes } from './outcome.ts';
import type { HospitalStatus } from './resource.ts';

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
    backends: Object.fromEntries(BACKEND_NAMES.map((name) => [name, entry])),
  };
}

function outcomes(changes: readonly (typeof change)[]): Outcomes {
  return Object.fromEntries(
    BACKEND_NAMES.map((backend) => [
      backend,
      { backend, externalId: 'x', changes: backend === 'gateway' ? changes : [] },
    ]),
  );
}

describe('announcements', () => {
  it('tells once that a hospital was created', () => {
    const told = announcements(applied(undefined), applied('h1'), 'h1', { ...KNOWN, kind: 'new' }, outcomes([change]));
    expect(told).toEqual([
      { type: 'Normal', reason: 'Created', message: expect.stringContaining('http://st-mary.localhost') },
    ]);
  });

  it('tells of drift when something differs though nothing else was asked for', () => {
    const [told, ...more] = announcements(applied('h1'), applied('h1'), 'h1', KNOWN, outcomes([change]));
    expect(told).toMatchObject({
      reason: 'DriftCorrected',
      message: expect.stringContaining('create route st-mary-hms'),
    });
    expect(more).toEqual([]);
  });

  it('warns that a realm which was put back has lost its accounts', () => {
    const realm = { action: 'create', object: 'realm st-mary' } as const;
    const identity = { backend: 'identity', externalId: 'st-mary', changes: [realm] } as const;
    const told = announcements(applied('h1'), applied('h1'), 'h1', KNOWN, { ...outcomes([]), identity });
    expect(told.map(({ type, reason }) => [type, reason])).toEqual([
      ['Normal', 'DriftCorrected'],
      ['Warning', 'AccountsLost'],
    ]);
    const made = announcements(applied(undefined), applied('h1'), 'h1', KNOWN, { ...outcomes([]), identity });
    expect(made.map(({ reason }) => reason)).toEqual(['Created']);
  });

  it('tells of an update when something else was asked for', () => {
    const [told] = announcements(applied('h1'), applied('h2'), 'h2', KNOWN, outcomes([change]));
    expect(told).toMatchObject({ reason: 'Updated' });
  });

  it('tells that the registry row was put back', () => {
    const [told] = announcements(applied('h1'), applied('h1'), 'h1', { ...KNOWN, kind: 'lost' }, outcomes([]));
    expect(told).toMatchObject({ reason: 'DriftCorrected', message: expect.stringContaining('registry row') });
  });

  it('says nothing when nothing changed', () => {
    expect(announcements(applied('h1'), applied('h1'), 'h1', KNOWN, outcomes([]))).toEqual([]);
  });
});
