/** login, logout, whoami, password and token, for people of a hospital or of the platform. */
import type { Schemas } from '@hms/api-client';
import { DATA_DIR, livingState, loadKubeConfig } from '@hms/local';
import {
  CONSOLE_REALM,
  CONSOLE_ROLES,
  type ConsoleRole,
  HOSPITAL_ROLES,
  type HospitalRole,
  prefixProblem,
} from '@hms/tenancy';
import { Command, InvalidArgumentError, Option } from 'commander';
import { demonstrate, forget, login, logout, resend, reset, type Tokens, verify, whoIs } from '../auth-api.ts';
import { EXIT, Exit } from '../exit.ts';
import { Hospitals } from '../hospitals.ts';
import { readText } from '../input.ts';
import { examples, globals } from '../options.ts';
import { print } from '../output.ts';
import { askLine, askSecretly } from '../prompt.ts';
import {
  type Choice,
  contextName,
  currentSession,
  endSessions,
  keepSession,
  over,
  sessionOf,
  sessionsFile,
} from '../sessions.ts';
import { contextNameArgument } from './context.ts';

type Role = HospitalRole | ConsoleRole;

/** The auth module's limit. */
const PASSWORD = { what: 'a password', limit: 4096 };

function serverOption(): Option {
  return new Option('--server <url>', 'public address of the platform; default: that of the platform on this machine')
    .env('HMS_SERVER')
    .argParser(serverAddress);
}

function serverAddress(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new InvalidArgumentError('Write an address such as https://hospitals.example.');
  return text.replace(/\/+$/, '');
}

export function loginCommand(): Command {
  return new Command('login')
    .description('log in as a person; hmsctl token then prints tokens')
    .option('--hospital <prefix>', 'hospital of the person')
    .option('--console', 'as one of the platform’s own users')
    .requiredOption('--email <address>', 'e-mail address, or code of an employee')
    .option('--password-stdin', 'read the password from standard input instead of asking')
    .option('--name <context>', 'name of the context; default: <hospital>@<server>', contextNameArgument)
    .addOption(serverOption())
    .addHelpText(
      'after',
      examples(
        'hmsctl login --hospital st-mary --email ann@st-mary.example',
        'hmsctl login --hospital st-mary --email EMP-000012',
        'hmsctl login --console --email admin@platform.example --name admin',
        'pass st-mary | hmsctl login --hospital st-mary --email ann@st-mary.example --password-stdin',
      ),
    )
    .action(async (options: LoginOptions) => {
      const { email, name } = options;
      const hospital = realmOf(options);
      const server = serverOf(options.server);
      // A password typed at a terminal must never be shown.
      const password =
        options.passwordStdin && !process.stdin.isTTY
          ? (await readText('-', PASSWORD)).replace(/\r?\n$/, '')
          : await askSecretly(`Password of ${email}: `);
      if (password === '') throw new Exit(EXIT.usage, 'the password is empty: nothing was sent.');
      const outcome = await login(server, { hospital, email, password });
      if ('challenge' in outcome) process.stderr.write(`A code was sent to ${outcome.sentTo}.\n`);
      const tokens = 'challenge' in outcome ? await withCode(server, outcome) : outcome;
      const session = sessionOf({ ...(name === undefined ? {} : { name }), server, hospital, email }, tokens);
      await keepSession(session);
      process.stderr.write(
        `Logged in to ${hospital} as ${email}; the context ${contextName(session)} is stored in ${sessionsFile()}.\n`,
      );
    });
}

interface LoginOptions {
  readonly hospital?: string;
  readonly console?: boolean;
  readonly email: string;
  readonly name?: string;
  readonly passwordStdin?: boolean;
  readonly server?: string;
}

