/** If a header is repeated, plugins use the first value, as in Kong. */
import { beforeAll, expect, test } from '@jest/globals';
import { inSeconds, publicPem, token } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';

const gateway = useGateway();
const serve = useServe(gateway, useClosing());

beforeAll(async () => {
  await gateway.make('PUT', '/consumers/st-mary');
  const credential = { key: 'issuer', algorithm: 'RS256', rsa_public_key: publicPem };
  await gateway.make('POST', '/consumers/st-mary/jwt', credential);
});

test('the first of several token headers counts', async () => {
  await serve();
  await gateway.make('POST', '/routes/r/plugins', { name: 'jwt', config: { header_names: ['x-token'] } });
  const jwt = token({ iss: 'issuer', exp: inSeconds(60) });
  const ask = async (...lines: string[]) => (await gateway.get('/', { headers: { 'x-token': lines } })).status;
  expect(await ask(`Bearer ${jwt}`, 'Bearer other')).toBe(200);
  expect(await ask('Bearer other', `Bearer ${jwt}`)).toBe(401);
  expect(await ask('none', `Bearer ${jwt}`)).toBe(401);
  // One header, whose comma is part of its value.
  expect(await ask(`Bearer ${jwt}, Bearer other`)).toBe(401);
});

test('a token header full of spaces is read in time', async () => {
  await serve();
  await gateway.make('POST', '/routes/r/plugins', { name: 'jwt', config: {} });
  const headers = { authorization: `a${' '.repeat(8_000)}b` };
  const startedAt = performance.now();
  for (let round = 0; round < 10; round += 1) expect((await gateway.get('/', { headers })).status).toBe(401);
  expect(performance.now() - startedAt).toBeLessThan(400);
});
