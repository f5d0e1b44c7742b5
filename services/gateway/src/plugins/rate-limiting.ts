import { headerName, port } from '../entities/common.ts';
import type { Exchange } from '../proxy/exchange.ts';
import { refuse } from '../proxy/replies.ts';
import type { Row } from '../schema/field.ts';
import { definePlugin } from './plugin.ts';
import { type Counter, counterKey, PERIODS, type Period, SECONDS } from './rate-counters.ts';

/** The names of the fields of `redis` before Kong 3.6. */
const formerField = <T extends 'string' | 'integer' | 'boolean'>(type: T, name: string) => {
  const message = `rate-limiting: config.redis_${name} is deprecated, please use config.redis.${name} instead`;
  const deprecation = { message, removal_in_version: '4.0', replaced_with: [{ path: ['redis', name] }] };
  return { type, standsFor: `redis.${name}`, deprecation } as const;
};

const limit = { type: 'number', gt: 0 } as const;

const fields = {
  second: limit,
  minute: limit,
  hour: limit,
  day: limit,
  month: limit,
  year: limit,
  limit_by: {
    type: 'string',
    required: true,
    default: 'consumer',
    oneOf: ['consumer', 'credential', 'ip', 'service', 'header', 'path', 'consumer-group'],
  },
  header_name: headerName,
  path: { type: 'string', startsWith: '/' },
  policy: {
    type: 'string',
    required: true,
    default: 'local',
    oneOf: ['local', 'cluster', 'redis'],
    check: policyError,
  },
  fault_tolerant: { type: 'boolean', required: true, default: true },
  redis: {
    type: 'record',
    required: true,
    fields: {
      host: { type: 'string' },
      port: { ...port, default: 6379 },
      timeout: { type: 'integer', default: 2000, between: [0, 2 ** 31 - 2] },
      username: { type: 'string' },
      password: { type: 'string', lenMin: 0 },
      database: { type: 'integer', default: 0 },
      ssl: { type: 'boolean', default: false },
      ssl_verify: { type: 'boolean', default: false },
      server_name: { type: 'string' },
    },
  },
  hide_client_headers: { type: 'boolean', required: true, default: false },
  error_code: { type: 'number', required: true, default: 429, gt: 0 },
  error_message: { type: 'string', required: true, default: 'API rate limit exceeded' },
  sync_rate: { type: 'number', required: true, default: -1 },
  redis_host: formerField('string', 'host'),
  redis_port: formerField('integer', 'port'),
  redis_password: { ...formerField('string', 'password'), lenMin: 0 },
  redis_username: formerField('string', 'username'),
  redis_ssl: formerField('boolean', 'ssl'),
  redis_ssl_verify: formerField('boolean', 'ssl_verify'),
  redis_server_name: formerField('string', 'server_name'),
  redis_timeout: formerField('integer', 'timeout'),
  redis_database: formerField('integer', 'database'),
} as const;

type Config = Row<typeof fields>;

const needed = (on: string, value: string, field: string) => ({
  ifField: on,
  ifMatch: (given: unknown) => given === value,
  thenField: field,
  thenMatch: (given: unknown) => (given === null || given === undefined ? 'required field missing' : undefined),
});

