import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { isAlive, listenerOf, memoryOf, startTimeOf } from './table.ts';
import { FOREVER } from './testing.ts';

describe('isAlive', () => {
  it('identifies a process by its pid and start time, and detects its end', async () => {
    const child = spawn(process.execPath, ['-e', FOREVER]);
    const pid = child.pid ?? 0;
    const startTime = startTimeOf(pid) ?? '';
    expect(isAlive({ pid, startTime })).toBe(true);
    expect(isAlive({ pid, startTime: '1' })).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive({ pid, startTime })).toBe(false);
  });
});

describe('memoryOf', () => {
  it('sums up a process group', async () => {
    const child = spawn(process.execPath, ['-e', `console.log('up'); ${FOREVER}`], { detached: true });
    await once(child.stdout, 'data');
    expect(memoryOf([child.pid ?? 0]).get(child.pid ?? 0)).toBeGreaterThan(5_000_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
});

describe('listenerOf', () => {
  it('names the process that listens on a port, if the system reports it', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    const name = listenerOf(port);
    if (process.platform === 'linux') expect(name).toContain(`(pid ${process.pid})`);
    else expect(name).toBeUndefined();
    server.close();
    await once(server, 'close');
    expect(listenerOf(port)).toBeUndefined();
  });
});
