/** hmsctl: the platform from a terminal. */
import fs from 'node:fs';
import path from 'node:path';
import { Problem, sentence } from '@hms/local';
import { Command, CommanderError } from 'commander';
import { auditCommand } from './commands/audit.ts';
import { consoleCommand } from './commands/console.ts';
import { contextCommand } from './commands/context.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventsCommand } from './commands/events.ts';
import { hospitalCommand } from './commands/hospital.ts';
import { installCommand } from './commands/install.ts';
import { logsCommand } from './commands/logs.ts';
import { onboardCommand } from './commands/onboard.ts';
import { orphansCommand } from './commands/orphans.ts';
import { platformCommands } from './commands/platform.ts';
import { seedCommand } from './commands/seed.ts';
import { loginCommand, logoutCommand, passwordCommand, tokenCommand, whoamiCommand } from './commands/session.ts';
import { completionCommand, manCommand } from './commands/shell.ts';
import { tasksCommand } from './commands/tasks.ts';
import { topCommand } from './commands/top.ts';
import { versionCommand } from './commands/version.ts';
import { EXIT, EXIT_HELP, Exit, type ExitCode } from './exit.ts';
import { examples, outputOption } from './options.ts';
import { harmless } from './output.ts';

/** @param argv as in `process.argv`. @returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    await program().parseAsync([...argv]);
    // hospital diff ends with 1 if there is a difference, which is no error.
    return (process.exitCode as ExitCode | undefined) ?? EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    process.stderr.write(`hmsctl: ${harmless(sentence(error))}\n`);
    if (error instanceof Exit) return error.code;
    if (!(error instanceof Problem) && process.env.HMS_DEBUG && error instanceof Error)
      process.stderr.write(`${error.stack}\n`);
    return EXIT.failure;
  }
}

/** Exported for tests of the arguments. */
export function program(): Command {
  // kubectl calls it as its plugin.
  const name = process.env.HMSCTL_NAME || 'hmsctl';
  const root = new Command('hmsctl')
    .description('Runs the hospital platform on this machine, and its hospitals on any cluster.')
    .addOption(outputOption())
    .option('--kubeconfig <file>', 'kubeconfig to use; default: $KUBECONFIG, then that of the platform on this machine')
    .option('--kube-context <name>', 'context of the kubeconfig; default: its current one')
    .showHelpAfterError('(hmsctl --help, or --help after a command, shows the usage)')
    .version(version(), '--version', 'print the version')
    .addHelpText(
      'after',
      examples(
        'hmsctl up',
        'hmsctl status',
        'hmsctl hospital apply -f crds/samples/city-general.yaml --wait',
        'hmsctl logs -f',
      ),
    )
    .addHelpText('afterAll', `\n${EXIT_HELP}`);
  for (const command of [
    ...platformCommands(),
    logsCommand(),
    hospitalCommand(),
    onboardCommand(),
    topCommand(),
    eventsCommand(),
    consoleCommand(),
    orphansCommand(),
    auditCommand(),
    tasksCommand(),
    seedCommand(),
    doctorCommand(),
    installCommand(),
    loginCommand(),
    logoutCommand(),
    whoamiCommand(),
    contextCommand(),
    passwordCommand(),
    tokenCommand(),
    completionCommand(),
    manCommand(),
    versionCommand(),
  ])
    root.addCommand(command);
  const writeErr = (text: string) => void process.stderr.write(harmless(text));
  const called = (text: string) => text.replace(/\bhmsctl\b(?![-.])/g, name);
  const writeOut = (text: string) => void process.stdout.write(called(text));
  everywhere(root, (command) =>
    command.exitOverride().configureOutput({ writeErr: (text) => writeErr(called(text)), writeOut }),
  );
  return root;
}

function version(): string {
  const file = path.join(import.meta.dirname, '..', 'package.json');
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
}

function everywhere(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const child of command.commands) everywhere(child, change);
}
