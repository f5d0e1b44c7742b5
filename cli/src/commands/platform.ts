/** up, down, reset, status: the platform on this machine. */
import fs from 'node:fs';
import path from 'node:path';
import {
  DATA_DIR,
  duration,
  layout,
  leftoverProcesses,
  livingState,
  logFile,
  memoryOf,
  type PlatformState,
  PROJECT,
  stopPlatform,
  up,
  withLock,
} from '@hms/local';
import { Command } from 'commander';
import { EXIT, Exit } from '../exit.ts';
import { examples, globals } from '../options.ts';
import { age, megabytes, print } from '../output.ts';
import { agreesTo } from '../prompt.ts';
import { exit, exitCodeOf, handlingSignals, type Signal } from '../signals.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

export function platformCommands(): Command[] {
  return [upCommand(), downCommand(), resetCommand(), statusCommand()];
}

function upCommand(): Command {
  return new Command('up')
    .description('start everything and wait until the first hospital is ready; quick if it is already up')
    .addHelpText(
      'after',
      examples('hmsctl up', 'HMS_GATEWAY_PORT=9000 hmsctl up    # another port, see docs/configuration.md'),
    )
    .action(async () => {
      const interrupted = new AbortController();
      const onSignal = (signal: Signal) => {
        if (interrupted.signal.aborted) exit(signal);
        say('Stopping what was started…');
        interrupted.abort(
          new Exit(exitCodeOf(signal), 'interrupted; nothing that this command started is left running.'),
        );
      };
      const work = () => up({ write: (line) => console.log(line), signal: interrupted.signal });
      await handlingSignals(onSignal, work).catch((error: unknown) => {
        const { aborted, reason } = interrupted.signal;
        if (!aborted || !(reason instanceof Exit)) throw error;
        say(`hmsctl: ${reason.message}`);
        // Running builds end with this process.
        process.exit(reason.code);
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
  // Only the folder of a platform has a lock. Other folders are not changed.
  if (!fs.existsSync(layout(DATA_DIR).lock)) return Promise.resolve(false);
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
      refuseForeignFolder();
      if (!yes && !(await agreesTo(`Delete every hospital and all data in ${DATA_DIR}?`)))
        throw new Exit(EXIT.failure, 'nothing was deleted.');
      await down();
      if (!fs.existsSync(DATA_DIR)) return console.log(`There is nothing to delete: ${DATA_DIR} does not exist.`);
      fs.rmSync(DATA_DIR, { recursive: true, force: true });
      console.log(`${DATA_DIR} is deleted.`);
    });
}

/** HMS_DATA_DIR may name a folder with other content by mistake. */
function refuseForeignFolder(): void {
  if (!fs.existsSync(DATA_DIR) || fs.readdirSync(DATA_DIR).length === 0) return;
  const isPlatform = fs.existsSync(layout(DATA_DIR).lock);
  if (isPlatform && !`${PROJECT}${path.sep}`.startsWith(`${DATA_DIR}${path.sep}`)) return;
  throw new Exit(
    EXIT.usage,
    `${DATA_DIR} is not the data folder of a platform: nothing was deleted. Set HMS_DATA_DIR to the folder that hmsctl up has created, or delete this one manually.`,
  );
}

function statusCommand(): Command {
  return new Command('status')
    .description('show the processes of the platform on this machine')
    .addHelpText('after', examples('hmsctl status', 'hmsctl status -o json'))
    .action((_options, command: Command) => {
      const state = livingState(DATA_DIR);
      if (!state) throw notRunning(leftoverProcesses(DATA_DIR).map(({ name }) => name));
      print(statusOf(state), globals(command).output, statusRows);
      const problem = statusProblem(state);
      if (problem) throw new Exit(EXIT.failure, problem);
    });
}

/** Without a supervisor, the processes can still serve. */
function notRunning(leftovers: readonly string[]): Exit {
  if (leftovers.length === 0)
    return new Exit(EXIT.notFound, 'the platform is not running: start it with make up or hmsctl up.');
  return new Exit(
    EXIT.failure,
    `the supervisor has ended, but these processes still run: ${leftovers.join(', ')}. hmsctl up restarts them, hmsctl down ends them.`,
  );
}

/** The problems of the platform. Exported for tests. @returns undefined if every process runs. */
export function statusProblem({ phase, processes }: Pick<PlatformState, 'phase' | 'processes'>): string | undefined {
  const down = processes.filter(({ state }) => state !== 'running').map(({ name, state }) => `${name} is ${state}`);
  if (phase !== 'running') return [`the platform is ${phase}`, ...down].join('; ');
  const [first] = processes.flatMap(({ name, state }) => (state === 'running' ? [] : [name]));
  return first && `${down.join('; ')}: hmsctl logs ${first} shows why.`;
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
  const children = [...state.processes, own];
  const memory = memoryOf(children.flatMap(({ pid }) => pid ?? []));
  const processes = children.map(({ name, state: is, pid, restarts, since, lastEnd, address, log }) => ({
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
