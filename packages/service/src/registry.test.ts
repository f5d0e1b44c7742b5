import { describe, expect, it } from '@jest/globals';
import { cached } from './registry.ts';

function counter() {
  const asked: string[] = [];
  const lookUp = async (key: string): Promise<string | undefined> => {
    asked.push(key);
    if (key === 'broken') throw new Error('no database');
    return key === 'unknown' ? undefined : `value of ${key}`;
  };
  return { asked, lookUp };
}

describe('cached', () => {
  it('looks a key up once at a time and again after the ttl', async () => {
    let time = 0;
    const { asked, lookUp } = counter();
    const { get } = cached(lookUp, { ttl: 10, now: () => time });
    expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual(Array.from({ length: 3 }, () => 'value of a'));
    time = 9;
    await get('a');
    expect(asked).toEqual(['a']);
    time = 10;
    await get('a');
    expect(asked).toEqual(['a', 'a']);
  });

  it('remembers that there is none, and forgets failures', async () => {
    const { asked, lookUp } = counter();
    const { get } = cached(lookUp, { ttl: 10, now: () => 0 });
    expect([await get('unknown'), await get('unknown')]).toEqual([undefined, undefined]);
    await expect(get('broken')).rejects.toThrow('no database');
    await expect(get('broken')).rejects.toThrow('no database');
    expect(asked).toEqual(['unknown', 'broken', 'broken']);
  });

  it('stays bounded whatever it is asked for', async () => {
    const { lookUp } = counter();
    const cache = cached(lookUp, { ttl: 10, now: () => 0 });
    for (let n = 0; n < 6_000; n++) await cache.get(`key ${n}`);
    expect(cache.size).toBe(5_000);
  });
});
