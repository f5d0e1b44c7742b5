import { isIP } from 'node:net';
import type { Target } from '../entities/upstreams.ts';
import type { TargetHealth } from '../metrics.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { notFound } from '../store/errors.ts';
import type { Stored } from '../store/journal.ts';
import type { Store } from '../store/store.ts';
import { type Answer, childrenOf, findChild, requireParent } from './entities.ts';

/** `GET /upstreams/{u}/health`: each target with how it stands. */
export function upstreamHealth(
  store: Store,
  runtime: Runtime,
  nodeId: string,
  key: string,
  query: URLSearchParams,
): Answer {
  const upstream = requireParent(store, { kind: 'upstreams', key });
  const balancer = runtime.balancer(upstream.id);
  const targets = childrenOf(store, 'targets', 'upstream', upstream.id) as unknown as Target[];
  const states = targets.map((target) => ({ target, health: balancer?.state(target.target) ?? 'HEALTHCHECKS_OFF' }));
  if (query.get('balancer_health') === '1') {
    const available = states.filter(({ target, health }) => target.weight > 0 && health !== 'UNHEALTHY').length;
    const health = available > 0 ? 'HEALTHY' : 'UNHEALTHY';
    return {
      status: 200,
      body: {
        data: { health, balancer_health: health, id: upstream.id, details: detail(states) },
        next: null,
        node_id: nodeId,
      },
    };
  }
  const data = states.map(({ target, health }) => ({ ...target, health, data: addresses(target, health) }));
  return { status: 200, body: { data, next: null, node_id: nodeId } };
}

/** `PUT /upstreams/{u}/targets/{t}/healthy` and its opposite. */
export function setTargetHealth(
  store: Store,
  runtime: Runtime,
  upstreamKey: string,
  targetKey: string,
  healthy: boolean,
): Answer {
  const parent = { kind: 'upstreams', key: upstreamKey } as const;
  const upstream = requireParent(store, parent);
  const place = { type: 'child', kind: 'targets', field: 'upstream', parent, key: targetKey } as const;
  const target = findChild(store, place, upstream.id);
  if (!target || !runtime.balancer(upstream.id)?.setState(String(target.target), healthy)) throw notFound();
  return { status: 204 };
}

/** All targets for `/metrics`. */
export function allTargetHealth(store: Store, runtime: Runtime): TargetHealth[] {
  return store.all('upstreams').flatMap((upstream) =>
    store.childrenOf('targets', 'upstream', upstream.id).map(({ target }) => ({
      upstream: upstream.name,
      target,
      address: target,
      state: STATES[runtime.balancer(upstream.id)?.state(target) ?? 'HEALTHCHECKS_OFF'],
    })),
  );
}

type Health = 'HEALTHY' | 'UNHEALTHY' | 'HEALTHCHECKS_OFF';

const STATES = { HEALTHY: 'healthy', UNHEALTHY: 'unhealthy', HEALTHCHECKS_OFF: 'healthchecks_off' } as const;

function addresses({ target, weight }: Target, health: Health): object {
  const colon = target.lastIndexOf(':');
  const host = target.slice(0, colon);
  const port = Number(target.slice(colon + 1));
  const available = health === 'UNHEALTHY' ? 0 : weight;
  return {
    host,
    port,
    dns: isIP(host.replace(/^\[|\]$/g, '')) === 0 ? 'A' : 'ip',
    nodeWeight: weight,
    weight: { total: weight, available, unavailable: weight - available },
    addresses: [{ ip: host, port, weight, health: health === 'HEALTHCHECKS_OFF' ? 'HEALTHY' : health }],
  };
}

function detail(states: readonly { target: Target; health: Health }[]): object {
  return { hosts: states.map(({ target, health }) => addresses(target, health)) } satisfies {
    hosts: object[];
  } & Partial<Stored>;
}
