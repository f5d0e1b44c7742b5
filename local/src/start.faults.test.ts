import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { layout, logFile, PROJECT } from './layout.ts';
import { freePorts, PORT_NAMES, type Ports, portVariable } from './ports.ts';
import { type Identity, isAlive } from './process/table.ts';
import { inFolder, until } from './process/testing.ts';
import { type Started, startPlatform, stopPlatform } from './start.ts';
import { livingState, type PlatformState, readState } from './state.ts';

/** Two quick processes are enough to test start and stop. */
const ONLY = ['s3', 'mail'];

async function start(dataDir: string, only = ONLY): Promise<Started> {
  return startPlatform({ dataDir, ports: await freePorts(), fast: true, only });
}

function identities(state: PlatformState | undefined): Identity[] {
  return (state?.processes ?? []).flatMap(({ pid, startTime }) => (pid && startTime ? [{ pid, startTime }] : []));
}

function hmsctl(dataDir: string, ports: Ports, ...args: string[]): { child: ChildProcess; output: () => string } {
  const changed = Object.fromEntries(PORT_NAMES.map((name) => [portVariable(name), String(ports[name])]));
  const child = spawn(process.execPath, [path.join(PROJECT, 'cli', 'bin', 'hmsctl.js'), ...args], {
    env: { ...process.env, ...changed, HMS_DATA_DIR: dataDir },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output = `${output}${chunk}`));
  return { child, output: () => output };
}

