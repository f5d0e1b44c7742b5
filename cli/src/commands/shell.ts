/** completion, man: hmsctl in a shell. */
import fs from 'node:fs';
import path from 'node:path';
import { codeOf } from '@hms/local';
import { Argument, Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion/script.ts';
import { nodesOf } from '../completion/tree.ts';
import { EXIT, Exit } from '../exit.ts';
import { manPages } from '../man.ts';
import { examples } from '../options.ts';

export function completionCommand(): Command {
  return new Command('completion')
    .description('print the script that completes commands, options and hospitals in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices([...SHELLS, 'sh']))
    .addHelpText(
      'after',
      examples(
        'source <(hmsctl completion bash)',
        'hmsctl completion zsh > ~/.zfunc/_hmsctl    # with fpath=(~/.zfunc $fpath) before compinit',
        'hmsctl completion fish > ~/.config/fish/completions/hmsctl.fish',
      ),
    )
    .action((shell: Shell | 'sh', _options, command: Command) => {
      process.stdout.write(completionScript(nodesOf(rootOf(command)), shell));
    });
}

export function manCommand(): Command {
  return new Command('man')
    .description('write manual pages of all commands')
    .requiredOption('--dir <dir>', 'folder for them, which is created if it is missing')
    .addHelpText('after', examples('hmsctl man --dir ~/.local/share/man/man1 && man hmsctl-onboard'))
    .action(({ dir }: { dir: string }, command: Command) => {
      const root = rootOf(command);
      const pages = manPages(root, root.version() ?? '');
      try {
        fs.mkdirSync(dir, { recursive: true });
        for (const { file, roff } of pages) fs.writeFileSync(path.join(dir, file), roff);
      } catch (error) {
        throw new Exit(EXIT.failure, `--dir ${dir} can't be written (${codeOf(error) ?? error}): name another folder.`);
      }
      console.log(`${pages.length} pages are in ${dir}`);
    });
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}
