import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { responds } from '../platform/probe.ts';
import { Child } from './child.ts';
import { isAlive, startTimeOf } from './table.ts';
import { FOREVER, inFolder, scriptStep, until } from './testing.ts';

function pidOf(child: Child): number {
  const { pid } = child.status;
  if (pid === undefined) throw new Error(`${child.step.name} has no process`);
  return pid;
}

describe('Child', () => {
  it('is restarted and counted when it is killed', () =>
    inFolder(async (folder) => {
      const child = new Child(scriptStep(folder, 'restless', FOREVER), () => undefined);
      await child.start();
      const first = pidOf(child);
      process.kill(first, 'SIGKILL');
      await until('a second run', () => child.status.state === 'running' && child.status.pid !== first);
      expect(child.status.restarts).toBe(1);
      await child.stop();
      expect(child.status).toMatchObject({ state: 'stopped', pid: undefined });
    }));

  it('is killed and restarted when it hangs, with a report', () =>
    inFolder(async (folder) => {
      const port = () =>
        Number(/serves on (\d+)\n$/.exec(fs.readFileSync(path.join(folder, 'server.log'), 'utf8'))?.[1]);
      const logged: string[] = [];
      const script = `const server = require('http').createServer((_, answer) => answer.writeHead(503).end());
        server.listen(0, '127.0.0.1', () => console.log('serves on ' + server.address().port));`;
      const step = scriptStep(folder, 'server', script, {
        ready: (signal) => responds(`http://127.0.0.1:${port()}/`, signal),
        alive: (signal) => responds(`http://127.0.0.1:${port()}/`, signal),
        aliveEvery: 300,
      });
      const child = new Child(
        step,
        () => undefined,
        (what) => logged.push(what),
      );
      await child.start();
      const first = pidOf(child);
      process.kill(first, 'SIGSTOP');
      await until('a second run', () => child.status.state === 'running' && child.status.pid !== first);
      expect(child.status.lastEnd).toEqual({
        how: 'stopped answering and was killed',
        at: expect.stringMatching(/Z$/),
      });
      expect(logged).toContain('does not answer (4 of 4 times, 300 ms each, until it is killed)');
      await child.stop();
    }));

  it('reports how it ended, with its last lines, if it dies before it is ready', () =>
    inFolder(async (folder) => {
      const step = scriptStep(folder, 'stillborn', 'console.error("the port is in use"); process.exit(3)', {
        ready: async () => false,
      });
      fs.writeFileSync(step.log, 'a line of an earlier run\n');
      const failure = await new Child(step, () => undefined).start().then(
        () => 'started',
        (error: Error) => error.message,
      );
      expect(failure).toContain('stillborn ended with code 3');
      expect(failure).toContain('the port is in use');
      expect(failure).toContain(step.log);
      expect(failure).not.toContain('earlier run');
    }));

  it('reports a missing program', () =>
    inFolder(async (folder) => {
      const child = new Child(
        scriptStep(folder, 'missing', '', { command: path.join(folder, 'no-such-program'), ready: async () => false }),
        () => undefined,
      );
      await expect(child.start()).rejects.toThrow(/missing can't be started: .*ENOENT/);
      await child.stop();
    }));

  it('fails if it is not ready in time', () =>
    inFolder(async (folder) => {
      const child = new Child(
        scriptStep(folder, 'slow', FOREVER, { ready: async () => false, startTimeout: 300 }),
        () => undefined,
      );
      await expect(child.start()).rejects.toThrow(/slow was not ready after 0.3 s/);
      await child.stop();
      expect(child.status.pid).toBeUndefined();
    }));

  it('kills a process that ignores the stop signal', () =>
    inFolder(async (folder) => {
      const deaf = `process.on('SIGTERM', () => console.log('heard')); ${FOREVER}; console.log('listening')`;
      const step = scriptStep(folder, 'deaf', deaf, {
        stopTimeout: 200,
        ready: async () => fs.readFileSync(path.join(folder, 'deaf.log'), 'utf8').includes('listening'),
      });
      const child = new Child(step, () => undefined);
      await child.start();
      const identity = { pid: pidOf(child), startTime: startTimeOf(pidOf(child)) ?? '' };
      await child.stop();
      expect(fs.readFileSync(step.log, 'utf8')).toContain('heard');
      expect(isAlive(identity)).toBe(false);
    }));

  it('leaves no process of its group behind when its leader is killed', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'grandchild');
      const parent = `const c = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(FOREVER)}]);
        require('fs').writeFileSync(${JSON.stringify(file)}, String(c.pid)); ${FOREVER}`;
      const child = new Child(
        scriptStep(folder, 'family', parent, { ready: async () => fs.existsSync(file) }),
        () => undefined,
      );
      await child.start();
      const pid = Number(fs.readFileSync(file, 'utf8'));
      const grandchild = { pid, startTime: startTimeOf(pid) ?? '' };
      expect(isAlive(grandchild)).toBe(true);
      process.kill(pidOf(child), 'SIGKILL');
      await until('the grandchild has ended', () => !isAlive(grandchild));
      await child.stop();
    }));

  it('can be stopped while it waits for a restart', () =>
    inFolder(async (folder) => {
      const child = new Child(scriptStep(folder, 'short', 'setTimeout(() => {}, 50)'), () => undefined);
      await child.start();
      await until('it waits', () => child.status.state === 'restarting');
      await child.stop();
      expect(child.status.state).toBe('stopped');
    }));
});
