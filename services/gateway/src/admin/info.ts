import { hostname } from 'node:os';
import { KONG_VERSION } from '../identity.ts';
import { plugins } from '../plugins/index.ts';
import type { ConnectionCounts } from '../proxy/listeners.ts';
import { badRequest } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import type { Answer } from './call.ts';

/** `GET /`: the gateway's version and settings. */
export function describeNode(store: Store, nodeId: string, dataDir: string): Answer {
  const available = Object.fromEntries(
    plugins.map(({ name, priority }) => [name, { version: KONG_VERSION, priority }]),
  );
  return {
    status: 200,
    body: {
      version: KONG_VERSION,
      edition: 'community',
      tagline: 'Welcome to kong',
      hostname: hostname(),
      node_id: nodeId,
      lua_version: 'none',
      pids: { master: process.pid, workers: [process.pid] },
      timers: { running: 0, pending: 0 },
      plugins: {
        available_on_server: available,
        enabled_in_cluster: [...new Set(store.all('plugins').map(({ name }) => name))].sort(),
      },
      configuration: {
        database: 'postgres',
        role: 'traditional',
        router_flavor: 'traditional_compatible',
        prefix: dataDir,
      },
    },
  };
}

/** `GET /status`: memory, connections, whether the database is reachable. */
export function describeStatus(
  counts: readonly ConnectionCounts[],
  databaseReachable: boolean,
  query: URLSearchParams,
): Answer {
  const unit = (query.get('unit') ?? 'm').toLowerCase();
  const scale = Number(query.get('scale') ?? 2);
  const divisor = Object.hasOwn(UNITS, unit) ? UNITS[unit as keyof typeof UNITS] : undefined;
  if (divisor === undefined) throw badRequest(`invalid unit '${unit}' (expected 'b', 'k', 'm' or 'g')`);
  if (!Number.isInteger(scale) || scale < 0 || scale > 20)
    throw badRequest(`invalid scale '${query.get('scale')}' (expected an integer from 0 to 20)`);
  const size = (bytes: number) =>
    unit === 'b' ? bytes : `${(bytes / divisor).toFixed(scale)} ${unit.toUpperCase()}iB`;
  const memory = process.memoryUsage();
  const sum = (part: keyof ConnectionCounts) => counts.reduce((total, count) => total + count[part], 0);
  return {
    status: 200,
    body: {
      memory: {
        lua_shared_dicts: {},
        workers_lua_vms: [{ pid: process.pid, http_allocated_gc: size(memory.heapUsed) }],
      },
      server: {
        connections_accepted: sum('accepted'),
        connections_active: sum('active'),
        connections_handled: sum('accepted'),
        connections_reading: 0,
        connections_waiting: 0,
        connections_writing: sum('active'),
        total_requests: sum('requests'),
      },
      database: { reachable: databaseReachable },
    },
  };
}

/** `GET /status/ready`: whether the gateway takes requests. It does while its database is unavailable. */
export function describeReadiness(draining: boolean): Answer {
  return draining
    ? { status: 503, body: { message: 'the gateway is stopping' } }
    : { status: 200, body: { message: 'ready' } };
}

export function enabledPlugins(): Answer {
  return { status: 200, body: { enabled_plugins: plugins.map(({ name }) => name).sort() } };
}

const UNITS = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };
