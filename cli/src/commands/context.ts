/** context list, current, use, rename, delete: the logins that hmsctl keeps. */
import { Command, InvalidArgumentError } from 'commander';
import { EXIT, Exit } from '../exit.ts';
import { examples, globals } from '../options.ts';
import { age, print } from '../output.ts';
import { contextName, forgetContext, listSessions, renameContext, type Session, useContext } from '../sessions.ts';

export function contextCommand(): Command {
  const context = new Command('context')
    .alias('contexts')
    .description('logins with a name: a person of a hospital, or of the console, at a server')
    .addHelpText('after', examples('hmsctl context list', 'hmsctl context use st-mary@localhost:8000'));
  for (const command of [listCommand(), currentCommand(), useCommand(), renameCommand(), forgetCommand()])
    context.addCommand(command);
  return context;
}

/** A name that can be typed and shown: it is also in files and in completions. */
export function contextNameArgument(text: string): string {
  if (!/^[\w.@:-]{1,100}$/.test(text))
    throw new InvalidArgumentError('Write letters, digits and any of . _ @ : - as the name, at most 100.');
  return text;
}

interface Shown {
  readonly name: string;
  readonly current: boolean;
  readonly server: string;
  readonly realm: string;
  readonly email: string;
  /** ISO time until which the session can be renewed. */
  readonly until: string;
  readonly over: boolean;
}

function listCommand(): Command {
  return new Command('list')
    .description('show all contexts')
    .addHelpText('after', examples('hmsctl context list', 'hmsctl context list -o json'))
    .action((_options, command: Command) => {
      print(listSessions().map(shown), globals(command).output, rows);
    });
}

/** Without the tokens, which nobody else may see. */
function shown(session: Session, index: number): Shown {
  return {
    name: contextName(session),
    current: index === 0,
    server: session.server,
    realm: session.hospital,
    email: session.email,
    until: new Date(session.refreshExpiresAt).toISOString(),
    over: session.refreshExpiresAt <= Date.now(),
  };
}

function rows(all: readonly Shown[]): string[][] {
  return [
    ['CURRENT', 'NAME', 'REALM', 'EMAIL', 'SERVER', 'SESSION'],
    ...all.map(({ name, current, realm, email, server, until, over }) => [
      ...[current ? '*' : '', name, realm, email, server],
      over ? 'is over' : `${age(new Date().toISOString(), Date.parse(until))} left`,
    ]),
  ];
}

function currentCommand(): Command {
  return new Command('current')
    .description('print the name of the current context')
    .addHelpText('after', examples('hmsctl context current'))
    .action(() => {
      const [session] = listSessions();
      if (!session)
        throw new Exit(
          EXIT.notLoggedIn,
          'not logged in: use hmsctl login with --hospital <prefix> or --console, and --email <address>.',
        );
      console.log(contextName(session));
    });
}

function useCommand(): Command {
  return new Command('use')
    .description('make a context the current one, of which token and whoami speak')
    .argument('<context>', 'name of the context', contextNameArgument)
    .addHelpText('after', examples('hmsctl context use console@localhost:8000'))
    .action(async (name: string) => {
      await useContext(name);
      console.log(`the current context is ${name}`);
    });
}

function renameCommand(): Command {
  return new Command('rename')
    .description('give a context another name')
    .argument('<context>', 'name of the context', contextNameArgument)
    .argument('<new-name>', 'its new name', contextNameArgument)
    .addHelpText('after', examples('hmsctl context rename st-mary@localhost:8000 mary'))
    .action(async (name: string, newName: string) => {
      await renameContext(name, newName);
      console.log(`context ${name} is now ${newName}`);
    });
}

function forgetCommand(): Command {
  return new Command('delete')
    .description('forget a context without ending its session at the server, as hmsctl logout does')
    .argument('<context>', 'name of the context', contextNameArgument)
    .addHelpText('after', examples('hmsctl context delete mary'))
    .action(async (name: string) => {
      const { refreshExpiresAt, server } = await forgetContext(name);
      const until = new Date(refreshExpiresAt).toISOString();
      const rest = refreshExpiresAt > Date.now() ? `; its session at ${server} ends at ${until}` : '';
      console.log(`context ${name} is forgotten${rest}`);
    });
}
