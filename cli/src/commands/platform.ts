/** up, down, reset, status: the platform on this machine. */
import fs from 'node:fs';
import readline from 'node:readline/promises';
import {
  DATA_DIR,
  duration,
  layout,
  livingState,
  logFile,
  memoryOf,
  type PlatformState,
  stopPlatform,
  up,
  withLock,
} from '@hms/local';
import { Command } from 'commander';
import { EXIT, Exit } from '../exit.ts';
import { examples, globals } from '../options.ts';
import { age, megabytes, print } from '../output.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

export function platformCommands(): Command[] {
  return [upCommand(), downCommand(), resetCommand(), statusCommand()];
}

function upCommand(): Command {
  return new Command('up')
    .description('start everything and wait until the first hospital is ready; quick when it is up already')
    .addHelpText(
      'after',
      examples('hmsctl up', 'HMS_GATEWAY_PORT=9000 hmsctl up    # another port, see docs/configuration.md'),
    )
    .action(async () => {
      const interrupted = new AbortController();
      const onSignal = () => {
        if (interrupted.signal.aborted) process.exit(EXIT.interrupted);
        say('Stopping what was started…');
        interrupted.abort(
          new Exit(EXIT.interrupted, 'interrupted; nothing that this command started is left running.'),
        );
      };
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
      await up({ write: (line) => console.log(line), signal: interrupted.signal }).catch((error: unknown) => {
        if (!interrupted.signal.aborted) throw error;
        say(`hmsctl: ${interrupted.signal.reason.message}`);
        // builds that were going on end with this process
        process.exit(EXIT.interrupted);
      });
    });
}

function downCommand(): Command {
  return new Command('down')
    .description('stop everything; the data stays')
    .addHelpText('after', examples('hmsctl down'))
    .action(async () => {
      const start = performance.now();
      const ran = await down();
      console.log(
        ran
          ? `The platform is down after ${duration(performance.now() - start)}; its data is in ${DATA_DIR}.`
          : 'The platform was not running.',
      );
    });
}

function down(): Promise<boolean> {
  if (!fs.existsSync(DATA_DIR)) return Promise.resolve(false);
  return withLock(layout(DATA_DIR).lock, () => stopPlatform(DATA_DIR), {
    onWait: (holder) => say(`Waiting for ${holder}, which is starting or stopping the platform.`),
  });
}

function resetCommand(): Command {
  return new Command('reset')
    .description('stop everything and delete all data of this machine’s platform')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', examples('hmsctl reset --yes'))
    .action(async ({ yes }: { yes?: boolean }) => {
      if (!yes && !(await agreed(`Delete every hospital and all data in ${DATA_DIR}?`)))
        throw new Exit(EXIT.failure, 'nothing was deleted.');
      await down();
      fs.rmSync(DATA_DIR, { recursive: true, force: true });
      console.log(`${DATA_DIR} is deleted.`);
    });
}

async function agreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Exit(EXIT.usage, 'there is nobody to ask: add --yes to delete the data (make reset YES=1).');
  const terminal = readline.createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

function statusCommand(): Command {
  return new Command('status')
    .description('show the processes of the platform on this machine')
    .addHelpText('after', examples('hmsctl status', 'hmsctl status -o json'))
    .action((_options, command: Command) => {
      const state = livingState(DATA_DIR);
      if (!state) throw new Exit(EXIT.notFound, 'the platform is not running: start it with make up or hmsctl up.');
      print(statusOf(state), globals(command).output, statusRows);
    });
}

interface Status {
  readonly phase: string;
  readonly since: string;
  readonly baseUrl: string;
  /** Bytes. */
  readonly memory: number;
  readonly processes: readonly {
    name: string;
    state: string;
    pid: number | undefined;
    restarts: number;
    memory: number;
    since: string | undefined;
    lastEnd: { readonly how: string; readonly at: string } | undefined;
    address: string;
    log: string;
  }[];
}

function statusOf(state: PlatformState): Status {
  const own = {
    name: 'supervisor',
    state: 'running',
    pid: state.supervisor.pid,
    restarts: 0,
    since: state.since,
    lastEnd: undefined,
    address: '',
    log: logFile(layout(state.dataDir), 'supervisor'),
  };
  const all = [...state.processes, own];
  const memory = memoryOf(all.flatMap(({ pid }) => pid ?? []));
  const processes = all.map(({ name, state: is, pid, restarts, since, lastEnd, address, log }) => ({
    name,
    state: is,
    pid,
    restarts,
    memory: (pid && memory.get(pid)) || 0,
    since,
    lastEnd,
    address,
    log,
  }));
  const sum = processes.reduce((total, child) => total + child.memory, 0);
  return { phase: state.phase, since: state.since, baseUrl: state.baseUrl, memory: sum, processes };
}

function statusRows({ processes, memory, phase, since }: Status): string[][] {
  const rows = processes.map((child) => [
    child.name,
    child.state,
    child.pid === undefined ? '-' : String(child.pid),
    String(child.restarts),
    megabytes(child.memory),
    age(child.since),
    child.address,
    child.lastEnd ? `${age(child.lastEnd.at)} ago it ${child.lastEnd.how}` : '',
  ]);
  return [
    ['NAME', 'STATE', 'PID', 'RESTARTS', 'MEMORY', 'UPTIME', 'ADDRESS', 'LAST END'],
    ...rows,
    ['total', phase, '', '', megabytes(memory), age(since), '', ''],
  ];
}
