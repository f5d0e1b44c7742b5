import { describe, expect, it } from '@jest/globals';
import { wayOut } from './helm.ts';

const updated = '2026-01-02T03:04:05Z';

describe('a release that another Helm has left unfinished', () => {
  it('goes back to the last revision that was whole, not to one that failed', () => {
    const history = ['superseded', 'deployed', 'failed', 'pending-upgrade'].map((status, index) => ({
      ...{ revision: index + 1, status, updated },
    }));
    expect(wayOut('blue', 'care', history)).toMatch(
      /^release blue is pending-upgrade since 2026-01-02T03:04:05Z: .* helm rollback blue 2 -n care --wait, /,
    );
  });

  it('that was never whole is taken away', () => {
    const history = [{ revision: 1, status: 'pending-install', updated }];
    expect(wayOut('blue', 'care', history)).toContain('helm uninstall blue -n care, ');
  });
});
