import { describe, expect, it } from '@jest/globals';
import { BACKEND_NAMES } from '../backends/backend.ts';
import { announcements, driftOf } from './announcements.ts';
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

function outcomes(hash: string, changes: readonly (typeof change)[]): Outcomes {
  return Object.fromEntries(
    BACKEND_NAMES.map((backend) => [
      backend,
      { backend, externalId: 'x', changes: backend === 'gateway' ? changes : [], hash },
    ]),
  );
}

describe('announcements', () => {
  it('tells once that a hospital was created', () => {
    const told = announcements(applied(undefined), applied('h1'), { ...KNOWN, kind: 'new' }, outcomes('h1', [change]));
    expect(told).toEqual([
      { type: 'Normal', reason: 'Created', message: expect.stringContaining('http://st-mary.localhost') },
    ]);
  });

  it('tells of drift when something differs though nothing else was asked for', () => {
    const [told, ...more] = announcements(applied('h1'), applied('h1'), KNOWN, outcomes('h1', [change]));
    expect(told).toMatchObject({
      reason: 'DriftCorrected',
      message: expect.stringContaining('create route st-mary-hms'),
    });
    expect(more).toEqual([]);
  });

  it('warns that a realm which was put back has lost its accounts', () => {
    const realm = { action: 'create', object: 'realm st-mary' } as const;
    const identity = { backend: 'identity', externalId: 'st-mary', changes: [realm], hash: 'h1' } as const;
    const told = announcements(applied('h1'), applied('h1'), KNOWN, { ...outcomes('h1', []), identity });
    expect(told.map(({ type, reason }) => [type, reason])).toEqual([
      ['Normal', 'DriftCorrected'],
      ['Warning', 'AccountsLost'],
    ]);
    const made = announcements(applied(undefined), applied('h1'), KNOWN, { ...outcomes('h1', []), identity });
    expect(made.map(({ reason }) => reason)).toEqual(['Created']);
  });

  it('tells of an update when something else was asked for, by the object or by a release', () => {
    const [told] = announcements(applied('h1'), applied('h2'), KNOWN, outcomes('h2', [change]));
    expect(told).toMatchObject({ reason: 'Updated' });
  });

  it('tells apart a backend that shall be something else and one that was changed by somebody', () => {
    const role = { action: 'update', object: 'role h_st_mary' } as const;
    const database = { backend: 'database', externalId: 'h_st_mary', changes: [role], hash: 'h1' } as const;
    const looked = { ...outcomes('h2', [change]), database };
    expect(driftOf(applied('h1'), looked)).toEqual([{ backend: 'database', change: role }]);
    const told = announcements(applied('h1'), applied('h1'), KNOWN, looked);
    expect(told.map(({ reason }) => reason)).toEqual(['DriftCorrected', 'Updated']);
  });

  it('takes nothing for drift of what was never brought to anything', () => {
    const { hash, ...gateway } = outcomes('h1', [change]).gateway ?? {};
    expect(driftOf(applied(undefined), { gateway } as Outcomes)).toEqual([]);
  });

  it('tells that the registry row was put back', () => {
    const [told] = announcements(applied('h1'), applied('h1'), { ...KNOWN, kind: 'lost' }, outcomes('h1', []));
    expect(told).toMatchObject({ reason: 'DriftCorrected', message: expect.stringContaining('registry row') });
  });

  it('says nothing when nothing changed', () => {
    expect(announcements(applied('h1'), applied('h1'), KNOWN, outcomes('h1', []))).toEqual([]);
  });
});
