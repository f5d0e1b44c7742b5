import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.ts';

const full = () => new Error('full');

/** Work that ends when it is told to, and how much of it runs. */
function workshop() {
  const ends: (() => void)[] = [];
  const counts = { running: 0, most: 0 };
  const work = async () => {
    counts.running += 1;
    counts.most = Math.max(counts.most, counts.running);
    await new Promise<void>((resolve) => ends.push(resolve));
    counts.running -= 1;
    return 'done';
  };
  const finish = async () => {
    while (counts.running > 0) {
      ends.shift()?.();
      await new Promise(setImmediate);
    }
  };
  return { work, counts, finish };
}

describe('Turns', () => {
  it('runs as much as allowed, lets the next wait, and refuses the rest', async () => {
    const turns = new Turns({ running: 2, waiting: 3 });
    const { work, counts, finish } = workshop();
    const results = Array.from({ length: 10 }, () => turns.run('a', work, full).catch(String));
    await new Promise(setImmediate);
    await finish();
    expect(await Promise.all(results)).toEqual([...Array(5).fill('done'), ...Array(5).fill('Error: full')]);
    expect(counts.most).toBe(2);
  });

  it('keeps keys apart, and holds none without work', async () => {
    const turns = new Turns({ running: 1, waiting: 1 });
    const { work, counts, finish } = workshop();
    const results = ['a', 'b', 'c'].map((key) => turns.run(key, work, full));
    await new Promise(setImmediate);
    expect(counts.running).toBe(3);
    expect(turns.size).toBe(3);
    await finish();
    await Promise.all(results);
    expect(turns.size).toBe(0);
  });

  it('passes on the error of the work, and goes on', async () => {
    const turns = new Turns({ running: 1, waiting: 1 });
    const failing = () => Promise.reject(new Error('broken'));
    await expect(turns.run('a', failing, full)).rejects.toThrow('broken');
    expect(await turns.run('a', async () => 'next', full)).toBe('next');
  });
});
