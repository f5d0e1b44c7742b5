import { describe, expect, it } from '@jest/globals';
import { KeyWatch } from './key-watch.ts';

const token = (kid: string) => `${Buffer.from(JSON.stringify({ alg: 'RS256', kid })).toString('base64url')}.e30.x`;

function watch(request: (realm: string) => Promise<void> = async () => undefined) {
  const [requested, errors]: [string[], unknown[]] = [[], []];
  const keys = new KeyWatch({
    onNewKey: (realm) => {
      requested.push(realm);
      return request(realm);
    },
    onError: (error) => errors.push(error),
  });
  return { keys, requested, errors };
}

describe('KeyWatch', () => {
  it('requests a reconcile once for each new key of a realm, including the first, because another process may have seen the one before', () => {
    const { keys, requested } = watch();
    for (const kid of ['a', 'a', 'a', 'b', 'b']) keys.saw('st-mary', token(kid));
    keys.saw('city', token('a'));
    expect(requested).toEqual(['st-mary', 'st-mary', 'city']);
  });

  it('retries at the next login after a failed request', async () => {
    const { keys, requested, errors } = watch(() => Promise.reject(new Error('the database is unavailable')));
    keys.saw('st-mary', token('a'));
    await new Promise(setImmediate);
    keys.saw('st-mary', token('a'));
    expect(requested).toHaveLength(2);
    expect(errors).toHaveLength(1);
  });

  it('ignores text that is not a token', () => {
    const { keys, requested } = watch();
    for (const text of ['', 'x', 'x.y.z', '..']) keys.saw('st-mary', text);
    expect(requested).toEqual([]);
  });
});
