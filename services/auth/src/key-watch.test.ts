import { describe, expect, it } from '@jest/globals';
import { KeyWatch } from './key-watch.ts';

const token = (kid: string) => `${Buffer.from(JSON.stringify({ alg: 'RS256', kid })).toString('base64url')}.e30.x`;

function watch(ask: (realm: string) => Promise<void> = async () => undefined) {
  const [asked, errors]: [string[], unknown[]] = [[], []];
  const keys = new KeyWatch({
    onNewKey: (realm) => {
      asked.push(realm);
      return ask(realm);
    },
    onError: (error) => errors.push(error),
  });
  return { keys, asked, errors };
}

describe('KeyWatch', () => {
  it('asks once for each new key of a realm, the first one too, as another process may have seen the one before', () => {
    const { keys, asked } = watch();
    for (const kid of ['a', 'a', 'a', 'b', 'b']) keys.saw('st-mary', token(kid));
    keys.saw('city', token('a'));
    expect(asked).toEqual(['st-mary', 'st-mary', 'city']);
  });

  it('asks again at the next login when asking failed', async () => {
    const { keys, asked, errors } = watch(() => Promise.reject(new Error('the database is away')));
    keys.saw('st-mary', token('a'));
    await new Promise(setImmediate);
    keys.saw('st-mary', token('a'));
    expect(asked).toHaveLength(2);
    expect(errors).toHaveLength(1);
  });

  it('takes what is no token for nothing', () => {
    const { keys, asked } = watch();
    for (const text of ['', 'x', 'x.y.z', '..']) keys.saw('st-mary', text);
    expect(asked).toEqual([]);
  });
});
