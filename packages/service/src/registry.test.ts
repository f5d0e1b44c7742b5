import { describe, expect, it } from '@jest/globals';
import { cached } from './registry.ts';

function counter() {
  const lookups: string[] = [];
  const lookUp = async (key: string): Promise<string | undefined> => {
    lookups.push(key);
    if (key === 'broken') throw new Error('no database');
    return key === 'unknown' ? undefined : `value of ${key}`;
  };
  return { lookups, lookUp };
}

const found = (value: string | undefined) => value !== undefined;

describe('cached', () => {
  it('looks up a key once at a time, and again after the ttl', async () => {
    let time = 0;
    const { lookups, lookUp } = counter();
    const { get } = cached(lookUp, found, { ttl: 10, now: () => time });
    expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual(Array.from({ length: 3 }, () => 'value of a'));
    time = 9;
    await get('a');
    expect(lookups).toEqual(['a']);
    time = 10;
    await get('a');
    expect(lookups).toEqual(['a', 'a']);
  });

  it('caches neither failures nor excluded values', async () => {
    const { lookups, lookUp } = counter();
    const { get } = cached(lookUp, found, { ttl: 10, now: () => 0 });
    expect(await Promise.all([get('unknown'), get('unknown')])).toEqual([undefined, undefined]);
    expect(await get('unknown')).toBeUndefined();
    await expect(get('broken')).rejects.toThrow('no database');
    await expect(get('broken')).rejects.toThrow('no database');
    expect(lookups).toEqual(['unknown', 'unknown', 'broken', 'broken']);
  });

  it('stays bounded for any keys', async () => {
    const { lookUp } = counter();
    const cache = cached(lookUp, found, { ttl: 10, now: () => 0 });
    for (let n = 0; n < 6_000; n++) await cache.get(`key ${n}`);
    expect(cache.size).toBe(5_000);
  });
});
