import type { Target, Upstream } from '../entities/upstreams.ts';
import type { Peer } from '../runtime/route-runtime.ts';
import { Health, hasActiveChecks, hasPassiveChecks, limitsOf, statusOutcome } from './health.ts';
import { probe } from './probe.ts';

/** How a target stands, in the words of `/upstreams/{u}/health`. */
export type TargetState = 'HEALTHY' | 'UNHEALTHY' | 'HEALTHCHECKS_OFF';

interface Member {
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly health: Health;
  readonly stop: AbortController;
  weight: number;
  /** Smooth weighted round robin: the highest is next. */
  turn: number;
}

/** Spreads the requests of one upstream over its targets, and watches their health. */
export class Balancer {
  #upstream: Upstream;
  #members = new Map<string, Member>();
  readonly #onTurn: (upstream: string, address: string, healthy: boolean) => void;

  constructor(upstream: Upstream, onTurn: (upstream: string, address: string, healthy: boolean) => void) {
    this.#upstream = upstream;
    this.#onTurn = onTurn;
  }

  /** Takes over a changed configuration; targets that stay keep their health and their turn. */
  update(upstream: Upstream, targets: readonly Target[]): void {
    const checksChanged =
      JSON.stringify(this.#upstream.healthchecks.active) !== JSON.stringify(upstream.healthchecks.active);
    this.#upstream = upstream;
    const members = new Map<string, Member>();
    for (const target of targets) {
      const known = checksChanged ? undefined : this.#members.get(target.target);
      const member = known ?? newMember(target.target, this.#members.get(target.target)?.health);
      member.weight = target.weight;
      members.set(target.target, member);
      if (!known) void this.#watch(member);
    }
    for (const member of this.#members.values()) if (members.get(member.address) !== member) member.stop.abort();
    this.#members = members;
    // The state of targets that nobody checks any more would stay as it is for ever.
    if (!hasActiveChecks(upstream) && !hasPassiveChecks(upstream))
      for (const { health } of members.values()) health.set(true);
  }

  stop(): void {
    for (const member of this.#members.values()) member.stop.abort();
    this.#members.clear();
  }

  /** The next target by weight among the healthy ones. */
  next(scheme: string): Peer | undefined {
    let total = 0;
    let available = 0;
    let chosen: Member | undefined;
    for (const member of this.#members.values()) {
      total += member.weight;
      if (member.weight === 0 || !member.health.healthy) continue;
      available += member.weight;
      member.turn += member.weight;
      if (!chosen || member.turn > chosen.turn) chosen = member;
    }
    if (!chosen || (available / total) * 100 <= this.#upstream.healthchecks.threshold) return undefined;
    chosen.turn -= available;
    return this.#peer(chosen, scheme);
  }

  state(address: string): TargetState {
    const member = this.#members.get(address);
    const checked = hasActiveChecks(this.#upstream) || hasPassiveChecks(this.#upstream);
    if (!member || member.weight === 0 || !checked) return 'HEALTHCHECKS_OFF';
    return member.health.healthy ? 'HEALTHY' : 'UNHEALTHY';
  }

  /** Sets a target's state by hand; answers whether there is such a target. */
  setState(address: string, healthy: boolean): boolean {
    const member = this.#members.get(address);
    member?.health.set(healthy);
    return member !== undefined;
  }

  #peer(member: Member, scheme: string): Peer {
    const { host_header: hostHeader, healthchecks } = this.#upstream;
    const usual = (scheme === 'http' && member.port === 80) || (scheme === 'https' && member.port === 443);
    return {
      origin: `${scheme}://${member.address}`,
      hostHeader: hostHeader ?? (usual ? member.host : member.address),
      report: (outcome) => {
        const counted = typeof outcome === 'number' ? statusOutcome(outcome, healthchecks.passive) : outcome;
        if (counted === undefined || !hasPassiveChecks(this.#upstream)) return;
        if (member.health.count(counted, limitsOf(healthchecks.passive))) this.#turned(member);
      },
    };
  }

  async #watch(member: Member): Promise<void> {
    const { signal } = member.stop;
    while (!signal.aborted) {
      const { active } = this.#upstream.healthchecks;
      const interval = member.health.healthy ? active.healthy.interval : active.unhealthy.interval;
      // Without an interval for this state, the next report or change may give it one.
      await pause(interval > 0 ? interval * 1000 : 1000, signal);
      if (signal.aborted || interval === 0 || member.weight === 0) continue;
      const host = member.host.replace(/^\[|\]$/g, '');
      const hostHeader = this.#upstream.host_header ?? member.address;
      const result = await probe(host, member.port, hostHeader, active, signal).catch(() => 'tcp_failure' as const);
      if (signal.aborted) return;
      const outcome =
        result === 'connected' ? 'success' : typeof result === 'number' ? statusOutcome(result, active) : result;
      if (outcome !== undefined && member.health.count(outcome, limitsOf(active))) this.#turned(member);
    }
  }

  #turned({ address, health }: Member): void {
    this.#onTurn(this.#upstream.name, address, health.healthy);
  }
}

function newMember(address: string, health = new Health()): Member {
  const colon = address.lastIndexOf(':');
  return {
    address,
    host: address.slice(0, colon),
    port: Number(address.slice(colon + 1)),
    health,
    stop: new AbortController(),
    weight: 0,
    turn: 0,
  };
}

/** Waits without keeping the process alive; an abort ends it early. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms).unref();
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