/** The realm. `--hospital console` is the same as `--console`. */
function realmOf({ hospital, console: ofPlatform }: LoginOptions): string {
  if (ofPlatform && hospital !== undefined && hospital !== CONSOLE_REALM)
    throw new Exit(EXIT.usage, 'write either --hospital or --console: a login is to one of them.');
  if (ofPlatform) return CONSOLE_REALM;
  if (hospital === undefined)
    throw new Exit(EXIT.usage, 'write --hospital <prefix>, or --console for one of the platform’s own users.');
  return hospital;
}

function contextOption(): Option {
  return new Option('--context <context>', 'context, as in hmsctl context list; default: the current one').argParser(
    contextNameArgument,
  );
}

export function logoutCommand(): Command {
  return new Command('logout')
    .description('end a session at its server, and forget it')
    .addOption(contextOption())
    .option('--all', 'all sessions')
    .addHelpText('after', examples('hmsctl logout', 'hmsctl logout --context mary', 'hmsctl logout --all'))
    .action(async ({ context, all }: { context?: string; all?: boolean }) => {
      if (all && context !== undefined) throw new Exit(EXIT.usage, 'write either --context or --all.');
      const problems: string[] = [];
      await endSessions(all ? undefined : { context }, async (session) => {
        const name = contextName(session);
        const problem = await logout(session.server, session.refreshToken);
        if (problem === undefined) console.log(`logged out of ${name}`);
        else
          problems.push(
            `${name} is forgotten here, but its session may last until ${new Date(session.refreshExpiresAt).toISOString()}: ${problem}`,
          );
      });
      if (problems.length > 0) throw new Exit(EXIT.failure, problems.join('\n'));
    });
}

export function whoamiCommand(): Command {
  return new Command('whoami')
    .description('show who is logged in, with which roles, where and until when')
    .addOption(contextOption())
    .addHelpText('after', examples('hmsctl whoami', 'hmsctl whoami --context mary -o json'))
    .action(async ({ context }: { context?: string }, command: Command) => {
      const session = await currentSession({ context });
      const me = await whoIs(session.server, session.accessToken);
      if (!me) throw over(session);
      const answer = {
        ...{ name: me.name, email: me.email ?? session.email, realm: session.hospital, roles: me.roles },
        ...{ hospital: me.hospital?.name ?? null, context: contextName(session), server: session.server },
        ...{ tokenUntil: me.expiresAt, sessionUntil: new Date(session.refreshExpiresAt).toISOString() },
      };
      print(answer, globals(command).output, (who) => [
        ['Name', who.name ?? '-'],
        ['E-mail', who.email],
        ['Realm', who.hospital === null ? who.realm : `${who.realm} (${who.hospital})`],
        ['Roles', who.roles.join(', ') || '-'],
        ['Server', who.server],
        ['Context', who.context],
        ['Token until', who.tokenUntil],
        ['Session until', who.sessionUntil],
      ]);
    });
}

/** Asks for the code from the e-mail until it is right or the login has ended. */
async function withCode(server: string, sent: Schemas['Challenge']): Promise<Tokens> {
  return askCode(server, sent, (code) => verify(server, { challenge: sent.challenge, code }));
}

/**
 * Asks for a code until it is right or its challenge has ended. An empty line requests another code.
 * @param enter sends the code. It returns why another one may be typed.
 */
async function askCode<T extends object>(
  server: string,
  { challenge, sentTo }: Schemas['Challenge'],
  enter: (code: string) => Promise<T | { readonly wrong: string }>,
): Promise<T> {
  for (;;) {
    const code = await askLine(
      'Code (press Enter to get another one): ',
      'a code from an e-mail is required, and there is no terminal to ask for it: run hmsctl at a terminal.',
    );
    if (code === '') {
      process.stderr.write(`${(await resend(server, challenge)) ?? `Another code was sent to ${sentTo}`}.\n`);
      continue;
    }
    const outcome = await enter(code);
    if (!('wrong' in outcome)) return outcome;
    process.stderr.write(`${outcome.wrong}.\n`);
  }
}

