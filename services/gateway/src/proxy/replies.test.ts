import { beforeAll, expect, test } from '@jest/globals';
import { useGateway } from '../testing/setup.ts';

const gateway = useGateway();

beforeAll(async () => {
  await gateway.make('PUT', '/routes/r', { paths: ['/'] });
});

test.each([
  [403, 403, 'IP address not allowed: 127.0.0.1'],
  [42, 500, 'An unexpected error occurred'],
  [100, 500, 'An unexpected error occurred'],
  [1000, 500, 'An unexpected error occurred'],
  [1e300, 500, 'An unexpected error occurred'],
])('a refusal with the status %d is answered with %i', async (configured, status, message) => {
  const config = { deny: ['127.0.0.1'], status: configured };
  await gateway.make('PUT', '/plugins/11111111-2222-4333-8444-555555555555', { name: 'ip-restriction', config });
  const answer = await gateway.get('/');
  expect([answer.status, answer.json()]).toMatchObject([status, { message }]);
});

test('a limit with a status that is not an error answers 500', async () => {
  await gateway.make('DELETE', '/plugins/11111111-2222-4333-8444-555555555555');
  await gateway.make('POST', '/plugins', { name: 'rate-limiting', config: { year: 1, error_code: 1000 } });
  await gateway.get('/');
  expect((await gateway.get('/')).status).toBe(500);
});
