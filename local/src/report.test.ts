import { describe, expect, it } from '@jest/globals';
import { lineReport } from './report.ts';

/** A report with a heartbeat of 5 ms, whose work ends after `lines` progress lines. */
function reported(lines: number) {
  const written: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const report = lineReport((line) => {
    written.push(line);
    if (written.filter((one) => one.includes('still')).length >= lines) resolve();
  }, 5);
  return { written, report, progressed: promise };
}

describe('lineReport', () => {
  it('reports the progress of a long step', async () => {
    const { written, report, progressed } = reported(2);
    let part = 0;
    await report.during('downloading Engine', async (progress) => {
      progress(() => {
        part += 1;
        return `${part} of 9 MB`;
      });
      await progressed;
    });
    expect(written).toEqual([
      '  … downloading Engine',
      expect.stringMatching(/^ {2}… still downloading Engine \(\d+ ms\): 1 of 9 MB$/),
      expect.stringMatching(/^ {2}… still downloading Engine \(\d+ ms\): 2 of 9 MB$/),
      expect.stringMatching(/^ {2}✓ downloading Engine {2}\d+ ms$/),
    ]);
  });

  it('reports why a step failed, and what is done instead', async () => {
    const { written, report } = reported(0);
    const work = () => Promise.reject(new Error("example.org can't be reached (ECONNREFUSED)"));
    await expect(report.during('downloading Engine', work, 'building Engine')).rejects.toThrow();
    expect(written).toEqual([
      '  … downloading Engine',
      expect.stringMatching(
        /^ {2}– .*: not possible here, after \d+ ms: example.org can't be reached \(ECONNREFUSED\); next: building Engine$/,
      ),
    ]);
  });
});
