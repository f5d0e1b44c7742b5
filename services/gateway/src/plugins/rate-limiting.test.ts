import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestGateway, type TestUpstream, testGateway, testUpstream } from '../testing/harness.ts';
import { RateCounters, windowStart } from './rate-counters.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
let path: string;
let number = 0;

beforeAll(async () => {
  gateway = await testGateway();
  upstream = await testUpstream();
  await gateway.make('PUT', '/services/hms', { url: `http://127.0.0.1:${upstream.port}` });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

/** A new route, so that no counter is shared. */
beforeEach(async () => {
  number += 1;
  path = `/r${number}`;
  await gateway.make('PUT', `/routes/r${number}`, { paths: [`${path}/`], service: { name: 'hms' } });
});

const limit = (config: object) => gateway.make('POST', `/routes/r${number}/plugins`, { name: 'rate-limiting', config });
const ask = (headers: Record<string, string> = {}) => gateway.get(`${path}/x`, { headers });

test('counts down and then refuses', async () => {
  await limit({ year: 3, limit_by: 'ip' });
  const first = await ask();
  expect(first.headers).toMatchObject({
    'x-ratelimit-limit-year': '3',
    'x-ratelimit-remaining-year': '2',
    'ratelimit-limit': '3',
    'ratelimit-remaining': '2',
  });
  expect(first.headers['retry-after']).toBeUndefined();
  expect((await ask()).headers['x-ratelimit-remaining-year']).toBe('1');
  expect((await ask()).headers['x-ratelimit-remaining-year']).toBe('0');
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(refused.json()).toEqual({
    message: 'API rate limit exceeded',
    request_id: refused.headers['x-kong-request-id'],
  });
  expect(refused.headers['x-ratelimit-remaining-year']).toBe('0');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset']);
});

test('a refused request does not change the other windows', async () => {
  await limit({ month: 1, year: 5, limit_by: 'ip' });
  expect((await ask()).headers).toMatchObject({
    'x-ratelimit-remaining-month': '0',
    'x-ratelimit-remaining-year': '4',
  });
  expect((await ask()).headers).toMatchObject({
    'x-ratelimit-remaining-month': '0',
    'x-ratelimit-remaining-year': '4',
  });
});

test('counts parallel requests exactly', async () => {
  await limit({ year: 10, limit_by: 'ip' });
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask()));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(50);
});

test('by header, or by address if the header is missing', async () => {
  await limit({ year: 1, limit_by: 'header', header_name: 'Authorization' });
  const statuses: number[] = [];
  for (const headers of [{ authorization: 'a' }, { authorization: 'a' }, { authorization: 'b' }, {}, {}]) {
    statuses.push((await ask(headers as Record<string, string>)).status);
  }
  expect(statuses).toEqual([200, 429, 200, 200, 429]);
});

test('by service, shared by its routes, or by route, each with its own count', async () => {
  await gateway.make('PUT', '/routes/second', { paths: ['/second'], service: { name: 'hms' } });
  const plugin = await gateway.make('POST', '/services/hms/plugins', {
    name: 'rate-limiting',
    config: { year: 1, limit_by: 'ip' },
  });
  expect((await ask()).status).toBe(200);
  expect((await gateway.get('/second')).status).toBe(429);
  await gateway.make('DELETE', `/plugins/${plugin.id}`);
  expect((await gateway.get('/second')).status).toBe(200);
});

test('answers with a configured code and message, without headers', async () => {
  await limit({ year: 1, limit_by: 'ip', error_code: 503, error_message: 'Enough', hide_client_headers: true });
  const first = await ask();
  expect(first.headers['x-ratelimit-limit-year']).toBeUndefined();
  const refused = await ask();
  expect([refused.status, refused.json()]).toMatchObject([503, { message: 'Enough' }]);
});

test('a limit by header needs the header’s name', async () => {
  const answer = await gateway.admin('POST', '/plugins', {
    name: 'rate-limiting',
    config: { minute: 1, limit_by: 'header' },
  });
  expect([answer.status, answer.json()]).toMatchObject([
    400,
    { fields: { config: { header_name: 'required field missing' } } },
  ]);
});

describe('windows', () => {
  const at = Date.UTC(2026, 1, 17, 13, 45, 59, 500);

  test.each([
    ['second', Date.UTC(2026, 1, 17, 13, 45, 59)],
    ['minute', Date.UTC(2026, 1, 17, 13, 45)],
    ['hour', Date.UTC(2026, 1, 17, 13)],
    ['day', Date.UTC(2026, 1, 17)],
    ['month', Date.UTC(2026, 1)],
    ['year', Date.UTC(2026, 0)],
  ] as const)('of a %s follow the calendar', (period, start) => {
    expect(windowStart(period, at)).toBe(start);
  });

  test('restart', () => {
    const counters = new RateCounters();
    const first = counters.window('a', 'minute', at);
    first.count += 1;
    expect(counters.window('a', 'minute', at)).toBe(first);
    expect(counters.window('a', 'hour', at).count).toBe(0);
    expect(counters.window('b', 'minute', at).count).toBe(0);
    expect(counters.window('a', 'minute', at + 500).count).toBe(0);
  });

  test('that have expired are dropped, and those of longer periods stay', () => {
    const counters = new RateCounters();
    for (const period of ['minute', 'year'] as const) counters.window('a', period, at).count += 1;
    counters.window('b', 'minute', at + 120_000);
    expect(counters.size).toBe(2);
    expect(counters.window('a', 'year', at + 120_000).count).toBe(1);
  });
});
