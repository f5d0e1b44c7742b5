/** login, password and token, for people of a hospital. */
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
import { demonstrate, forget, login, resend, reset, type Tokens, verify } from '../auth-api.ts';
import { EXIT, Exit } from '../exit.ts';
import { Hospitals } from '../hospitals.ts';
import { readText } from '../input.ts';
import { examples } from '../options.ts';
import { askLine, askSecretly } from '../prompt.ts';
import { currentToken, keepSession, sessionOf, sessionsFile } from '../sessions.ts';

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
    .description('log in as a person of a hospital; hmsctl token then prints tokens')
    .requiredOption('--hospital <prefix>', 'hospital, or console for the platform’s own users')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password-stdin', 'read the password from standard input instead of asking')
    .addOption(serverOption())
    .addHelpText(
      'after',
      examples(
        'hmsctl login --hospital st-mary --email ann@st-mary.example',
        'pass st-mary | hmsctl login --hospital st-mary --email ann@st-mary.example --password-stdin',
      ),
    )
    .action(async (options: { hospital: string; email: string; passwordStdin?: boolean; server?: string }) => {
      const { hospital, email } = options;
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
      await keepSession(sessionOf({ server, hospital, email }, tokens));
      process.stderr.write(`Logged in to ${hospital} as ${email}; the session is stored in ${sessionsFile()}.\n`);
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
      'a code from an e-mail is required, and there is no terminal to ask for it: run hmsctl at a terminal, without --password-stdin.',
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
    .action(async ({ hospital, role, server }: { hospital?: string; role?: Role; server?: string }) => {
      console.log(role === undefined ? await currentToken(server, hospital) : await demonstrationToken(hospital, role));
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
