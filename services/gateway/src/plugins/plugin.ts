import type { Consumer } from '../entities/consumers.ts';
import type { TrafficMetrics } from '../metrics.ts';
import type { Exchange } from '../proxy/exchange.ts';
import type { Reply } from '../proxy/replies.ts';
import type { ResponseHead } from '../proxy/response-head.ts';
import type { Credential } from '../runtime/identities.ts';
import type { EntityCheck, Field, RecordField, Value } from '../schema/field.ts';
import type { RateCounters } from './rate-counters.ts';
import type { VerifiedTokens } from './verified-tokens.ts';

/** A prepared plugin: one configuration in one scope, ready to handle requests. */
export interface Handlers {
  /** Before the request goes upstream. A reply ends it here. Later plugins wait for a returned promise. */
  readonly access?: (exchange: Exchange) => Reply | undefined | Promise<Reply | undefined>;
  /** When the head of the response is known, including the gateway's own responses. */
  readonly headers?: (exchange: Exchange, head: ResponseHead) => void;
  /** After the last byte. */
  readonly log?: (exchange: Exchange) => void;
}

/** What a configuration is attached to. */
export interface Scope {
  readonly routeId: string | null;
  readonly serviceId: string | null;
}

/** What the gateway provides to plugins. */
export interface PluginServices {
  readonly now: () => number;
  readonly counters: RateCounters;
  readonly verifiedTokens: VerifiedTokens;
  readonly nodeId: string;
  readonly metrics: TrafficMetrics;
  readonly credential: (key: string) => Credential | undefined;
  readonly consumer: (idOrUsername: string) => { consumer: Consumer; groups: readonly string[] } | undefined;
  readonly groupsOf: (consumerId: string) => readonly string[];
}

export interface Plugin<C extends RecordField = RecordField> {
  readonly name: string;
  /** The higher runs first. */
  readonly priority: number;
  readonly config: C;
  readonly checks?: readonly EntityCheck[];
  /** The protocols of its rows if they are not those of HTTP. */
  readonly protocols?: Field;
  /** It runs before the consumer is known, so it can't be attached to a consumer. */
  readonly noConsumer?: true;
  /** Runs at each change of the configuration, so that requests find everything parsed. */
  readonly prepare: (config: Value<C>, services: PluginServices, scope: Scope) => Handlers;
}

/** Declares a plugin with the type of its configuration, and hides that type from its callers. */
export function definePlugin<const C extends RecordField>(plugin: Plugin<C>): Plugin {
  return { ...plugin, prepare: (config, services, scope) => plugin.prepare(config as Value<C>, services, scope) };
}
