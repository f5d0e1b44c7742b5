import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hospitalObject } from '../hospital/testing.ts';
import { freePlaces, isHalted, progress, type WaveLimits } from './wave.ts';

const limits: WaveLimits = { canaries: 1, parallelism: 4, maxFailures: 1 };

describe('freePlaces', () => {
  it.each([
    ['starts the canary alone', { running: 0, done: 0, failed: 0 }, 1],
    ['starts no other beside the canary', { running: 1, done: 0, failed: 0 }, 0],
    ['starts the others after the canary', { running: 0, done: 1, failed: 0 }, 4],
    ['fills the free places', { running: 3, done: 9, failed: 0 }, 1],
    ['stops at a failure', { running: 0, done: 9, failed: 1 }, 0],
  ])('%s', (_, counts, places) => {
    expect(freePlaces(counts, limits)).toBe(places);
  });

  it('needs no canary if none is configured', () => {
    expect(freePlaces({ running: 0, done: 0, failed: 0 }, { ...limits, canaries: 0 })).toBe(4);
  });

  it('continues after tolerated failures, with another canary', () => {
    expect(freePlaces({ running: 0, done: 0, failed: 1 }, { ...limits, maxFailures: 2 })).toBe(1);
  });
});

const anyLimits = fc.record({
  canaries: fc.integer({ min: 0, max: 5 }),
  parallelism: fc.integer({ min: 1, max: 6 }),
  maxFailures: fc.integer({ min: 1, max: 4 }),
});

describe('a wave', () => {
  it('keeps every limit at all times, and ends with all migrated or halted', () => {
    fc.assert(
      fc.property(
        anyLimits,
        fc.array(fc.boolean(), { maxLength: 40 }),
        fc.infiniteStream(fc.nat(100)),
        (wave, succeed, random) => {
          const waiting = [...succeed];
          const running: boolean[] = [];
          const counts = { running: 0, done: 0, failed: 0 };
          for (;;) {
            for (let places = freePlaces(counts, wave); places > 0 && waiting.length > 0; places -= 1) {
              expect(counts.failed).toBeLessThan(wave.maxFailures);
              running.push(waiting.shift() ?? false);
              counts.running = running.length;
            }
            expect(running.length).toBeLessThanOrEqual(wave.parallelism);
            if (counts.done < wave.canaries) expect(running.length).toBeLessThanOrEqual(wave.canaries - counts.done);
            if (running.length === 0) break;
            const [ended] = running.splice(random.next().value % running.length, 1);
            counts.running = running.length;
            if (ended) counts.done += 1;
            else counts.failed += 1;
          }
          if (waiting.length > 0) expect(isHalted(counts, wave)).toBe(true);
          // Only those that were running at the last tolerated failure may fail too.
          expect(counts.failed).toBeLessThanOrEqual(wave.maxFailures + wave.parallelism - 1);
        },
      ),
    );
  });
});

describe('progress', () => {
  const at = (name: string, schemaVersion?: number) =>
    hospitalObject({ name, status: schemaVersion === undefined ? {} : { schemaVersion } });

  it('counts hospitals with the newest schema, and skips those without a schema', () => {
    const hospitals = [at('a', 3), at('b', 2), at('c', 4), at('d')];
    expect(progress(hospitals, new Set(), 3)).toEqual({ done: 2, all: 3, held: 0 });
  });

  it('counts a hospital that was migrated before its status says so', () => {
    expect(progress([at('a', 2), at('b', 2)], new Set(['b']), 3)).toEqual({ done: 1, all: 2, held: 0 });
  });
});
