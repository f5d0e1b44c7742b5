/** login and token, for people of a hospital. */
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
import { demonstrate, login, resend, type Tokens, verify } from '../auth-api.ts';
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
      const tokens = 'challenge' in outcome ? await withCode(server, outcome) : outcome;
      await keepSession(sessionOf({ server, hospital, email }, tokens));
      process.stderr.write(`Logged in to ${hospital} as ${email}; the session is stored in ${sessionsFile()}.\n`);
    });
}

/** Asks for the code from the e-mail until it is right or the login has ended. An empty line requests another code. */
async function withCode(server: string, { challenge, sentTo }: Schemas['Challenge']): Promise<Tokens> {
  process.stderr.write(`A code was sent to ${sentTo}.\n`);
  for (;;) {
    const code = await askLine(
      'Code (press Enter to get another one): ',
      'the hospital requires the code from an e-mail, and there is no terminal to ask for it: leave --password-stdin out.',
    );
    if (code === '') {
      process.stderr.write(`${(await resend(server, challenge)) ?? `Another code was sent to ${sentTo}`}.\n`);
      continue;
    }
    const outcome = await verify(server, challenge, code);
    if ('accessToken' in outcome) return outcome;
    process.stderr.write(`${outcome.wrong}.\n`);
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
