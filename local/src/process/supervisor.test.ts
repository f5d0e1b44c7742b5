import { describe, expect, it } from '@jest/globals';
import type { AnyStep } from './spec.ts';
import { type StepNews, Supervisor } from './supervisor.ts';
import { FOREVER, inFolder, scriptStep, until } from './testing.ts';

function supervise(steps: readonly AnyStep[]): {
  supervisor: Supervisor;
  told: StepNews[];
  stopped: string[];
  said: string[];
} {
  const told: StepNews[] = [];
  const stopped: string[] = [];
  const said: string[] = [];
  const changed = () => {
    for (const { name, state } of supervisor.statuses)
      if (state === 'stopped' && !stopped.includes(name)) stopped.push(name);
  };
  const supervisor = new Supervisor(steps, {
    changed,
    tell: (news) => told.push(news),
    log: (name, what) => said.push(`${name} ${what}`),
  });
  return { supervisor, told, stopped, said };
}

function order(told: readonly StepNews[]): string[] {
  return told.map(({ step, news }) => `${step} ${news}`);
}

describe('Supervisor', () => {
  it('says of each step when it was started, was ready, died and was started again, and ended', () =>
    inFolder(async (folder) => {
      const { supervisor, said } = supervise([
        scriptStep(folder, 'store', FOREVER),
        { kind: 'task', name: 'setup', after: ['store'], run: async () => undefined },
      ]);
      await supervisor.start();
      const [first] = supervisor.statuses;
      process.kill(first?.pid ?? 0, 'SIGKILL');
      await until(
        'a second run',
        () => supervisor.statuses[0]?.restarts === 1 && said.at(-1)?.includes('ready') === true,
      );
      const [second] = supervisor.statuses;
      await supervisor.stop();
      expect(said).toEqual([
        `store was started, pid ${first?.pid}`,
        expect.stringMatching(/^store is ready after \d/),
        'setup is done',
        'store was ended by SIGKILL; it is started again in 500 ms',
        `store was started, pid ${second?.pid}`,
        expect.stringMatching(/^store is ready after \d/),
        'store was ended by SIGTERM, as it was told to',
      ]);
    }));

  it('starts each step after those it needs, the others at once, and stops them the other way round', () =>
    inFolder(async (folder) => {
      const { supervisor, told, stopped } = supervise([
        scriptStep(folder, 'server', FOREVER, { after: ['setup'] }),
        { kind: 'task', name: 'setup', after: ['store'], run: async () => undefined },
        scriptStep(folder, 'store', FOREVER),
        scriptStep(folder, 'mail', FOREVER),
      ]);
      await supervisor.start();
      const news = order(told);
      expect(news.slice(0, 2).sort()).toEqual(['mail started', 'store started']);
      expect(news.indexOf('store ready')).toBeLessThan(news.indexOf('setup started'));
      expect(news.indexOf('setup ready')).toBeLessThan(news.indexOf('server started'));
      await supervisor.stop();
      expect(stopped.indexOf('server')).toBeLessThan(stopped.indexOf('store'));
      expect(supervisor.statuses.map(({ pid }) => pid)).toEqual([undefined, undefined, undefined]);
    }));

  it('fails with the first failure, starts nothing more, and can then be stopped', () =>
    inFolder(async (folder) => {
      const { supervisor, told } = supervise([
        scriptStep(folder, 'store', FOREVER),
        {
          kind: 'task',
          name: 'setup',
          after: ['store'],
          run: async () => Promise.reject(new Error('no room on the disk')),
        },
        scriptStep(folder, 'server', FOREVER, { after: ['setup'] }),
      ]);
      await expect(supervisor.start()).rejects.toThrow('no room on the disk');
      await supervisor.stop();
      expect(order(told)).not.toContain('server started');
      expect(supervisor.statuses.every(({ pid }) => pid === undefined)).toBe(true);
    }));

  it('can be stopped while it is starting', () =>
    inFolder(async (folder) => {
      const { supervisor } = supervise([scriptStep(folder, 'slow', FOREVER, { ready: async () => false })]);
      const starting = supervisor.start();
      const failed = expect(starting).rejects.toThrow();
      await supervisor.stop();
      await failed;
      expect(supervisor.statuses).toMatchObject([{ state: 'stopped', pid: undefined }]);
    }));
});
