/** hospital rotate-key, delete, suspend, resume, wait. */
import { conditionLine, conditionsOf, poll } from '@hms/local';
import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, Exit } from '../../exit.ts';
import { changeOf } from '../../hospitals.ts';
import { dryRunOption, examples, suggesting } from '../../options.ts';
import { conditionGoal, DELETED, type Goal, READY, waitFor } from '../../waiting.ts';
import {
  dryRunNote,
  hospitalsOf,
  prefixArgument,
  prefixes,
  say,
  timeoutOption,
  type Waiting,
  type Writing,
  waitOptions,
} from './options.ts';

export function rotateKeyCommand(): Command {
  return prefixArgument(
    waitOptions(
      new Command('rotate-key').description(
        "replace the key that signs a hospital's access tokens; each person's program refreshes its token once",
      ),
    ),
  )
    .addOption(dryRunOption())
    .addHelpText('after', examples('hmsctl hospital rotate-key st-mary --wait'))
    .action(async (prefix: string, { wait, timeout, dryRun }: Waiting & Writing, command: Command) => {
      const hospitals = hospitalsOf(command);
      await hospitals.get(prefix);
      const request = new Date().toISOString();
      await hospitals.rotateKey(prefix, request, { dryRun });
      if (!wait || dryRun) return console.log(`hospital ${prefix} gets a new signing key${dryRunNote(dryRun)}`);
      const done = await poll(
        async () => {
          const { signingKey } = (await hospitals.get(prefix)).status ?? {};
          return signingKey?.requestedAt === request ? signingKey : undefined;
        },
        { timeout, interval: 200 },
      );
      if (done) return console.log(`hospital ${prefix} signs with a new key since ${done.since}`);
      const why = (await hospitals.silence()) ?? 'the operator keeps trying';
      const late = `hospital ${prefix} does not sign with a new key in time; ${why}. Its conditions:`;
      const conditions = conditionsOf(await hospitals.get(prefix)).map(conditionLine);
      throw new Exit(EXIT.timeout, [late, ...conditions].join('\n'));
    });
}

export function deleteCommand(): Command {
  return prefixArgument(
    waitOptions(
      new Command('delete').description('delete a hospital: deletionPolicy Retain keeps its data, Delete deletes it'),
    ),
  )
    .option('--confirm', 'required if deletionPolicy is Delete: all its data, files and accounts are lost')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      examples('hmsctl hospital delete city-general --wait', 'hmsctl hospital delete trial-clinic --confirm --wait'),
    )
    .action(
      async (
        prefix: string,
        { confirm, wait, timeout, dryRun }: Waiting & Writing & { confirm?: boolean },
        command: Command,
      ) => {
        const hospitals = hospitalsOf(command);
        const hospital = await hospitals.get(prefix);
        const losesData = hospital.spec.deletionPolicy === 'Delete';
        if (losesData && !confirm)
          throw new Exit(
            EXIT.usage,
            `hospital ${prefix} has deletionPolicy Delete: its data, files and accounts would be lost. Add --confirm to confirm this.`,
          );
        if (losesData) await hospitals.confirmDeletion(prefix, { dryRun });
        // The API server would miss the confirmation, which a dry run does not store.
        if (!(losesData && dryRun)) await hospitals.delete(prefix, { dryRun });
        const waits = wait && !dryRun;
        if (waits) await waitFor(hospitals, [prefix], DELETED, { timeout, say });
        console.log(`hospital ${prefix} ${waits ? 'is deleted' : 'is being deleted'}${dryRunNote(dryRun)}`);
      },
    );
}

export function suspendCommand(): Command {
  return stateCommand('suspend', 'Suspended', 'close all access to hospitals, and keep everything', {
    goal: conditionGoal('Suspended'),
    done: 'is suspended: nobody can log in or work there',
    begun: 'is being suspended',
    same: 'is suspended already',
  });
}

export function resumeCommand(): Command {
  return stateCommand('resume', 'Active', 'serve suspended hospitals again; their people log in again', {
    goal: READY,
    done: 'is served again',
    begun: 'is being resumed',
    same: 'is not suspended',
  });
}

interface Words {
  readonly goal: Goal;
  readonly done: string;
  readonly begun: string;
  readonly same: string;
}

function stateCommand(name: string, state: string, description: string, { goal, done, begun, same }: Words): Command {
  return waitOptions(new Command(name).description(description))
    .argument('<prefix...>', 'prefixes, which are the names of the objects', prefixes)
    .addOption(dryRunOption())
    .addHelpText('after', examples(`hmsctl hospital ${name} st-mary --wait`, `hmsctl hospital ${name} st-mary hope`))
    .action(async (names: readonly string[], { wait, timeout, dryRun }: Waiting & Writing, command: Command) => {
      const hospitals = hospitalsOf(command);
      const before = await Promise.all(names.map((prefix) => hospitals.get(prefix)));
      for (const hospital of before) {
        const { name: prefix } = hospital.metadata;
        const after = await hospitals.change(prefix, { spec: { state } }, { dryRun });
        const changed = changeOf(hospital, after) !== 'unchanged';
        if (!wait || dryRun) console.log(`hospital ${prefix} ${changed ? begun : same}${dryRunNote(dryRun)}`);
      }
      if (!wait || dryRun) return;
      await waitFor(hospitals, names, goal, { timeout, say });
      for (const prefix of names) console.log(`hospital ${prefix} ${done}`);
    });
}

export function waitCommand(): Command {
  return new Command('wait')
    .description('wait until hospitals have a condition for their current spec, or are deleted')
    .argument('[prefix...]', 'prefixes, which are the names of the objects', prefixes)
    .addOption(
      suggesting(
        new Option('--for <goal>', 'a condition, condition=<type>=<status>, or delete')
          .argParser(goalOf)
          .default(READY, 'condition=Ready'),
        ['condition=Ready', 'condition=Suspended', 'delete'],
      ),
    )
    .option('--all', 'all hospitals that there are now')
    .addOption(timeoutOption())
    .addHelpText(
      'after',
      examples(
        'hmsctl hospital wait st-mary hope --timeout 5m',
        'hmsctl hospital wait st-mary --for=condition=Suspended',
        'hmsctl hospital wait hope --for=delete',
      ),
    )
    .action(
      async (
        named: readonly string[] = [],
        options: { for: Goal; all?: boolean; timeout: number },
        command: Command,
      ) => {
        if (named.length > 0 === Boolean(options.all))
          throw new Exit(EXIT.usage, 'name hospitals to wait for, or write --all for all of them.');
        const hospitals = hospitalsOf(command);
        const names = options.all ? (await hospitals.list()).map(({ metadata }) => metadata.name) : named;
        if (names.length > 0) await waitFor(hospitals, names, options.for, { timeout: options.timeout, say });
        for (const prefix of names)
          console.log(`hospital ${prefix} ${options.for === DELETED ? 'is deleted' : `has ${options.for.name}`}`);
      },
    );
}

function goalOf(text: string): Goal {
  if (text === 'delete') return DELETED;
  const [, type = '', status] = /^condition=([A-Za-z]+)(?:=(True|False|Unknown))?$/i.exec(text) ?? [];
  if (!type)
    throw new InvalidArgumentError('Write condition=Ready, condition=<type>=<True, False or Unknown>, or delete.');
  if (type.toLowerCase() === 'ready' && status === undefined) return conditionGoal('Ready');
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return conditionGoal(capital(type), status && capital(status.toLowerCase()));
}
