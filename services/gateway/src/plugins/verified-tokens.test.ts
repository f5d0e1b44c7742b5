import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, inSeconds, publicPem, testUpstream, token } from '../testing/harness.ts';
import { useClosing, useEmptyGateway } from '../testing/setup.ts';
import { decodeToken, type Token } from './tokens.ts';
import { VerifiedTokens } from './verified-tokens.ts';

const gateway = useEmptyGateway();
const closeLater = useClosing();
let credential: string;

beforeEach(async () => {
  const upstream = await testUpstream();
  closeLater(upstream.stop);
  await gateway.make('PUT', '/services/s', { url: `http://127.0.0.1:${upstream.port}` });
  await gateway.make('PUT', '/routes/r', { paths: ['/'], service: { name: 's' } });
  await gateway.make('POST', '/routes/r/plugins', { name: 'jwt', config: { claims_to_verify: ['exp', 'nbf'] } });
  await gateway.make('PUT', '/consumers/st-mary', {});
  const jwtSecret = { key: 'issuer', algorithm: 'RS256', rsa_public_key: publicPem };
  credential = (await gateway.make('POST', '/consumers/st-mary/jwt', jwtSecret)).id;
});

const ask = async (text: string) => {
  const { status, body } = await gateway.get('/', { headers: { authorization: `Bearer ${text}` } });
  return status === 200 ? status : `${status} ${body}`;
};

describe('a token that was admitted before', () => {
  const otherPem = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString();

  test.each<[string, string, () => Promise<unknown>]>([
    [
      'its key has changed',
      'Invalid signature',
      () => gateway.make('PATCH', `/jwts/${credential}`, { rsa_public_key: otherPem }),
    ],
    [
      'its algorithm has changed',
      'Invalid algorithm',
      () => gateway.make('PATCH', `/jwts/${credential}`, { algorithm: 'RS512' }),
    ],
    [
      'its credential is deleted',
      "No credentials found for given 'iss'",
      () => gateway.make('DELETE', `/jwts/${credential}`),
    ],
    [
      'its issuer belongs to another credential',
      "No credentials found for given 'iss'",
      () => gateway.make('PATCH', `/jwts/${credential}`, { key: 'another' }),
    ],
    [
      'its consumer is deleted',
      "No credentials found for given 'iss'",
      () => gateway.make('DELETE', '/consumers/st-mary'),
    ],
  ])('is refused as soon as %s', async (_name, message, change) => {
    const text = token({ iss: 'issuer', exp: inSeconds(60), nbf: 0 });
    expect([await ask(text), await ask(text)]).toEqual([200, 200]);
    await change();
    expect(await ask(text)).toBe(`401 ${JSON.stringify({ message })}`);
  });

  test('is refused as soon as it has expired', async () => {
    const text = token({ iss: 'issuer', exp: inSeconds(2), nbf: 0 });
    expect(await ask(text)).toBe(200);
    await eventually(
      () => ask(text),
      (answer) => answer === '401 {"exp":"token expired"}',
    );
  });

  test('admits no variant: neither its parts with another signature, nor another claim with its signature', async () => {
    const text = token({ iss: 'issuer', exp: inSeconds(60), nbf: 0 });
    expect(await ask(text)).toBe(200);
    const [header, claims, signature = ''] = text.split('.');
    const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
    expect(await ask(`${header}.${claims}.${flipped}`)).toBe('401 {"message":"Invalid signature"}');
    const forged = Buffer.from(JSON.stringify({ iss: 'issuer', exp: inSeconds(6000), nbf: 0 })).toString('base64url');
    expect(await ask(`${header}.${forged}.${signature}`)).toBe('401 {"message":"Invalid signature"}');
    expect(await ask(text)).toBe(200);
  });
});

describe('the cache', () => {
  const key = createSecretKey(Buffer.from('x'));
  const some = (number: number) => token({ number });
  const decoded = (text: string) => decodeToken(text) as Token;

  test('is bounded, and evicts the least recently used', () => {
    const verified = new VerifiedTokens(3);
    const texts = [0, 1, 2, 3].map(some);
    for (const text of texts.slice(0, 3)) verified.remember(text, decoded(text), key);
    expect(verified.find(texts[0] ?? '')).toBeDefined();
    verified.remember(texts[3] ?? '', decoded(texts[3] ?? ''), key);
    expect(verified.size).toBe(3);
    expect(texts.map((text) => verified.find(text) !== undefined)).toEqual([true, false, true, true]);
  });

  test('skips very long tokens', () => {
    const verified = new VerifiedTokens();
    const text = token({ long: 'x'.repeat(5000) });
    verified.remember(text, decoded(text), key);
    expect([verified.size, verified.find(text)]).toEqual([0, undefined]);
  });
});
