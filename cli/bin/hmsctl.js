#!/usr/bin/env node
// Plain JavaScript for any Node: continues with the project's own Node if this one can't run TypeScript.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  // `hmsctl hospital list | head` closes the pipe early, which is not an error.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (error.code === 'EPIPE') process.exit();
      throw error;
    });
  const { exitOnSignals } = await import('../src/signals.ts');
  exitOnSignals();
  if (process.argv[2] === '__complete') {
    const { printNames } = await import('../src/completion/dynamic.ts');
    await printNames(process.argv.slice(3));
  } else {
    const { main } = await import('../src/main.ts');
    process.exitCode = await main(process.argv);
  }
} else {
  let node;
  try {
    node = path.join(path.dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
  } catch {
    console.error(
      `hmsctl needs Node ${NEEDED} or newer, and this is ${process.version}: run npm ci in the project's folder, which installs one.`,
    );
    process.exit(1);
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  // The terminal sends Ctrl-C to the child as well. Other signals are passed on. This process ends when the child has.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    console.error(`${node} can't be run (${error.message}): run npm ci in the project's folder.`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + os.constants.signals[signal]));
}