describe('a platform', () => {
  it('restarts a killed process and reports it', () =>
    inFolder(async (dataDir) => {
      const platform = await start(dataDir);
      const mail = platform.state.processes.find((child) => child.name === 'mail');
      process.kill(mail?.pid ?? 0, 'SIGKILL');
      await until('mail runs again', () => {
        const now = livingState(dataDir)?.processes.find((child) => child.name === 'mail');
        return now?.state === 'running' && now.restarts === 1 && now.pid !== mail?.pid;
      });
      const now = livingState(dataDir)?.processes.find((child) => child.name === 'mail');
      expect(now?.lastEnd?.how).toBe('was ended by SIGKILL');
      await platform.stop();
      const log = fs.readFileSync(logFile(layout(dataDir), 'supervisor'), 'utf8');
      expect(log).toMatch(/^\S+Z mail was ended by SIGKILL; it is restarted in 500 ms$/m);
      expect(log.trimEnd()).toMatch(/supervisor has stopped the platform$/);
    }));

  it(
    'restarts a hanging process',
    () =>
      inFolder(async (dataDir) => {
        const platform = await start(dataDir, ['gateway']);
        const gateway = () => livingState(dataDir)?.processes.find(({ name }) => name === 'gateway');
        const hanging = gateway()?.pid;
        process.kill(hanging ?? 0, 'SIGSTOP');
        await until(
          'the gateway runs again',
          () => gateway()?.state === 'running' && gateway()?.pid !== hanging,
          120_000,
        );
        expect(gateway()?.lastEnd?.how).toBe('stopped answering and was killed');
        await platform.stop();
      }),
    180_000,
  );

  it('leaves nothing behind when it is stopped', () =>
    inFolder(async (dataDir) => {
      const platform = await start(dataDir);
      const processes = [...identities(livingState(dataDir)), platform.state.supervisor];
      expect(processes.every(isAlive)).toBe(true);
      expect(await stopPlatform(dataDir)).toBe(true);
      expect(processes.some(isAlive)).toBe(false);
      expect(readState(dataDir)).toBeUndefined();
      expect(await stopPlatform(dataDir)).toBe(false);
    }));

  it('ends the processes of a killed supervisor at its next start, and no others', () =>
    inFolder(async (dataDir) => {
      const { state } = await start(dataDir);
      const leftovers = identities(livingState(dataDir));
      process.kill(state.supervisor.pid, 'SIGKILL');
      await until('the supervisor has ended', () => !isAlive(state.supervisor));
      expect(leftovers.length).toBe(ONLY.length);
      expect(leftovers.every(isAlive)).toBe(true);
      // A process with a recorded pid but another start time is a different one.
      const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true });
      const record = readState(dataDir) as PlatformState;
      const stranger = { ...record.processes[0], pid: bystander.pid, startTime: '1' };
      fs.writeFileSync(
        layout(dataDir).state,
        JSON.stringify({ ...record, processes: [...record.processes, stranger] }),
      );
      const next = await start(dataDir);
      expect(leftovers.some(isAlive)).toBe(false);
      expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
      bystander.kill('SIGKILL');
      await next.stop();
    }));

  it('restarts PostgreSQL on its data after its supervisor was killed', () =>
    inFolder(async (dataDir) => {
      const { state } = await start(dataDir, ['database']);
      process.kill(state.supervisor.pid, 'SIGKILL');
      await until('the supervisor has ended', () => !isAlive(state.supervisor));
      const next = await start(dataDir, ['database']);
      expect(next.state.processes).toMatchObject([{ name: 'postgres', state: 'running', restarts: 0 }]);
      await next.stop();
    }));

  it('ends when the process that started it is killed', () =>
    inFolder(async (dataDir) => {
      const script = `
        const { startPlatform } = await import(${JSON.stringify(path.join(import.meta.dirname, 'start.ts'))});
        const { dataDir, ports } = JSON.parse(process.argv[1]);
        await startPlatform({ dataDir, ports, fast: true, only: ${JSON.stringify(ONLY)} });
        console.log('up');
        setInterval(() => {}, 1000);`;
      const argument = JSON.stringify({ dataDir, ports: await freePorts() });
      const parent = spawn(process.execPath, ['--input-type=module', '-e', script, argument]);
      await once(parent.stdout, 'data');
      const state = livingState(dataDir);
      const processes = [...identities(state), ...(state ? [state.supervisor] : [])];
      expect(processes.length).toBe(ONLY.length + 1);
      parent.kill('SIGKILL');
      await until('all processes have ended', () => !processes.some(isAlive));
      expect(readState(dataDir)).toBeUndefined();
    }));

  it('names the user of a port, and starts nothing', () =>
    inFolder(async (dataDir) => {
      const ports = await freePorts();
      const server = net.createServer().listen(ports.s3, '127.0.0.1');
      await once(server, 'listening');
      await expect(startPlatform({ dataDir, ports, fast: true, only: ONLY })).rejects.toThrow(
        new RegExp(`Port ${ports.s3} \\(s3\\) is in use.*HMS_S3_PORT`),
      );
      server.close();
      expect(readState(dataDir)).toBeUndefined();
    }));

  it('repeats the output of a process that dies at its start, and leaves nothing running', () =>
    inFolder(async (dataDir) => {
      fs.writeFileSync(layout(dataDir).etcd, 'not a data folder');
      const failure = startPlatform({ dataDir, ports: await freePorts(), fast: true, only: ['etcd', 'mail'] });
      await expect(failure).rejects.toThrow(
        /etcd ended with code \d+\. Its last lines:\n[\s\S]*not a directory[\s\S]*etcd\.log/,
      );
      expect(readState(dataDir)).toBeUndefined();
    }));

  it('refuses a second start while it runs', () =>
    inFolder(async (dataDir) => {
      const platform = await start(dataDir);
      await expect(start(dataDir)).rejects.toThrow(/is already running/);
      await platform.stop();
    }));
});

describe('hmsctl up', () => {
  it('leaves nothing behind when Ctrl-C interrupts it', () =>
    inFolder(async (dataDir) => {
      const { child, output } = hmsctl(dataDir, await freePorts(), 'up');
      // After a build of the pages, if their sources have changed.
      await until('the first process is ready', () => output().includes('✓ s3'), 60_000);
      const state = livingState(dataDir);
      const processes = [...identities(state), ...(state ? [state.supervisor] : [])];
      expect(processes.length).toBeGreaterThan(1);
      child.kill('SIGINT');
      const [code] = await once(child, 'exit');
      expect({ code, output: output() }).toMatchObject({
        code: 130,
        output: expect.stringContaining('nothing that this command started is left running'),
      });
      expect(processes.some(isAlive)).toBe(false);
      expect(readState(dataDir)).toBeUndefined();
    }));
});
