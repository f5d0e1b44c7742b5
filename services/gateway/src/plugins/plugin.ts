import type { KeyObject } from 'node:crypto';
import type { Consumer } from '../entities/consumers.ts';
import type { TrafficMetrics } from '../metrics.ts';
import type { Handlers } from '../proxy/exchange.ts';
import type { EntityCheck, Field, RecordField, Value } from '../schema/field.ts';
import type { RateCounters } from './rate-counters.ts';
import type { VerifiedTokens } from './verified-tokens.ts';

/** What a configuration is attached to. */
interface Scope {
  readonly routeId: string | null;
  readonly serviceId: string | null;
}

/** A jwt credential with its key parsed. */
export interface Credential {
  readonly id: string;
  /** The credential's key: the token's issuer. */
  readonly name: string;
  readonly algorithm: string;
  readonly key: KeyObject | undefined;
  /** As `key`, where secrets are kept in base64. */
  readonly decodedKey: KeyObject | undefined;
  readonly consumer: Consumer | undefined;
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
