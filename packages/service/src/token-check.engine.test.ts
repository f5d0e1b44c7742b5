import { Buffer } from 'node:buffer';
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { acceptTokens, revokeTokens, setTenantOpen, type Transaction } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CryptoKey, exportSPKI, generateKeyPair, importJWK, type JWK } from 'jose';
import { platform } from '../../../test/platform.ts';
import { until } from '../../../test/support/until.ts';
import { exampleModule } from './testing/example.ts';
import {
  createTestHospital,
  startTestModule,
  type TestAnswer,
  type TestHospital,
  type TestModule,
} from './testing/index.ts';
import type { TokenChanges } from './testing/issuer.ts';
import { workFor } from './transaction.ts';

let module: TestModule;
let mary: TestHospital;

beforeAll(async () => {
  // Rows are not cached, so a change of state is effective immediately.
  module = await startTestModule({ databaseUrls: platform().databaseUrls, define: () => exampleModule, ttl: 0 });
});
afterAll(() => module.close());
beforeEach(async () => {
  mary = await createTestHospital(module.operator, module.issuer);
});

/** Texts that a lenient decoder accepts as the same token. */
function otherSpellings(token: string): string[] {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const sameBytes = (part: string) => (last: string) =>
    Buffer.from(part.slice(0, -1) + last, 'base64url').equals(Buffer.from(part, 'base64url'));
  const lastOnes = [...alphabet].filter(sameBytes(signature)).filter((last) => !signature.endsWith(last));
  return [
    ...lastOnes.map((last) => `${header}.${payload}.${signature.slice(0, -1)}${last}`),
    `${token}=`,
    `${token}==`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}=.${signature}`,
  ];
}

const ask = (token: string, path = '/api/example/schema'): Promise<TestAnswer> => module.send('GET', path, { token });
const askWith = async (changes: TokenChanges) => ask(await mary.token(['DOCTOR'], changes));

describe('an access token', () => {
  it("opens the caller's hospital, as its own role and in its own schema", async () => {
    const answer = await askWith({ claims: { sub: 'jane' } });
    const name = `h_${mary.hospital.prefix.replaceAll('-', '_')}`;
    expect(answer).toMatchObject({ status: 200, success: true });
    expect(answer.data()).toEqual({ role: name, schema: name, sub: 'jane' });
  });

  it('may be in the query parameter jwt, and also in the header, but only the same token', async () => {
    const [token, other] = [await mary.token(['DOCTOR']), await mary.token(['NURSE'])];
    expect((await module.send('GET', `/api/example/schema?jwt=${token}`)).status).toBe(200);
    expect((await ask(token, `/api/example/schema?jwt=${token}`)).status).toBe(200);
    expect((await ask(token, `/api/example/schema?jwt=${other}`)).status).toBe(401);
    expect((await module.send('GET', `/api/example/schema?jwt=${token}&jwt=${token}`)).status).toBe(401);
  });

  it.each<[string, TokenChanges]>([
    ['has expired', { expiresIn: -1 }],
    ['is for another audience', { audience: 'account' }],
    ['is from an unknown issuer', { issuer: 'http://evil.test/auth/realms/st-mary' }],
    ['is from another realm than its key', { kid: 'no-such-key' }],
    ['names another hospital', { claims: { hospital_id: '00000000-0000-4000-8000-000000000000' } }],
    ['names another prefix', { claims: { hospital_prefix: 'city-general' } }],
    ['has no user', { claims: { sub: undefined } }],
    ['never ends', { claims: { exp: undefined } }],
    ['is not valid yet', { claims: { nbf: Math.floor(Date.now() / 1000) + 600 } }],
    ['is signed with a shared secret', { algorithm: 'HS256', key: new TextEncoder().encode('x'.repeat(32)) }],
  ])('that %s is refused with 401', async (_what, changes) => {
    const answer = await askWith(changes);
    expect(answer).toMatchObject({ status: 401, success: false, error: { code: 'UNAUTHENTICATED' } });
    expect(answer.headers.get('WWW-Authenticate')).toContain('Bearer');
  });

  it("signed with another hospital's key is refused, even with the right kid", async () => {
    const { privateKey } = await generateKeyPair('RS256');
    expect((await askWith({ key: privateKey })).status).toBe(401);
    const other = await createTestHospital(module.operator, module.issuer);
    const theirs = await other.token(['OWNER'], { issuer: mary.hospital.issuer });
    expect((await ask(theirs)).status).toBe(401);
  });

  it('is refused for its issuer before the registry is read, which could not contain such a text', async () => {
    for (const realm of ['a\u0000b', '', 'x'.repeat(10_000), '../console', `${mary.hospital.prefix}/`]) {
      expect((await askWith({ issuer: module.issuer.address(realm) })).error.code).toBe('UNAUTHENTICATED');
    }
  });

  it.each(['RS512', 'PS256', 'ES256'])('signed with %s is refused', async (algorithm) => {
    const { privateKey } = await generateKeyPair(algorithm);
    expect((await askWith({ algorithm, key: privateKey })).error.code).toBe('UNAUTHENTICATED');
  });

  it('is refused while its realm signs with a key of 1024 bits, which is too short', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const signed = (await mary.token(['DOCTOR'])).split('.').slice(0, 2).join('.');
    await module.issuer.publish(mary.hospital.prefix, publicKey.export({ format: 'jwk' }) as JWK);
    const answer = await ask(`${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`);
    expect(answer).toMatchObject({ status: 401, error: { code: 'UNAUTHENTICATED' } });
  });

  it("signed with the realm's public key as a shared secret is refused", async () => {
    const realm = `${module.issuer.keycloakUrl}/realms/${mary.hospital.prefix}/protocol/openid-connect/certs`;
    await mary.token(['DOCTOR']);
    const { keys } = (await (await fetch(realm)).json()) as { keys: [object] };
    const pem = await exportSPKI((await importJWK({ ...keys[0] }, 'RS256', { extractable: true })) as CryptoKey);
    expect((await askWith({ algorithm: 'HS256', key: new TextEncoder().encode(pem) })).status).toBe(401);
  });

  it('without a signature, changed afterwards, or garbage is refused', async () => {
    const [header = '', payload = '', signature = ''] = (await mary.token(['DOCTOR'])).split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const raised = Buffer.from(JSON.stringify({ ...claims, realm_access: { roles: ['OWNER'] } })).toString('base64url');
    const tokens = [
      `${none}.${payload}.`,
      `${header}.${raised}.${signature}`,
      `${header}.${payload}.`,
      'a.b.c',
      'garbage',
    ];
    for (const token of tokens) expect((await ask(token)).error.code).toBe('UNAUTHENTICATED');
    const basic = await module.send('GET', '/api/example/schema', { headers: { Authorization: 'Basic amFuZTp4' } });
    expect(basic.status).toBe(401);
  });

  it('in another spelling, which would be counted as another token, is refused', async () => {
    const token = await mary.token(['DOCTOR']);
    expect((await ask(token)).status).toBe(200);
    const others = [`Bearer  ${token}`, `Bearer ${token} ${token}`, `BEARER ${token}`, `bearer ${token}`, token];
    for (const header of [...others, ...otherSpellings(token).map((spelling) => `Bearer ${spelling}`)]) {
      const answer = await module.send('GET', '/api/example/schema', { headers: { Authorization: header } });
      expect([header.slice(0, 10), header.slice(-2), answer.status]).toEqual([
        header.slice(0, 10),
        header.slice(-2),
        401,
      ]);
    }
  });

  it('without one of the roles is refused with 403 that names them', async () => {
    for (const roles of [[], ['DISPLAY'], ['PLATFORM_ADMIN']] as const) {
      const answer = await ask(await mary.token(roles));
      expect(answer).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
      expect(answer.error.details?.requiredRoles).toContain('DOCTOR');
    }
  });

  it('of a platform user opens no hospital', async () => {
    const token = await module.issuer.sign('console', { roles: ['PLATFORM_ADMIN', 'OWNER'] });
    expect(await ask(token)).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
  });
});

describe("the hospital's state", () => {
  it.each([
    ['Suspended', 403, 'HOSPITAL_SUSPENDED'],
    ['Provisioning', 503, 'HOSPITAL_NOT_READY'],
    ['Retained', 401, 'UNAUTHENTICATED'],
    ['Deleting', 401, 'UNAUTHENTICATED'],
  ] as const)('%s answers %i', async (state, status, code) => {
    const token = await mary.token(['DOCTOR']);
    expect((await ask(token)).status).toBe(200);
    await mary.setState(state);
    expect(await ask(token)).toMatchObject({ status, error: { code } });
    await mary.setState('Active');
    expect((await ask(token)).status).toBe(200);
  });
});

describe('the tokens of a person', () => {
  const inHospital = (of: TestHospital, work: (trx: Transaction) => Promise<void>) =>
    workFor(module.platform, of.hospital, 'test', ({ trx }) => work(trx));
  const tomorrow = () => new Date(Date.now() + 86_400_000);

  it('are refused once they are revoked, and those of others and of other hospitals are not', async () => {
    const anne = await createTestHospital(module.operator, module.issuer);
    const jane = () => mary.token(['DOCTOR'], { claims: { sub: 'jane' } });
    const namesake = await anne.token(['DOCTOR'], { claims: { sub: 'jane' } });
    const other = await mary.token(['DOCTOR'], { claims: { sub: 'john' } });
    const token = await jane();
    expect((await ask(token)).status).toBe(200);
    await inHospital(mary, (trx) => revokeTokens(trx, 'jane'));
    expect(await ask(token)).toMatchObject({ status: 401, error: { code: 'UNAUTHENTICATED' } });
    expect((await ask(await jane())).status).toBe(401);
    for (const accepted of [namesake, other]) expect((await ask(accepted)).status).toBe(200);

    const since = new Date(Math.floor(Date.now() / 1000) * 1000 + 1_000);
    await inHospital(mary, (trx) => acceptTokens(trx, 'jane', since, tomorrow()));
    expect((await ask(token)).status).toBe(401);
    await until(
      'the next second',
      async () => Date.now(),
      (now) => now >= since.getTime(),
    );
    expect((await ask(await jane())).status).toBe(200);
    // Only those that were all revoked are accepted again.
    await inHospital(mary, (trx) => acceptTokens(trx, 'jane', new Date(0), tomorrow()));
    expect((await ask(token)).status).toBe(401);
  });
});

describe('a token of the client of impersonations', () => {
  const SUBJECT = randomUUID();
  const claims = { sub: SUBJECT, azp: 'hms-impersonation', act: { sub: 'hms-impersonation' } };
  const asDoctor = (more: object = {}, of = mary) => of.token(['DOCTOR'], { claims: { ...claims, ...more } });

  /** Registers a token like the auth module does. @returns its id. */
  async function registered(of: TestHospital, changes: object = {}): Promise<{ jti: string; id: string }> {
    const [id, jti, actor] = [randomUUID(), randomUUID(), randomUUID()];
    const { operator } = module;
    const ends = operator.raw(`now() + interval '5 minutes'`);
    await operator
      .withSchema('platform')
      .from('impersonations')
      .insert({
        ...{ id, hospital_id: of.hospital.id, subject: SUBJECT, subject_email: 'jane@example.org', mode: 'read' },
        ...{ actor, actor_email: 'sam@console.example', reason: 'Ticket 4711: nothing is shown' },
        ...{ ends_at: ends, code_expires_at: ends, recorded_at: operator.fn.now(), ...changes },
      });
    const token = { jti, impersonation_id: id, expires_at: ends };
    await operator.withSchema('platform').from('impersonation_tokens').insert(token);
    return { jti, id };
  }

  it('is accepted if the registry has it, until the impersonation ends', async () => {
    const { jti, id } = await registered(mary);
    const token = await asDoctor({ jti });
    expect((await ask(token)).status).toBe(200);
    await module.operator.withSchema('platform').from('impersonations').where({ id }).update({ ended_at: new Date() });
    expect(await ask(token)).toMatchObject({ status: 401, error: { code: 'UNAUTHENTICATED' } });
  });

  it('is refused without a row, as another person, at another hospital, or by either of its two marks', async () => {
    const anne = await createTestHospital(module.operator, module.issuer);
    const { jti } = await registered(mary);
    const tokens = [
      await asDoctor({ jti: randomUUID() }),
      await asDoctor({ jti: undefined }),
      await asDoctor({ jti, sub: randomUUID() }),
      await asDoctor({ jti }, anne),
      await asDoctor({ jti: randomUUID(), azp: 'hms-auth' }),
      await asDoctor({ jti: randomUUID(), act: undefined }),
    ];
    const answers = await Promise.all(tokens.map((token) => ask(token)));
    expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 401));
  });

  it('is refused with the role of an owner or a display, whoever gave it', async () => {
    for (const role of ['OWNER', 'DISPLAY'] as const) {
      const { jti } = await registered(mary);
      expect((await ask(await mary.token(['DOCTOR', role], { claims: { ...claims, jti } }))).status).toBe(401);
    }
  });
});

describe('a hospital that was just suspended', () => {
  it('is refused by PostgreSQL, before the module has read the registry again', async () => {
    const slow = await startTestModule({
      databaseUrls: platform().databaseUrls,
      identity: module.issuer,
      define: () => exampleModule,
      ttl: 3_600_000,
    });
    const token = await mary.token(['DOCTOR']);
    expect((await slow.send('GET', '/api/example/schema', { token })).status).toBe(200);
    await mary.setState('Suspended');
    await setTenantOpen(module.operator, hospitalNames(mary.hospital.prefix), false);
    const answer = await slow.send('GET', '/api/example/schema', { token });
    await slow.close();
    expect(answer).toMatchObject({ status: 403, error: { code: 'HOSPITAL_SUSPENDED' } });
  });
});

describe('a hospital that opens', () => {
  it.each(['Retained', 'Suspended', 'Provisioning'] as const)(
    'admits its people immediately after it was %s',
    async (state) => {
      const slow = await startTestModule({
        databaseUrls: platform().databaseUrls,
        identity: module.issuer,
        define: () => exampleModule,
        ttl: 3_600_000,
      });
      const token = await mary.token(['DOCTOR']);
      const status = async () => (await slow.send('GET', '/api/example/schema', { token })).status;
      await mary.setState(state);
      expect(await status()).toBeGreaterThanOrEqual(400);
      expect(await slow.platform.registry.byPrefix(mary.hospital.prefix)).toMatchObject({ state });
      await mary.setState('Active');
      expect(await slow.platform.registry.byPrefix(mary.hospital.prefix)).toMatchObject({ state: 'Active' });
      expect(await status()).toBe(200);
      await slow.close();
    },
  );
});

describe("the realm's keys", () => {
  it('are fetched once for many requests', async () => {
    const token = await mary.token(['DOCTOR']);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(token)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(module.issuer.fetches(mary.hospital.prefix)).toBe(1);
  });

  it('that can not be fetched do not invalidate the token: 503, and 200 once they can', async () => {
    const token = await mary.token(['DOCTOR']);
    await module.issuer.pause();
    const answer = await ask(token);
    expect(answer).toMatchObject({ status: 503, error: { code: 'IDENTITY_UNAVAILABLE' } });
    expect(answer.headers.get('Retry-After')).toBe('5');
    await module.issuer.resume();
    expect((await ask(token)).status).toBe(200);
  });
});
