import { expect, test } from '@jest/globals';
import { useEmptyGateway } from '../testing/setup.ts';

const gateway = useEmptyGateway();
const checks = { passive: { unhealthy: { tcp_failures: 1 } } };
const [light, heavy] = ['127.0.0.1:81', '127.0.0.1:82'];

async function upstream(healthchecks: object): Promise<string> {
  const { id } = await gateway.make('POST', '/upstreams', { name: 'u', healthchecks });
  await gateway.make('POST', '/upstreams/u/targets', { target: light, weight: 10 });
  await gateway.make('POST', '/upstreams/u/targets', { target: heavy, weight: 30 });
  return String(id);
}

async function set(target: string | undefined, state: string): Promise<number> {
  return (await gateway.admin('PUT', `/upstreams/u/targets/${target}/${state}`)).status;
}

async function health(query = ''): Promise<unknown> {
  return (await gateway.admin('GET', `/upstreams/u/health${query}`)).json().data;
}

test('without health checks a target has no health, and it can’t be set', async () => {
  const id = await upstream({});
  const off = { health: 'HEALTHCHECKS_OFF' };
  expect(await health()).toMatchObject([light, heavy].map(() => ({ ...off, data: { addresses: [off] } })));
  expect(await health('?balancer_health=1')).toEqual({ ...off, balancer_health: 'HEALTHCHECKS_OFF', id });
  for (const state of ['healthy', 'unhealthy']) {
    const answer = await gateway.admin('PUT', `/upstreams/u/targets/${light}/${state}`);
    expect([answer.status, answer.json()]).toEqual([400, { message: 'no healthchecker found for u' }]);
  }
  expect(await set('127.0.0.1:83', 'healthy')).toBe(404);
});

test('a balancer is healthy while its healthy weight exceeds the threshold', async () => {
  await upstream({ ...checks, threshold: 25 });
  expect(await set(light, 'unhealthy')).toBe(204);
  expect(await health('?balancer_health=1')).toMatchObject({
    health: 'HEALTHY',
    details: { healthy: true, weight: { total: 40, available: 30, unavailable: 10 } },
  });
  expect(await set(light, 'healthy')).toBe(204);
  expect(await set(heavy, 'unhealthy')).toBe(204);
  expect(await health('?balancer_health=1')).toMatchObject({
    health: 'UNHEALTHY',
    balancer_health: 'UNHEALTHY',
    details: {
      healthy: false,
      weight: { total: 40, available: 10, unavailable: 30 },
      hosts: expect.arrayContaining([
        expect.objectContaining({ port: 82, addresses: [expect.objectContaining({ health: 'UNHEALTHY' })] }),
      ]),
    },
  });
});
