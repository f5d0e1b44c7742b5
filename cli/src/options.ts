/** Options of several commands. */
import { prefixProblem } from '@hms/tenancy';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FORMATS, type Format, parseFormat } from './output.ts';

export interface GlobalOptions {
  readonly output: Format;
  readonly kubeconfig?: string;
  readonly kubeContext?: string;
}

export function outputOption(): Option {
  const option = new Option('-o, --output <format>', 'output format').argParser(parseFormat).default('table');
  return suggesting(option, FORMATS);
}

/** An option whose parser accepts more than these words, which the help and completion show. */
export function suggesting(option: Option, words: readonly string[]): Option {
  option.argChoices = [...words];
  return option;
}

/** For all commands that write. */
export function dryRunOption(): Option {
  return new Option('--dry-run', 'let the API server check everything, and change nothing');
}

/** Options of the command and of its parents. */
export function globals(command: Command): GlobalOptions {
  return command.optsWithGlobals<GlobalOptions>();
}

/** `90`, `90s`, `5m`, `1h` to milliseconds. */
export function milliseconds(text: string): number {
  const [, digits, unit = 's'] = /^(\d+)(ms|s|m|h)?$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('Write a time like 90s, 5m or 1h.');
  return Number(digits) * ({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? 1000);
}

export function count(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new InvalidArgumentError('Write a whole number.');
  return number;
}

/** For an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A hospital's name, which becomes part of a URL: an empty one would be the URL of all hospitals. */
export function hospitalPrefix(text: string): string {
  const problem = prefixProblem(text);
  if (problem) throw new InvalidArgumentError(`${problem}.`);
  return text;
}

/** A namespace or release, which becomes part of a URL or a name. */
export function objectName(text: string): string {
  if (!/^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/.test(text))
    throw new InvalidArgumentError('Write lower-case letters, digits and hyphens, at most 53, like hms.');
  return text;
}

/** Help with examples under it. */
export function examples(...lines: string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}
