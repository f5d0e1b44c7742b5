#!/usr/bin/env node
// Plain JavaScript that any Node can read: goes on with the project's own Node where this one can't run TypeScript.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  // `hmsctl hospital list | head` closes the pipe early: that is no failure
  process.stdout.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  const { main } = await import('../src/main.ts');
  process.exitCode = await main(process.argv);
} else {
  let node;
  try {
    node = path.join(path.dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
  } catch {
    console.error(
      `hmsctl needs Node ${NEEDED} or newer, and this is ${process.version}: run npm ci in the project's folder, which brings one.`,
    );
    process.exit(1);
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  // Ctrl-C reaches the child by itself; the others are passed on; this process ends when the child has
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    console.error(`${node} can't be run (${error.message}): run npm ci in the project's folder.`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
}
