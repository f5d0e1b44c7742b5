import { compile } from '../proxy/patterns.ts';
import type { ResponseHead } from '../proxy/response-head.ts';
import { definePlugin } from './plugin.ts';

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'] as const;

/** The allowed origin to answer a request's Origin with, or `undefined` if it is not allowed. */
type AllowOrigin = (origin: string | undefined) => string | undefined;

/** Answers preflight requests and tells browsers which pages may read the responses. */
export const cors = definePlugin({
  name: 'cors',
  priority: 2000,
  noConsumer: true,
  config: {
    type: 'record',
    required: true,
    fields: {
      origins: { type: 'array', elements: { type: 'string', check: originError } },
      headers: { type: 'array', elements: { type: 'string' } },
      exposed_headers: { type: 'array', elements: { type: 'string' } },
      methods: { type: 'array', default: METHODS, elements: { type: 'string', oneOf: METHODS } },
      max_age: { type: 'number' },
      credentials: { type: 'boolean', required: true, default: false },
      private_network: { type: 'boolean', required: true, default: false },
      preflight_continue: { type: 'boolean', required: true, default: false },
    },
  },
  prepare: (config) => {
    const allowOrigin = prepareOrigins(config.origins ?? []);
    const methods = (config.methods ?? METHODS).join(',');
    const setOrigin = (head: ResponseHead, origin: string | undefined) => {
      const allowed = allowOrigin(origin);
      if (allowed !== '*') {
        head.append('vary', 'Origin');
        if (allowed === undefined) head.remove('Access-Control-Allow-Origin');
        else head.set('Access-Control-Allow-Origin', allowed);
        if (config.credentials) head.set('Access-Control-Allow-Credentials', 'true');
        return;
      }
      head.set('Access-Control-Allow-Origin', '*');
      if (!config.credentials || origin === undefined) return;
      // Browsers refuse `*` together with credentials (Fetch, CORS protocol).
      head.append('vary', 'Origin');
      head.set('Access-Control-Allow-Origin', origin);
      head.set('Access-Control-Allow-Credentials', 'true');
    };
    return {
      access: (exchange) => {
        const origin = exchange.requestHeader('origin');
        const requestedMethod = exchange.requestHeader('access-control-request-method');
        if (exchange.method !== 'OPTIONS' || origin === undefined || requestedMethod === undefined) return undefined;
        exchange.isPreflight = true;
        if (config.preflight_continue) return undefined;
        const requestedHeaders = exchange.requestHeader('access-control-request-headers');
        const allowedHeaders = config.headers?.length ? config.headers.join(',') : requestedHeaders;
        return {
          status: 200,
          body: '',
          decorate: (head) => {
            setOrigin(head, origin);
            if (allowedHeaders !== undefined) head.set('Access-Control-Allow-Headers', allowedHeaders);
            head.set('Access-Control-Allow-Methods', methods);
            if (config.max_age !== null) head.set('Access-Control-Max-Age', String(config.max_age));
            if (config.private_network && exchange.requestHeader('access-control-request-private-network') === 'true') {
              head.set('Access-Control-Allow-Private-Network', 'true');
            }
          },
        };
      },
      headers: (exchange, head) => {
        if (exchange.isPreflight) return;
        const origin = exchange.requestHeader('origin');
        setOrigin(head, origin);
        if (config.exposed_headers?.length) {
          head.set('Access-Control-Expose-Headers', config.exposed_headers.join(','));
        }
      },
    };
  },
});

function prepareOrigins(origins: readonly string[]): AllowOrigin {
  const [only] = origins;
  if (only === undefined || (origins.length === 1 && only === '*')) return () => '*';
  if (origins.length === 1 && PLAIN.test(only)) return () => only;
  const matchers = origins.map(prepareOrigin);
  return (text) => {
    if (text === undefined) return undefined;
    const origin = normalizeOrigin(text);
    const match = matchers.find((matches) => matches(origin));
    return match === everyone ? '*' : match && origin.full;
  };
}

interface Origin {
  readonly full: string;
  readonly host: string;
}

const everyone = () => true;

function prepareOrigin(entry: string): (origin: Origin) => boolean {
  if (entry === '*') return everyone;
  if (PLAIN.test(entry)) {
    const { full } = normalizeOrigin(entry);
    return (origin) => origin.full === full;
  }
  const { pattern } = compile(`${entry.replace(/^\^/, '')}${entry.endsWith('$') ? '' : '$'}`, true);
  // An entry without a scheme matches hosts.
  const part = entry.includes(':') ? 'full' : 'host';
  return (origin) => pattern?.test(origin[part]) ?? false;
}

/** Omits the scheme's default port. */
function normalizeOrigin(text: string): Origin {
  const match = /^(\w[\w+.-]*):\/\/([^/:?#]+)(?::(\d+))?/.exec(text);
  if (!match) return { full: text, host: text };
  const [, scheme = '', host = '', port] = match;
  const isDefaultPort = (scheme === 'http' && port === '80') || (scheme === 'https' && port === '443');
  return { full: `${scheme}://${host}${port === undefined || isDefaultPort ? '' : `:${port}`}`, host };
}

function originError(entry: string): string | undefined {
  if (entry === '*' || PLAIN.test(entry)) return undefined;
  const { error } = compile(entry);
  return error === undefined ? undefined : `invalid regex '${entry}': ${error}`;
}

/** An origin that is not a regular expression. */
const PLAIN = /^[A-Za-z0-9.:/-]+$/;