export function passwordCommand(): Command {
  return new Command('password')
    .description('choose a new password with a code from an e-mail; the current one is not needed')
    .requiredOption('--hospital <prefix>', 'hospital, or console for the platform’s own users')
    .requiredOption('--email <address>', 'e-mail address')
    .addOption(serverOption())
    .addHelpText('after', examples('hmsctl password --hospital st-mary --email ann@st-mary.example'))
    .action(async (options: { hospital: string; email: string; server?: string }) => {
      const { hospital, email } = options;
      const server = serverOf(options.server);
      const password = await newPassword();
      const sent = await forget(server, { hospital, email });
      process.stderr.write(`If ${hospital} has this account, a code was sent to ${email}.\n`);
      let accepted = password;
      await askCode(server, sent, async (code) => {
        for (;;) {
          const outcome = await reset(server, { challenge: sent.challenge, code, newPassword: accepted });
          if (!('weak' in outcome)) return outcome;
          process.stderr.write(`${outcome.weak}\n`);
          accepted = await newPassword();
        }
      });
      process.stderr.write(`The password of ${email} is changed, and all its sessions have ended.\n`);
    });
}

/** Asks twice, because nobody sees what is typed. */
async function newPassword(): Promise<string> {
  for (;;) {
    const [first, second] = [await askSecretly('New password: '), await askSecretly('New password again: ')];
    if (first === '') throw new Exit(EXIT.usage, 'the password is empty: nothing was changed.');
    if (first === second) return first;
    process.stderr.write('The two passwords differ.\n');
  }
}

export function tokenCommand(): Command {
  return new Command('token')
    .description('print an access token: of the latest login, or of a demonstration user on this machine')
    .option('--hospital <prefix>', 'hospital of the login or of the demonstration user')
    .addOption(contextOption())
    .addOption(
      new Option(
        '--role <role>',
        'only with the platform on this machine: a demonstration user with this role, created on demand',
      ).choices([...HOSPITAL_ROLES, ...CONSOLE_ROLES]),
    )
    .addOption(serverOption())
    .addHelpText(
      'after',
      examples(
        'hmsctl token --hospital st-mary --role DOCTOR',
        'hmsctl token --hospital console --role PLATFORM_ADMIN',
        'curl -H "Authorization: Bearer $(hmsctl token)" http://localhost:8000/api/hms/patients',
      ),
    )
    .action(async ({ role, ...choice }: Choice & { role?: Role }) => {
      if (role !== undefined && choice.context !== undefined)
        throw new Exit(EXIT.usage, 'write either --context or --role: a demonstration user has no context.');
      const { hospital } = choice;
      console.log(
        role === undefined ? (await currentSession(choice)).accessToken : await demonstrationToken(hospital, role),
      );
    });
}

async function demonstrationToken(hospital: string | undefined, role: Role): Promise<string> {
  if (hospital === undefined)
    throw new Exit(EXIT.usage, '--role needs --hospital: a demonstration user belongs to one hospital.');
  const isConsole = hospital === CONSOLE_REALM;
  const roles: readonly string[] = isConsole ? CONSOLE_ROLES : HOSPITAL_ROLES;
  if (!roles.includes(role)) throw new Exit(EXIT.usage, `the roles of ${hospital} are ${roles.join(', ')}.`);
  const problem = isConsole ? undefined : prefixProblem(hospital);
  if (problem) throw new Exit(EXIT.usage, `${problem}.`);
  const state = livingState(DATA_DIR);
  if (!state)
    throw new Exit(
      EXIT.notFound,
      'demonstration users exist only on the one-machine platform, which is not running: start it with make up.',
    );
  if (!isConsole) await new Hospitals(loadKubeConfig(state.kubeconfig)).get(hospital);
  return (await demonstrate(state, hospital, role)).accessToken;
}

function serverOf(server: string | undefined): string {
  return server ?? livingState(DATA_DIR)?.baseUrl ?? 'http://localhost:8000';
}
