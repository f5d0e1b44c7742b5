/** Refuses what Kong 3.9.3 refuses, so that a decK file works with both. */
import { expect, test } from '@jest/globals';
import { useEmptyGateway } from '../testing/setup.ts';

const gateway = useEmptyGateway();

test('cors has no field that Kong does not know', async () => {
  const answer = await gateway.admin('POST', '/plugins', { name: 'cors', config: { allow_origin_absent: true } });
  expect([answer.status, answer.json()]).toMatchObject([
    400,
    { fields: { config: { allow_origin_absent: 'unknown field' } } },
  ]);
  expect((await gateway.make('POST', '/plugins', { name: 'cors' })).config).not.toHaveProperty('allow_origin_absent');
});

test('ip-restriction also accepts other protocols', async () => {
  const protocols = ['http', 'https', 'tcp', 'tls', 'grpc', 'grpcs'];
  const config = { allow: ['10.0.0.1'] };
  const created = await gateway.make('POST', '/plugins', { name: 'ip-restriction', config });
  expect(created.protocols).toEqual(protocols);
  await gateway.make('PATCH', `/plugins/${created.id}`, { protocols: ['tls', 'tcp', 'udp', 'tls_passthrough'] });
  const other = await gateway.admin('POST', '/plugins', { name: 'acl', config: { allow: ['a'] }, protocols: ['tcp'] });
  expect(other.status).toBe(400);
  const { fields } = (await gateway.admin('GET', '/schemas/plugins/ip-restriction')).json() as { fields: object[] };
  expect(fields).toContainEqual({ protocols: expect.objectContaining({ default: protocols }) });
});

test.each(['redis', 'cluster'])('rate-limiting by %s is refused instead of counted locally', async (policy) => {
  const config = { minute: 5, policy, redis: { host: 'redis' } };
  const answer = await gateway.admin('POST', '/plugins', { name: 'rate-limiting', config });
  expect([answer.status, answer.json()]).toMatchObject([
    400,
    { code: 2, fields: { config: { policy: expect.stringContaining("write 'local'") } } },
  ]);
});
