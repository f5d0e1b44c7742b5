import { expect, test } from '@jest/globals';
import { useEmptyGateway } from '../testing/setup.ts';

const gateway = useEmptyGateway();
const large = `/${'a'.repeat(500_000)}`;

test.each([
  ['path', { paths: [`~${large}`] }, { paths: ['invalid regex: too large'] }],
  ['header', { headers: { x: [`~*${large}`] } }, { headers: { x: ['invalid regex: too large'] } }],
])('refuses a regular expression of a %s that is too large', async (_name, route, fields) => {
  const answer = await gateway.admin('POST', '/routes', route);
  expect([answer.status, answer.json()]).toMatchObject([400, { code: 2, fields }]);
  expect((await gateway.get(large.slice(0, 1000))).status).toBe(404);
});
