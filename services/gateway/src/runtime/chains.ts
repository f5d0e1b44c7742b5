import type { PluginRow } from '../entities/plugins.ts';
import { plugins } from '../plugins/index.ts';
import type { Plugin, PluginServices } from '../plugins/plugin.ts';
import type { ChainLink, Handlers } from '../proxy/exchange.ts';

/**
 * Determines which configuration of each plugin applies where. The first that exists wins: route with service and
 * consumer, route with consumer, service with consumer, route with service, consumer, route, service, everything.
 */
export class ChainBuilder {
  readonly #byScope = new Map<string, Handlers>();
  /** By plugin, the ids of consumers that have a configuration of their own, with their scopes. */
  readonly #consumers = new Map<string, Map<string, Handlers>>();
  readonly #used: readonly Plugin[];

  constructor(rows: readonly PluginRow[], services: PluginServices) {
    const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]));
    const used = new Set<Plugin>();
    for (const row of rows) {
      const plugin = byName.get(row.name);
      if (!plugin || !row.enabled) continue;
      used.add(plugin);
      const routeId = row.route?.id ?? null;
      const serviceId = row.service?.id ?? null;
      const handlers = plugin.prepare(row.config as never, services, { routeId, serviceId });
      const consumerId = row.consumer?.id;
      if (consumerId === undefined) {
        this.#byScope.set(scopeKey(row.name, routeId, serviceId), handlers);
        continue;
      }
      const key = scopeKey(row.name, routeId, serviceId);
      const own = this.#consumers.get(key) ?? new Map<string, Handlers>();
      this.#consumers.set(key, own.set(consumerId, handlers));
    }
    this.#used = plugins.filter((plugin) => used.has(plugin));
  }

  /** The plugins of a route, with null for a missing route or service. */
  build(routeId: string | null, serviceId: string | null): readonly ChainLink[] {
    return this.#used.flatMap(({ name }) => this.#link(name, routeId, serviceId) ?? []);
  }

  #link(name: string, routeId: string | null, serviceId: string | null): ChainLink | undefined {
    const scopes = distinct([
      [routeId, serviceId],
      [routeId, null],
      [null, serviceId],
    ]);
    const consumersOnly = this.#consumers.get(scopeKey(name, null, null));
    const narrow = scopes.flatMap(([route, service]) => this.#consumers.get(scopeKey(name, route, service)) ?? []);
    const both = routeId && serviceId ? this.#byScope.get(scopeKey(name, routeId, serviceId)) : undefined;
    const base =
      both ??
      (routeId ? this.#byScope.get(scopeKey(name, routeId, null)) : undefined) ??
      (serviceId ? this.#byScope.get(scopeKey(name, null, serviceId)) : undefined) ??
      this.#byScope.get(scopeKey(name, null, null));
    if (!base && !consumersOnly && narrow.length === 0) return undefined;
    if (!consumersOnly && narrow.length === 0) return { base, forConsumer: () => base };
    return {
      base,
      forConsumer: (consumerId) => {
        for (const own of narrow) {
          const handlers = own.get(consumerId);
          if (handlers) return handlers;
        }
        return both ?? consumersOnly?.get(consumerId) ?? base;
      },
    };
  }
}

/** The scopes with a route or service, without duplicates. */
function distinct(scopes: [string | null, string | null][]): [string | null, string | null][] {
  const keys = new Set<string>();
  return scopes.filter(([route, service]) => {
    const key = `${route} ${service}`;
    if ((route === null && service === null) || keys.has(key)) return false;
    keys.add(key);
    return true;
  });
}

function scopeKey(name: string, routeId: string | null, serviceId: string | null): string {
  return `${name} ${routeId ?? '-'} ${serviceId ?? '-'}`;
}
