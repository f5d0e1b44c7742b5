/** The API server refuses exactly the owners that Keycloak would refuse, so that the error is immediate. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { Engines } from '../support/engines.ts';
import { freshPrefix, HOSPITALS, kubernetes } from '../support/hospitals.ts';

const engines = new Engines(platform());
const realm = freshPrefix();

beforeAll(async () => {
  const admin = await engines.keycloak();
  // An address with letters of other scripts is refused, because not every mail server supports it.
  await admin.realms.create({ realm, enabled: true, smtpServer: { host: '127.0.0.1', from: 'no-reply@hms.example' } });
});

afterAll(async () => {
  await (await engines.keycloak()).realms.del({ realm });
  await engines.close();
});

const OWNER = { email: 'ann@hope.example', firstName: 'Ann', lastName: 'Byrne' };

async function takenByApiServer(owner: Partial<typeof OWNER>): Promise<boolean> {
  const spec = { displayName: 'Good Hope Hospital', owner: { ...OWNER, ...owner } };
  const body = { apiVersion: 'hms.dev/v1', kind: 'Hospital', metadata: { name: realm }, spec };
  return kubernetes()
    .request('POST', HOSPITALS, { query: { dryRun: 'All' }, body })
    .then(
      () => true,
      (error: Error) => {
        if (error.message.includes('spec.owner')) return false;
        throw error;
      },
    );
}

type Keycloak = Awaited<ReturnType<typeof engines.keycloak>>;

async function takenByKeycloak(admin: Keycloak, owner: Partial<typeof OWNER>): Promise<boolean> {
  const { email = OWNER.email } = owner;
  try {
    const { id } = await admin.users.create({ realm, ...OWNER, ...owner, username: email });
    await admin.users.del({ realm, id });
    return true;
  } catch (error) {
    if (error instanceof Error && 'response' in error && (error.response as Response).status === 400) return false;
    throw error;
  }
}

it('accepts exactly the characters in a name that Keycloak accepts', async () => {
  const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCodePoint(code));
  const others = ['\u0080', '\u0085', '\u00a0', '§', 'ß', 'Ł', '’', '\u200d', '\u2028', '\u2029', '李', '👩'];
  const admin = await engines.keycloak();
  const differing: string[] = [];
  for (const character of [...ascii, ...others]) {
    const firstName = `A${character}n`;
    const [ours, theirs] = [await takenByApiServer({ firstName }), await takenByKeycloak(admin, { firstName })];
    if (ours !== theirs) differing.push(`${JSON.stringify(firstName)}: ${theirs ? 'taken' : 'refused'} by Keycloak`);
  }
  expect(differing).toEqual([]);
}, 120_000);

it.each([
  ['ann@hope.example', true],
  ['Ann.Byrne_1+ward-2@st-mary.hope.example', true],
  ['ann@bücher.example', true],
  [`${'a'.repeat(64)}@hope.example`, true],
  [`${'a'.repeat(65)}@hope.example`, false],
  [`ann@${'h'.repeat(63)}.example`, true],
  [`ann@${'h'.repeat(64)}.example`, false],
  ['a..b@hope.example', false],
  ['.ann@hope.example', false],
  ['ann.@hope.example', false],
  ['ann@hope..example', false],
  ['ann@-hope.example', false],
  ['ann@hope-.example', false],
  ['ann@ho_pe.example', false],
  ['a\nb@hope.example', false],
  ['ann@hope.example\n', false],
  ['ann@hope.example\u0001', false],
  ["o'brien@hope.example", false],
  ['"ann"@hope.example', false],
  ['änn@hope.example', false],
  ['ann@hоpe.example', false],
])('treats the address %j like Keycloak: %s', async (email, taken) => {
  expect([await takenByApiServer({ email }), await takenByKeycloak(await engines.keycloak(), { email })]).toEqual([
    taken,
    taken,
  ]);
});
