import type { Consumer } from '../entities/consumers.ts';
import type { TrafficMetrics } from '../metrics.ts';
import type { Exchange } from '../proxy/exchange.ts';
import type { Reply } from '../proxy/replies.ts';
import type { ResponseHead } from '../proxy/response-head.ts';
import type { Credential } from '../runtime/identities.ts';
import type { EntityCheck, Field, RecordField, Value } from '../schema/field.ts';
import type { RateCounters } from './rate-counters.ts';
import type { VerifiedTokens } from './verified-tokens.ts';

/** A prepared plugin: one configuration in one place, ready to work on requests. */
export interface Handlers {
  /** Before the request goes upstream; a reply ends it here. The plugins after it wait for a promise. */
  readonly access?: (exchange: Exchange) => Reply | undefined | Promise<Reply | undefined>;
  /** When the head of the answer is known, the gateway's own answers too. */
  readonly headers?: (exchange: Exchange, head: ResponseHead) => void;
  /** After the last byte. */
  readonly log?: (exchange: Exchange) => void;
}

/** What a configuration is attached to. */
export interface Scope {
  readonly routeId: string | null;
  readonly serviceId: string | null;
}

/** What plugins share with the rest of the gateway. */
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
  /** The protocols of its rows where they are others than those of HTTP. */
  readonly protocols?: Field;
  /** It runs before the consumer is known, so it can't be attached to one. */
  readonly noConsumer?: true;
  /** Done at each change of the configuration, so that requests find everything parsed. */
  readonly prepare: (config: Value<C>, services: PluginServices, scope: Scope) => Handlers;
}

/** Declares a plugin with the type of its configuration, and hides that type from those who only run it. */
export function definePlugin<const C extends RecordField>(plugin: Plugin<C>): Plugin {
  return { ...plugin, prepare: (config, services, scope) => plugin.prepare(config as Value<C>, services, scope) };
}
