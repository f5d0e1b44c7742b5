import { describe, expect, it } from '@jest/globals';
import { limitedReconcile } from './requested-reconcile.ts';

describe('limitedReconcile', () => {
  it('enqueues immediately, then at most every five seconds', () => {
    let time = 0;
    const [added, later]: [string[], number[]] = [[], []];
    const queue = { add: (name: string) => added.push(name), addAfter: (_: string, ms: number) => later.push(ms) };
    const request = limitedReconcile(
      queue as never,
      (name) => name !== 'nobody',
      () => time,
    );
    for (time = 0; time < 1_000; time += 100) request('st-mary');
    request('city');
    expect(added).toEqual(['st-mary', 'city']);
    expect(later).toHaveLength(9);
    expect(later.at(-1)).toBe(4_100);
    time = 5_000;
    request('st-mary');
    expect(added).toEqual(['st-mary', 'city', 'st-mary']);
  });

  it('forgets expired names', () => {
    let time = 0;
    const last = new Map<string, number>();
    const queue = { add: () => undefined, addAfter: () => undefined };
    const request = limitedReconcile(
      queue as never,
      () => true,
      () => time,
      last,
    );
    for (let i = 0; i < 100; i++, time += 1_000) request(`hospital-${i}`);
    expect([...last.keys()]).toEqual(['hospital-95', 'hospital-96', 'hospital-97', 'hospital-98', 'hospital-99']);
  });

  it('drops unknown names', () => {
    const added: string[] = [];
    const queue = { add: (name: string) => added.push(name), addAfter: () => undefined };
    limitedReconcile(queue as never, () => false)("x'; DROP TABLE hospitals");
    expect(added).toEqual([]);
  });
});
