import { afterEach, describe, expect, test } from '@jest/globals';
import { type TestGateway, type TestUpstream, testGateway, testUpstream } from '../testing/harness.ts';

const started: { stop: () => Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop();
});

async function behind(trustedIps: readonly string[]): Promise<{ gateway: TestGateway; upstream: TestUpstream }> {
  const gateway = await testGateway({ trustedIps });
  const upstream = await testUpstream();
  started.push(gateway, upstream);
  await gateway.make('POST', '/services', { name: 's', host: '127.0.0.1', port: upstream.port });
  await gateway.make('POST', '/services/s/routes', { name: 'r', paths: ['/'] });
  return { gateway, upstream };
}

describe('the client behind trusted peers', () => {
  test.each([
    ['none is trusted', [], '203.0.113.7', '127.0.0.1'],
    ['the peer is', ['127.0.0.1'], '203.0.113.7', '203.0.113.7'],
    ['the header of the client itself is not', ['127.0.0.0/8'], '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['a chain of proxies is', ['127.0.0.1', '10.0.0.0/8'], '198.51.100.1, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['only proxies are listed', ['127.0.0.1', '10.0.0.0/8'], '10.9.9.9, 10.1.2.3', '10.9.9.9'],
    ['an invalid address ends the chain', ['127.0.0.1'], '203.0.113.7, unknown', '127.0.0.1'],
    ['an IPv6 client', ['127.0.0.1'], '2001:db8::1', '2001:db8::1'],
  ])('%s', async (_case, trusted, forwardedFor, client) => {
    const { gateway, upstream } = await behind(trusted);
    await gateway.get('/', { headers: { 'x-forwarded-for': forwardedFor } });
    expect(upstream.requests[0]?.headers).toMatchObject({
      'x-real-ip': client,
      'x-forwarded-for': `${forwardedFor}, 127.0.0.1`,
    });
  });

  test('has the scheme that the peer reports, for the module and for routes that require TLS', async () => {
    const { gateway, upstream } = await behind(['127.0.0.1']);
    await gateway.make('PATCH', '/routes/r', { protocols: ['https'] });
    expect((await gateway.get('/')).status).toBe(426);
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'hms.example', 'x-forwarded-port': '443' };
    expect((await gateway.get('/', { headers: forwarded })).status).toBe(200);
    expect(upstream.requests[0]?.headers).toMatchObject(forwarded);
  });

  test('is limited by its own address', async () => {
    const { gateway } = await behind(['127.0.0.1']);
    await gateway.make('POST', '/plugins', { name: 'ip-restriction', config: { deny: ['203.0.113.0/24'] } });
    const from = (ip: string) => gateway.get('/', { headers: { 'x-forwarded-for': ip } });
    expect([(await from('203.0.113.7')).status, (await from('198.51.100.1')).status]).toEqual([403, 200]);
  });
});
