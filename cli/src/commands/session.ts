/** login and token, for people of a hospital. */
import { DATA_DIR, demonstrationUser, livingState, loadKubeConfig } from '@hms/local';
import { HOSPITAL_ROLES, type HospitalRole, prefixProblem } from '@hms/tenancy';
import { Command, InvalidArgumentError, Option } from 'commander';
import { login } from '../auth-api.ts';
import { EXIT, Exit } from '../exit.ts';
import { Hospitals } from '../hospitals.ts';
import { readText } from '../input.ts';
import { examples } from '../options.ts';
import { askSecretly } from '../prompt.ts';
import { currentToken, keepSession, sessionOf, sessionsFile } from '../sessions.ts';

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
      const tokens = await login(server, { hospital, email, password });
      await keepSession(sessionOf({ server, hospital, email }, tokens));
      process.stderr.write(`Logged in to ${hospital} as ${email}; the session is stored in ${sessionsFile()}.\n`);
    });
}

export function tokenCommand(): Command {
  return new Command('token')
    .description('print an access token: of the latest login, or of a demonstration user on this machine')
    .option('--hospital <prefix>', 'hospital of the login or of the demonstration user')
    .addOption(
      new Option(
        '--role <role>',
        'only with the platform on this machine: a demonstration user with this role, created on demand',
      ).choices([...HOSPITAL_ROLES]),
    )
    .addOption(serverOption())
    .addHelpText(
      'after',
      examples(
        'hmsctl token --hospital st-mary --role DOCTOR',
        'curl -H "Authorization: Bearer $(hmsctl token)" http://localhost:8000/api/hms/patients',
      ),
    )
    .action(async ({ hospital, role, server }: { hospital?: string; role?: HospitalRole; server?: string }) => {
      console.log(role === undefined ? await currentToken(server, hospital) : await demonstrationToken(hospital, role));
    });
}

async function demonstrationToken(hospital: string | undefined, role: HospitalRole): Promise<string> {
  if (hospital === undefined)
    throw new Exit(EXIT.usage, '--role needs --hospital: a demonstration user belongs to one hospital.');
  const problem = prefixProblem(hospital);
  if (problem) throw new Exit(EXIT.usage, `${problem}.`);
  const state = livingState(DATA_DIR);
  if (!state)
    throw new Exit(
      EXIT.notFound,
      'demonstration users exist only on the one-machine platform, which is not running: start it with make up.',
    );
  await new Hospitals(loadKubeConfig(state.kubeconfig)).get(hospital);
  const user = await demonstrationUser(state, hospital, role);
  return (await login(state.baseUrl, user)).accessToken;
}

function serverOf(server: string | undefined): string {
  return server ?? livingState(DATA_DIR)?.baseUrl ?? 'http://localhost:8000';
}
