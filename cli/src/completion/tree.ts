/** What can be typed after hmsctl, read from its commands. */
import type { Argument, Command, Option } from 'commander';

/** What completes a value: fixed words, or what only the machine knows. */
export type Values =
  | { readonly words: readonly string[] }
  | { readonly from: 'files' | 'folders' | 'hospitals' | 'contexts' | 'kube-contexts' | 'nothing' };

export interface Choosable {
  /** `--output` and `-o`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for an option without a value. */
  readonly values?: Values;
}

export interface Node {
  /** Words after hmsctl, such as `hospital get`. */
  readonly path: string;
  readonly children: readonly {
    readonly names: readonly string[];
    readonly description: string;
    readonly path: string;
  }[];
  readonly options: readonly Choosable[];
  /** What completes its arguments. */
  readonly values: Values;
}

/** Every command, with hmsctl itself first, whose path is empty. */
export function nodesOf(root: Command): Node[] {
  const globals = [...root.options, ...helpOf(root)].filter(({ long }) => long !== '--version');
  return visible(root, '').map(({ command, path }) => ({
    path,
    children: visibleChildren(command).map((child) => ({
      names: [child.name(), ...child.aliases()],
      description: child.description(),
      path: `${path} ${child.name()}`.trim(),
    })),
    options: [...(command === root ? [...root.options, ...helpOf(root)] : [...command.options, ...globals])]
      .filter(({ hidden }) => !hidden)
      .map((option) => ({
        names: [option.long, option.short].filter((name) => name !== undefined && name !== null) as string[],
        description: option.description,
        ...(option.required || option.optional ? { values: valuesOf(option) } : {}),
      })),
    values: argumentValues(command.registeredArguments),
  }));
}

/** The commands that people see, each with its path. */
export function visible(command: Command, path: string): { command: Command; path: string }[] {
  return [
    { command, path },
    ...visibleChildren(command).flatMap((child) => visible(child, `${path} ${child.name()}`.trim())),
  ];
}

function visibleChildren(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help');
}

function helpOf(command: Command): Option[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long === '--help');
}

function valuesOf(option: Option): Values {
  if (option.argChoices) return { words: option.argChoices };
  if (option.long === '--kube-context') return { from: 'kube-contexts' };
  return { from: kindOf(/[<[]([\w-]+)/.exec(option.flags)?.[1]) };
}

function argumentValues([first]: readonly Argument[]): Values {
  if (!first) return { from: 'nothing' };
  return first.argChoices ? { words: first.argChoices } : { from: kindOf(first.name()) };
}

/** @param name of the value in the usage, such as `prefix`. */
function kindOf(name: string | undefined): 'files' | 'folders' | 'hospitals' | 'contexts' | 'nothing' {
  const kinds = { prefix: 'hospitals', file: 'files', values: 'files', dir: 'folders', context: 'contexts' } as const;
  return kinds[name as keyof typeof kinds] ?? 'nothing';
}
