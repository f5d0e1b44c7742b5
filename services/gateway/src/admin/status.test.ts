import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { send, type TestGateway, testGateway } from '../testing/harness.ts';

let gateway: TestGateway;
let port: number;

beforeAll(async () => {
  gateway = await testGateway({ status: { host: '127.0.0.1', port: 0 } });
  port = gateway.gateway.ports.status ?? 0;
});
afterAll(() => gateway.stop());

describe('the status listener', () => {
  test.each(['/status', '/status/ready', '/metrics'])('answers %s as the Admin API does', async (path) => {
    const answers = [await send(port, path), await gateway.admin('GET', path)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.headers['content-type']).toBe(answers[1]?.headers['content-type']);
  });

  test.each([
    ['GET', '/'],
    ['GET', '/consumers'],
    ['GET', '/consumers/x/jwt'],
    ['POST', '/services'],
    ['PUT', '/upstreams/x/targets/y/unhealthy'],
    ['GET', '/schemas/services'],
    ['GET', '/status/../consumers'],
  ])('has no %s %s', async (method, path) => {
    expect((await send(port, path, { method })).status).toBe(404);
  });

  test.each(['POST', 'DELETE'])('refuses %s', async (method) => {
    expect((await send(port, '/status', { method })).status).toBe(405);
  });
});
