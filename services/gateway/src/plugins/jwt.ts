import type { Exchange } from '../proxy/exchange.ts';
import { exit, type Reply } from '../proxy/replies.ts';
import type { Row } from '../schema/field.ts';
import { type Credential, definePlugin, type PluginServices } from './plugin.ts';
import { decodeToken, type Token, verifySignature } from './tokens.ts';

const names = { type: 'array', elements: { type: 'string' } } as const;

const fields = {
  uri_param_names: { ...names, default: ['jwt'] },
  cookie_names: { ...names, default: [] },
  key_claim_name: { type: 'string', required: true, default: 'iss' },
  secret_is_base64: { type: 'boolean', required: true, default: false },
  claims_to_verify: { type: 'set', elements: { type: 'string', oneOf: ['exp', 'nbf'] } },
  anonymous: { type: 'string' },
  run_on_preflight: { type: 'boolean', required: true, default: true },
  maximum_expiration: { type: 'number', required: true, default: 0, between: [0, 31_536_000] },
  header_names: { ...names, default: ['authorization'] },
  realm: { type: 'string' },
} as const;

type Config = Row<typeof fields>;

/** The outcome of a token: its credential, or why it is refused. */
type Outcome =
  | { readonly credential: Credential }
  | { readonly refusal: Readonly<Record<string, string>>; readonly challenge?: string };

/** Admits requests with a token that is signed by a known credential. */
export const jwt = definePlugin({
  name: 'jwt',
  priority: 1450,
  noConsumer: true,
  config: { type: 'record', required: true, fields },
  checks: [
    {
      ifField: 'config.maximum_expiration',
      ifMatch: (value) => typeof value === 'number' && value > 0,
      thenField: 'config.claims_to_verify',
      thenMatch: (claims) => (Array.isArray(claims) && claims.includes('exp') ? undefined : 'expected to contain: exp'),
    },
  ],
  prepare: (config, services) => {
    const realm = config.realm === null ? '' : ` realm="${config.realm}"`;
    const challenges = {
      missing: `Bearer${realm}`,
      invalid: `Bearer${realm} error="invalid_token"`,
    };
    return {
      access: (exchange) => {
        if (!config.run_on_preflight && exchange.method === 'OPTIONS') return undefined;
        if (config.anonymous !== null && exchange.credential) return undefined;
        const outcome = authenticate(config, exchange, services, challenges);
        if ('credential' in outcome) {
          identifyCaller(exchange, outcome.credential);
          return undefined;
        }
        if (config.anonymous !== null) return admitAnonymous(exchange, services.consumer(config.anonymous)?.consumer);
        const reply = exit(401, outcome.refusal);
        const { challenge } = outcome;
        return challenge === undefined
          ? reply
          : { ...reply, decorate: (head) => head.set('WWW-Authenticate', challenge) };
      },
    };
  },
});

function authenticate(
  config: Config,
  exchange: Exchange,
  { credential: findCredential, verifiedTokens: verified, now }: PluginServices,
  challenges: { missing: string; invalid: string },
): Outcome {
  const refuse = (message: string): Outcome => ({ refusal: { message }, challenge: challenges.invalid });
  const tokens = tokensOf(config, exchange);
  const [text] = tokens;
  if (text === undefined) return { refusal: { message: 'Unauthorized' }, challenge: challenges.missing };
  if (tokens.size > 1) return refuse('Multiple tokens provided');
  const cached = verified.find(text);
  const token = cached?.token ?? decodeToken(text);
  if (typeof token === 'string') return refuse(`Bad token; ${token}`);
  const claim = config.key_claim_name;
  const key = ownValue(token.claims, claim) ?? ownValue(token.header, claim);
  if (key === undefined || key === null || key === false) return refuse(`No mandatory '${claim}' in claims`);
  if (key === '') return refuse(`Invalid '${claim}' in claims`);
  const credential = typeof key === 'string' ? findCredential(key) : undefined;
  if (!credential) return refuse(`No credentials found for given '${claim}'`);
  if (token.algorithm !== credential.algorithm) return refuse('Invalid algorithm');
  const verificationKey = config.secret_is_base64 ? credential.decodedKey : credential.key;
  if (!verificationKey) return refuse('Invalid key/secret');
  if (cached?.key !== verificationKey) {
    if (!verifySignature(token, verificationKey)) return refuse('Invalid signature');
    verified.remember(text, token, verificationKey);
  }
  const wrongClaims = claimErrors(config, token, now() / 1000);
  if (wrongClaims) return { refusal: wrongClaims, challenge: challenges.invalid };
  if (!credential.consumer) return { refusal: { message: `Could not find consumer for '${claim}=${String(key)}'` } };
  return { credential };
}

/** All tokens of the request, without duplicates. */
function tokensOf(config: Config, exchange: Exchange): Set<string> {
  const tokens = new Set<string>();
  if (exchange.query !== '') {
    for (const name of config.uri_param_names ?? []) for (const value of exchange.queryValues(name)) tokens.add(value);
  }
  for (const name of config.cookie_names ?? []) {
    const value = exchange.cookie(name);
    if (value) tokens.add(value);
  }
  for (const name of config.header_names ?? []) {
    const match = /[Bb]earer\s+(.+)/.exec(exchange.requestHeader(name.toLowerCase()) ?? '');
    if (match?.[1]) tokens.add(match[1]);
  }
  return tokens;
}

/** The map of claim errors is itself the body of the refusal. There is no leeway. */
function claimErrors(config: Config, { claims }: Token, now: number): Record<string, string> | undefined {
  const errors: Record<string, string> = {};
  for (const name of config.claims_to_verify ?? []) {
    const value = ownValue(claims, name);
    if (typeof value !== 'number') errors[name] = 'must be a number';
    else if (name === 'exp' && value <= now) errors[name] = 'token expired';
    else if (name === 'nbf' && value > now) errors[name] = 'token not valid yet';
  }
  if (Object.keys(errors).length > 0) return errors;
  if (config.maximum_expiration === 0) return undefined;
  return Number(ownValue(claims, 'exp')) - now > config.maximum_expiration
    ? { exp: 'exceeds maximum allowed expiration' }
    : undefined;
}

function identifyCaller(exchange: Exchange, { consumer, id, name }: Credential): void {
  if (!consumer) return;
  exchange.consumer = consumer;
  exchange.credential = { id };
  exchange.setRequestHeader('X-Consumer-ID', consumer.id);
  exchange.setRequestHeader('X-Consumer-Custom-ID', consumer.custom_id ?? undefined);
  exchange.setRequestHeader('X-Consumer-Username', consumer.username ?? undefined);
  exchange.setRequestHeader('X-Credential-Identifier', name);
  exchange.setRequestHeader('X-Anonymous-Consumer', undefined);
}

function admitAnonymous(exchange: Exchange, consumer: Credential['consumer']): Reply | undefined {
  if (!consumer) return exit(500, { message: 'An unexpected error occurred' });
  exchange.consumer = consumer;
  exchange.setRequestHeader('X-Consumer-ID', consumer.id);
  exchange.setRequestHeader('X-Consumer-Custom-ID', consumer.custom_id ?? undefined);
  exchange.setRequestHeader('X-Consumer-Username', consumer.username ?? undefined);
  exchange.setRequestHeader('X-Credential-Identifier', undefined);
  exchange.setRequestHeader('X-Anonymous-Consumer', 'true');
  return undefined;
}

function ownValue(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}
