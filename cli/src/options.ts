/** Options that several commands have. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FORMATS, type Format } from './output.ts';

export interface GlobalOptions {
  readonly output: Format;
  readonly kubeconfig?: string;
}

export function outputOption(): Option {
  return new Option('-o, --output <format>', 'how to print the answer').choices([...FORMATS]).default('table');
}

/** Options of the command and of those that it is under. */
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

/** Help with examples under it. */
export function examples(...lines: string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}
