import { describe, expect, it } from '@jest/globals';
import type { AnyStep } from './spec.ts';
import { type StepNews, Supervisor } from './supervisor.ts';
import { FOREVER, inFolder, scriptStep, until } from './testing.ts';

function supervise(steps: readonly AnyStep[]): {
  supervisor: Supervisor;
  events: StepNews[];
  stopped: string[];
  logged: string[];
} {
  const events: StepNews[] = [];
  const stopped: string[] = [];
  const logged: string[] = [];
  const changed = () => {
    for (const { name, state } of supervisor.statuses)
      if (state === 'stopped' && !stopped.includes(name)) stopped.push(name);
  };
  const supervisor = new Supervisor(steps, {
    changed,
    tell: (news) => events.push(news),
    log: (name, what) => logged.push(`${name} ${what}`),
  });
  return { supervisor, events, stopped, logged };
}

function order(events: readonly StepNews[]): string[] {
  return events.map(({ step, news }) => `${step} ${news}`);
}

describe('Supervisor', () => {
  it('logs when each step starts, is ready, dies, restarts and ends', () =>
    inFolder(async (folder) => {
      const { supervisor, logged } = supervise([
        scriptStep(folder, 'store', FOREVER),
        { kind: 'task', name: 'setup', after: ['store'], run: async () => undefined },
      ]);
      await supervisor.start();
      const [first] = supervisor.statuses;
      process.kill(first?.pid ?? 0, 'SIGKILL');
      await until(
        'a second run',
        () => supervisor.statuses[0]?.restarts === 1 && logged.at(-1)?.includes('ready') === true,
      );
      const [second] = supervisor.statuses;
      await supervisor.stop();
      expect(logged).toEqual([
        `store was started, pid ${first?.pid}`,
        expect.stringMatching(/^store is ready after \d/),
        'setup is done',
        'store was ended by SIGKILL; it is restarted in 500 ms',
        `store was started, pid ${second?.pid}`,
        expect.stringMatching(/^store is ready after \d/),
        'store was ended by SIGTERM, as requested',
      ]);
    }));

  it('starts each step after its dependencies, others in parallel, and stops them in reverse order', () =>
    inFolder(async (folder) => {
      const { supervisor, events, stopped } = supervise([
        scriptStep(folder, 'server', FOREVER, { after: ['setup'] }),
        { kind: 'task', name: 'setup', after: ['store'], run: async () => undefined },
        scriptStep(folder, 'store', FOREVER),
        scriptStep(folder, 'mail', FOREVER),
      ]);
      await supervisor.start();
      const news = order(events);
      expect(news.slice(0, 2).sort()).toEqual(['mail started', 'store started']);
      expect(news.indexOf('store ready')).toBeLessThan(news.indexOf('setup started'));
      expect(news.indexOf('setup ready')).toBeLessThan(news.indexOf('server started'));
      await supervisor.stop();
      expect(stopped.indexOf('server')).toBeLessThan(stopped.indexOf('store'));
      expect(supervisor.statuses.map(({ pid }) => pid)).toEqual([undefined, undefined, undefined]);
    }));

  it('fails at the first failure, starts nothing more, and can then be stopped', () =>
    inFolder(async (folder) => {
      const { supervisor, events } = supervise([
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
      expect(order(events)).not.toContain('server started');
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
