/** Manual pages of the commands, as roff. */
import type { Command } from 'commander';
import { visible } from './completion/tree.ts';
import { EXIT_HELP } from './exit.ts';

export interface ManPage {
  /** Such as `hmsctl-hospital-get.1`. */
  readonly file: string;
  readonly roff: string;
}

/** One page for each command. @param version of hmsctl. */
export function manPages(root: Command, version: string): ManPage[] {
  const all = visible(root, '');
  return all.map(({ command, path }) => {
    const words = ['hmsctl', ...path.split(' ').filter(Boolean)];
    const below = all.filter((other) => other.command.parent === command);
    return { file: `${words.join('-')}.1`, roff: page(command, words, below, root, version) };
  });
}

function page(
  command: Command,
  words: readonly string[],
  below: readonly { command: Command }[],
  root: Command,
  version: string,
): string {
  const name = words.join('-');
  const help = command.createHelp();
  const own = help.visibleOptions(command).map((option) => [option.flags, help.optionDescription(option)] as const);
  const inherited = command === root ? [] : root.options.filter(({ long }) => long !== '--version');
  const examples = /\nExamples:\n([\s\S]*?)(?:\n\n|$)/.exec(helpText(command))?.[1] ?? '';
  const usage = help.commandUsage(command).replace(/^\S+/, 'hmsctl');
  return [
    `.TH ${text(name.toUpperCase())} 1 "${new Date().toISOString().slice(0, 10)}" "hmsctl ${text(version)}" "Hospital platform"`,
    '.SH NAME',
    `${text(name)} \\- ${text(command.description())}`,
    '.SH SYNOPSIS',
    `.B ${text(usage)}`,
    section(
      'COMMANDS',
      below.map((child) => [child.command.name(), child.command.description()]),
    ),
    section(
      'ARGUMENTS',
      help.visibleArguments(command).map((argument) => [argument.name(), help.argumentDescription(argument)]),
    ),
    section('OPTIONS', own),
    section(
      'GLOBAL OPTIONS',
      inherited.map((option) => [option.flags, help.optionDescription(option)]),
    ),
    examples ? `.SH EXAMPLES\n.nf\n${examples.split('\n').map(line).join('\n')}\n.fi` : '',
    `.SH EXIT STATUS\n.nf\n${EXIT_HELP.split('\n').slice(1).map(line).join('\n')}\n.fi`,
    words.length > 1 ? `.SH SEE ALSO\n.BR ${text(words.slice(0, -1).join('-'))} (1)` : '',
  ]
    .filter((part) => part !== '')
    .join('\n')
    .concat('\n');
}

/** What `--help` prints, with the texts behind the options. */
function helpText(command: Command): string {
  let printed = '';
  const before = command.configureOutput();
  command.configureOutput({ ...before, writeOut: (part) => (printed += part) });
  command.outputHelp();
  command.configureOutput(before);
  return printed;
}

function section(title: string, entries: readonly (readonly [string, string])[]): string {
  if (entries.length === 0) return '';
  return [`.SH ${title}`, ...entries.map(([name, description]) => `.TP\n.B ${text(name)}\n${line(description)}`)].join(
    '\n',
  );
}

/** A line of text: roff reads a dot or a quote at its beginning as a request. */
function line(words: string): string {
  return text(words).replace(/^[.']/, '\\&$&');
}

function text(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/\s*\n\s*/g, ' ');
}
