/** What the commands about hospitals have in common. */
import { type Command, Option } from 'commander';
import { Hospitals } from '../../hospitals.ts';
import { kubeConfig } from '../../kubeconfig.ts';
import { globals, hospitalPrefix, milliseconds } from '../../options.ts';

export interface Waiting {
  readonly wait?: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

export interface Writing {
  readonly dryRun?: boolean | undefined;
}

export function hospitalsOf(command: Command): Hospitals {
  return new Hospitals(kubeConfig(globals(command)));
}

export function waitOptions(command: Command): Command {
  return command.option('--wait', 'wait until it is done').addOption(timeoutOption());
}

/** @param time as in `2m`. */
export function timeoutOption(time = '2m'): Option {
  return new Option('--timeout <time>', 'how long to wait, such as 90s or 5m')
    .argParser(milliseconds)
    .default(milliseconds(time), time);
}

export function prefixArgument(command: Command): Command {
  return command.argument('<prefix>', 'prefix, which is the name of the object', hospitalPrefix);
}

/** As kubectl says it. */
export function dryRunNote(dryRun: boolean | undefined): string {
  return dryRun ? ' (server dry run)' : '';
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** For an argument that may be repeated. */
export function prefixes(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, hospitalPrefix(text)];
}
