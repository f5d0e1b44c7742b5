import { describe, expect, it } from '@jest/globals';
import { BackendError } from '../backends/errors.ts';
import type { Outcome, Outcomes } from './outcome.ts';
import { prove } from './served.ts';
import { tenantOf } from './tenant.ts';
import { FINE, hospitalObject, outcomesWith } from './testing.ts';

const SETTINGS = { baseUrl: 'http://localhost', domain: 'localhost' };
const CHANGED = outcomesWith('gateway', { changes: [{ action: 'update', object: 'route x' }] });

/** @param answers of the gateway, the last one from then on. @returns also how often it was asked. */
async function proved(outcomes: Outcomes, answers: readonly (string | undefined)[], suspended = false) {
  const tenant = tenantOf(hospitalObject({ spec: { state: suspended ? 'Suspended' : 'Active' } }), 'id', SETTINGS);
  let asked = 0;
  const hastened: string[] = [];
  const missing = async () => {
    asked += 1;
    return answers[Math.min(asked, answers.length) - 1];
  };
  const options = {
    proof: { prepare: async () => undefined, missing },
    backends: [],
    platform: { hasten: (name: string) => void hastened.push(name), trouble: () => undefined },
  };
  const result = await prove(tenant, outcomes, options, (outcome: Outcome) => outcome);
  return { asked, missing: result.missing, verified: result.verified, hastened };
}

describe('prove', () => {
  it('asks once if nothing was changed, and several times after a change, which not all workers apply at once', async () => {
    expect(await proved(FINE, [undefined])).toEqual({ asked: 1, missing: undefined, verified: true, hastened: [] });
    expect(await proved(CHANGED, [undefined])).toEqual({ asked: 4, missing: undefined, verified: true, hastened: [] });
    expect(await proved(CHANGED, [undefined, undefined, 'no', undefined])).toMatchObject({ asked: 7, verified: true });
  });

  it('has the shared parts of an engine checked at once in which something is missing', async () => {
    const failed = outcomesWith('gateway', { error: new BackendError('NotFound', 'no service') });
    expect(await proved(failed, [undefined])).toMatchObject({ asked: 0, hastened: ['gateway'] });
  });

  it('proves nothing of a suspended hospital, which serves nobody', async () => {
    expect(await proved(FINE, [undefined], true)).toEqual({
      asked: 1,
      missing: undefined,
      verified: false,
      hastened: [],
    });
  });

  it.each(['identity', 'database', 'gateway'])('does not ask if %s failed, and proves nothing', async (backend) => {
    const failed = outcomesWith(backend, { error: new BackendError('Unavailable', 'away') });
    expect(await proved(failed, [undefined])).toEqual({ asked: 0, missing: undefined, verified: false, hastened: [] });
  });
});