/** Limits the requests per period. Each gateway process counts its own requests in memory, and exactly. */
export const rateLimiting = definePlugin({
  name: 'rate-limiting',
  priority: 910,
  config: { type: 'record', required: true, fields, check: periodsError },
  checks: [
    { atLeastOneOf: PERIODS.map((period) => `config.${period}`) },
    needed('config.policy', 'redis', 'config.redis.host'),
    needed('config.limit_by', 'header', 'config.header_name'),
    needed('config.limit_by', 'path', 'config.path'),
  ],
  prepare: (config, { counters, now }, { routeId, serviceId }) => {
    const scope = `${routeId ?? '-'}:${serviceId ?? '-'}`;
    const limits = PERIODS.flatMap((period) => limitOf(period, config[period]));
    const lowerHeader = config.header_name?.toLowerCase();
    return {
      access: (exchange) => {
        const at = now();
        const key = `${scope}:${counterKey(identify(config, lowerHeader, exchange))}`;
        const windows = limits.map((limit) => {
          const counter = counters.window(key, limit.period, at);
          return { limit, counter, remaining: limit.allowed - counter.count };
        });
        const exhausted = windows.findLast(({ remaining }) => remaining <= 0);
        if (!exhausted) for (const { counter } of windows) counter.count += 1;
        for (const window of windows) {
          const counted = !exhausted || exhausted === window ? 1 : 0;
          window.remaining = Math.max(0, window.remaining - counted);
        }
        if (!config.hide_client_headers) exchange.rateHeaders = rateHeaders(windows, at, exhausted !== undefined);
        return exhausted && refuse(config.error_code, config.error_message);
      },
      headers: ({ rateHeaders: flat }, head) => {
        for (let index = 0; index < flat.length; index += 2) head.set(flat[index] as string, flat[index + 1] as string);
      },
    };
  },
});

interface Limit {
  readonly period: Period;
  readonly allowed: number;
  /** The names of its headers. */
  readonly names: { readonly limit: string; readonly remaining: string };
}

function limitOf(period: Period, allowed: number | null): Limit[] {
  if (allowed === null) return [];
  const title = TITLES[period];
  return [
    { period, allowed, names: { limit: `X-RateLimit-Limit-${title}`, remaining: `X-RateLimit-Remaining-${title}` } },
  ];
}

interface Window {
  readonly limit: Limit;
  readonly counter: Counter;
  remaining: number;
}

/** The headers of each window, and those of the tightest: the lowest remaining, or the longer of equals. */
function rateHeaders(windows: readonly Window[], now: number, blocked: boolean): string[] {
  const headers: string[] = [];
  let tightest: Window | undefined;
  for (const window of windows) {
    const { names, allowed } = window.limit;
    headers.push(names.limit, String(allowed), names.remaining, String(window.remaining));
    if (!tightest || window.remaining <= tightest.remaining) tightest = window;
  }
  if (!tightest) return headers;
  const { period, allowed } = tightest.limit;
  const passed = Math.floor((now - tightest.counter.windowStart) / 1000);
  const reset = String(Math.max(1, SECONDS[period] - passed));
  headers.push('RateLimit-Limit', String(allowed), 'RateLimit-Remaining', String(tightest.remaining));
  headers.push('RateLimit-Reset', reset);
  if (blocked) headers.push('Retry-After', reset);
  return headers;
}

/** Whom a request is counted for. Falls back to the client's address. */
function identify(config: Config, lowerHeader: string | undefined, exchange: Exchange): string {
  switch (config.limit_by) {
    case 'consumer':
      return exchange.consumer?.id ?? exchange.credential?.id ?? exchange.clientIp;
    case 'credential':
      return exchange.credential?.id ?? exchange.clientIp;
    case 'service':
      return exchange.service?.id ?? exchange.clientIp;
    case 'header':
      return (lowerHeader && exchange.requestHeader(lowerHeader)) || exchange.clientIp;
    case 'path':
      return exchange.path === config.path ? exchange.path : exchange.clientIp;
    default:
      return exchange.clientIp;
  }
}

/** Counting locally under another policy's name would admit more than configured. */
function policyError(policy: string): string | undefined {
  return policy === 'local'
    ? undefined
    : `'${policy}' is not available in this gateway, where each process counts for itself; write 'local'`;
}

function periodsError(config: Config): string | undefined {
  const set = PERIODS.filter((period) => typeof config[period] === 'number');
  for (const [index, shorter] of set.entries()) {
    const longer = set.slice(index + 1).find((period) => Number(config[period]) < Number(config[shorter]));
    if (longer) {
      return `The limit for ${longer}(${Number(config[longer]).toFixed(1)}) cannot be lower than the limit for ${shorter}(${Number(config[shorter]).toFixed(1)})`;
    }
  }
  return undefined;
}

const TITLES: Readonly<Record<Period, string>> = {
  second: 'Second',
  minute: 'Minute',
  hour: 'Hour',
  day: 'Day',
  month: 'Month',
  year: 'Year',
};
