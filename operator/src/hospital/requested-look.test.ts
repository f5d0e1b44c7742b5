import { describe, expect, it } from '@jest/globals';
import { limitedLook } from './requested-look.ts';

describe('limitedLook', () => {
  it('looks at once, and then once in five seconds however often it is asked', () => {
    let time = 0;
    const [added, later]: [string[], number[]] = [[], []];
    const queue = { add: (name: string) => added.push(name), addAfter: (_: string, ms: number) => later.push(ms) };
    const look = limitedLook(
      queue as never,
      (name) => name !== 'nobody',
      () => time,
    );
    for (time = 0; time < 1_000; time += 100) look('st-mary');
    look('city');
    expect(added).toEqual(['st-mary', 'city']);
    expect(later).toHaveLength(9);
    expect(later.at(-1)).toBe(4_100);
    time = 5_000;
    look('st-mary');
    expect(added).toEqual(['st-mary', 'city', 'st-mary']);
  });

  it('keeps no name for longer than it counts', () => {
    let time = 0;
    const last = new Map<string, number>();
    const queue = { add: () => undefined, addAfter: () => undefined };
    const look = limitedLook(
      queue as never,
      () => true,
      () => time,
      last,
    );
    for (let i = 0; i < 100; i++, time += 1_000) look(`hospital-${i}`);
    expect([...last.keys()]).toEqual(['hospital-95', 'hospital-96', 'hospital-97', 'hospital-98', 'hospital-99']);
  });

  it('drops what is no hospital', () => {
    const added: string[] = [];
    const queue = { add: (name: string) => added.push(name), addAfter: () => undefined };
    limitedLook(queue as never, () => false)("x'; DROP TABLE hospitals");
    expect(added).toEqual([]);
  });
});
