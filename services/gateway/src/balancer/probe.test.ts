import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { expect, test } from '@jest/globals';
import { type Upstream, upstreams } from '../entities/upstreams.ts';
import { complete } from '../store/complete.ts';
import { testUpstream } from '../testing/harness.ts';
import { useClosing } from '../testing/setup.ts';
import { probe } from './probe.ts';

const closeLater = useClosing();

function check(type: 'http' | 'https'): Upstream['healthchecks']['active'] {
  const upstream = { id: randomUUID(), name: 'u', healthchecks: { active: { type } } };
  return (complete(upstreams, upstream, undefined) as unknown as Upstream).healthchecks.active;
}

test.each(['http', 'https'] as const)('%s leaves no listener on the signal', async (type) => {
  const { port, stop } = await testUpstream();
  closeLater(stop);
  const { signal } = new AbortController();
  const results = await Promise.all([port, 1].map((to) => probe('127.0.0.1', to, 'a', check(type), signal)));
  expect(results).toEqual([{ http: 200, https: 'tcp_failure' }[type], 'tcp_failure']);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('ends immediately when the target is deleted', async () => {
  const { port, stop } = await testUpstream(() => undefined);
  closeLater(stop);
  const controller = new AbortController();
  const probing = probe('127.0.0.1', port, 'a', check('http'), controller.signal);
  controller.abort();
  expect(await probing).toBe('tcp_failure');
});
