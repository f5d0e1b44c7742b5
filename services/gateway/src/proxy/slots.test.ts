import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eventually, testGateway, testUpstream } from '../testing/harness.ts';
import { useClosing } from '../testing/setup.ts';
import { type Slot, Slots } from './slots.ts';

const closeLater = useClosing();

describe('slots', () => {
  let outcomes: string[];
  let slots: Slots;
  const take = (name: string, key = name, patienceMs = 1000): Slot =>
    slots.take(
      key,
      patienceMs,
      () => outcomes.push(name),
      (why) => outcomes.push(`${name} ${why}`),
    );

  beforeEach(() => {
    jest.useFakeTimers();
    outcomes = [];
    slots = new Slots(4);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('are granted in order of arrival, at most half of them to one service', () => {
    const first = take('a1', 'a');
    take('a2', 'a');
    take('a3', 'a');
    take('b1', 'b');
    expect(outcomes).toEqual(['a1', 'a2', 'b1']);
    first.release();
    first.release();
    expect(outcomes).toEqual(['a1', 'a2', 'b1', 'a3']);
    take('a4', 'a');
    expect(outcomes).toHaveLength(4);
  });

  test('are never more than there are, for all services together', () => {
    take('a1', 'a');
    const second = take('a2', 'a');
    take('b1', 'b');
    take('b2', 'b');
    take('c1', 'c');
    expect(outcomes).toEqual(['a1', 'a2', 'b1', 'b2']);
    second.release();
    expect(outcomes.slice(4)).toEqual(['c1']);
  });

  test('are refused if none becomes free in time, and immediately if too many requests wait', () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']) take(name, 'a');
    expect(outcomes).toEqual(['a1', 'a2', 'a7 full']);
    jest.advanceTimersByTime(1000);
    expect(outcomes.slice(3)).toEqual(['a3 late', 'a4 late', 'a5 late', 'a6 late']);
  });

  test('are not reserved for requests that have left the queue', () => {
    const first = take('a1', 'a');
    take('a2', 'a');
    take('a3', 'a').release();
    take('a4', 'a');
    first.release();
    jest.advanceTimersByTime(5000);
    expect(outcomes).toEqual(['a1', 'a2', 'a4']);
  });
});

test('requests above the limit wait, or are refused if too many wait, without affecting other services', async () => {
  const gateway = await testGateway({ upstreamRequests: 4 });
  const hung: (() => void)[] = [];
  const slow = await testUpstream((_request, response) => hung.push(() => response.end('late')));
  const quick = await testUpstream();
  for (const each of [gateway, slow, quick]) closeLater(each.stop);
  const service = { host: '127.0.0.1', connect_timeout: 60_000, retries: 0 };
  await gateway.make('PUT', '/services/slow', { ...service, port: slow.port });
  await gateway.make('PUT', '/services/quick', { ...service, port: quick.port });
  for (const name of ['slow', 'quick'])
    await gateway.make('PUT', `/routes/${name}`, { paths: [`/${name}`], service: { name } });
  let refusals = 0;
  const answers = Array.from({ length: 7 }, async () => {
    const answer = await gateway.get('/slow', { headers: { accept: 'application/json' } });
    if (answer.status !== 200) refusals += 1;
    if (refusals === 1) for (const answerLate of hung.splice(0)) answerLate();
    return answer;
  });
  slow.server.on('request', () => {
    if (refusals > 0) for (const answerLate of hung.splice(0)) answerLate();
  });
  const [refused] = (await Promise.all(answers)).filter(({ status }) => status !== 200);
  expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 503]);
  expect(refused?.json()).toMatchObject({ message: 'Too many requests wait for this service' });
  expect(refused?.headers['retry-after']).toBe('1');
  expect((await gateway.get('/quick')).status).toBe(200);
});

test('a request that gets no slot in time is answered as if the service had not connected', async () => {
  const gateway = await testGateway({ upstreamRequests: 2 });
  const hung = await testUpstream(() => undefined);
  for (const each of [gateway, hung]) closeLater(each.stop);
  await gateway.make('PUT', '/services/s', {
    host: '127.0.0.1',
    port: hung.port,
    connect_timeout: 50,
    read_timeout: 2000,
    retries: 0,
  });
  await gateway.make('PUT', '/routes/r', { paths: ['/'], service: { name: 's' } });
  const statuses = await Promise.all([gateway.get('/'), gateway.get('/')]);
  expect(statuses.map(({ status }) => status)).toEqual([504, 504]);
  expect(hung.requests).toHaveLength(1);
});

test('a WebSocket takes a slot until it ends', async () => {
  const gateway = await testGateway({ upstreamRequests: 2 });
  const upstream = await testUpstream();
  for (const each of [gateway, upstream]) closeLater(each.stop);
  upstream.server.on('upgrade', (_request, socket) => {
    socket.on('error', () => undefined).on('end', () => socket.end());
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  const service = { host: '127.0.0.1', port: upstream.port, connect_timeout: 50, retries: 0 };
  await gateway.make('PUT', '/services/s', service);
  await gateway.make('PUT', '/routes/r', { paths: ['/'], service: { name: 's' } });
  const socket = connect(gateway.proxy, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  const [head] = await once(socket, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 101 /);
  expect((await gateway.get('/')).status).toBe(504);
  socket.destroy();
  await eventually(
    async () => (await gateway.get('/')).status,
    (status) => status === 200,
  );
});
