import type { Target, Upstream } from '../entities/upstreams.ts';
import type { Peer } from '../runtime/destination.ts';
import { type Picker, picker } from './algorithms.ts';
import { type HashedRequest, hashInput } from './hash-input.ts';
import { Health, hasActiveChecks, hasPassiveChecks, limitsOf, statusOutcome } from './health.ts';
import { clock, Latency } from './latency.ts';
import { Limiter } from './limiter.ts';
import { isAvailable, type Member } from './member.ts';
import { HostName, type Resolve } from './names.ts';
import { probe } from './probe.ts';

/** The health of a target, in the terms of `/upstreams/{u}/health`. */
export type TargetState = 'HEALTHY' | 'UNHEALTHY' | 'HEALTHCHECKS_OFF' | 'DNS_ERROR';

export interface AddressState {
  readonly ip: string;
  readonly port: number;
  readonly healthy: boolean;
}

interface KnownTarget {
  readonly name: HostName;
  readonly row: Target;
}

/** Spreads the requests of one upstream over the addresses of its targets, and watches their health. */
export class Balancer {
  #upstream: Upstream;
  #targets = new Map<string, KnownTarget>();
  #members: readonly Member[] = [];
  #pick: Picker = () => undefined;
  readonly #probes = new Limiter();
  readonly #onHealthChange: (upstream: string, address: string, healthy: boolean) => void;
  readonly #resolve: Resolve | undefined;

  readonly #formerHealth: Map<string, Health>;

  /**
   * @param resolve replaces the system's resolver
   * @param formerHealth the health of the addresses of a deleted upstream with the same name
   */
  constructor(
    upstream: Upstream,
    onHealthChange: (upstream: string, address: string, healthy: boolean) => void,
    resolve?: Resolve,
    formerHealth: ReadonlyMap<string, Health> = new Map(),
  ) {
    this.#upstream = upstream;
    this.#formerHealth = new Map(formerHealth);
    this.#onHealthChange = onHealthChange;
    this.#resolve = resolve;
  }

  /** Applies a changed configuration. Remaining addresses keep their health and their turn. */
  update(upstream: Upstream, rows: readonly Target[]): void {
    const checksChanged =
      JSON.stringify(this.#upstream.healthchecks.active) !== JSON.stringify(upstream.healthchecks.active);
    this.#upstream = upstream;
    const targets = new Map<string, KnownTarget>();
    for (const row of rows) {
      const existing = this.#targets.get(row.target);
      const name = existing?.name ?? new HostName(split(row.target).host, () => this.#rebuild(false), this.#resolve);
      targets.set(row.target, { name, row });
    }
    for (const [target, { name }] of this.#targets) if (!targets.has(target)) name.stop();
    this.#targets = targets;
    this.#rebuild(checksChanged);
    // The state of targets that are no longer checked would never change.
    if (!hasActiveChecks(upstream) && !hasPassiveChecks(upstream))
      for (const { health } of this.#members) health.set(true);
  }

  get name(): string {
    return this.#upstream.name;
  }

  /** The health of its addresses. Call it before `stop`. */
  health(): ReadonlyMap<string, Health> {
    return new Map(this.#members.map((member) => [keyOf(member), member.health]));
  }

  stop(): void {
    for (const { name } of this.#targets.values()) name.stop();
    for (const member of this.#members) member.stop.abort();
    this.#targets.clear();
    this.#members = [];
    this.#pick = () => undefined;
  }

  /** The next healthy address by the upstream's algorithm. Addresses not tried yet come first. */
  next(scheme: string, request: HashedRequest, tried: ReadonlySet<object>): Peer | undefined {
    let total = 0;
    let available = 0;
    for (const member of this.#members) {
      total += member.weight;
      if (isAvailable(member)) available += member.weight;
    }
    if (available === 0 || (available / total) * 100 <= this.#upstream.healthchecks.threshold) return undefined;
    const member = this.#pick(hashInput(this.#upstream, request), tried as ReadonlySet<Member>);
    return member && this.#peer(member, scheme);
  }

  state(target: string): TargetState {
    const existing = this.#targets.get(target);
    if (existing?.name.addresses === 'failed') return 'DNS_ERROR';
    const checked = hasActiveChecks(this.#upstream) || hasPassiveChecks(this.#upstream);
    if (!existing || existing.row.weight === 0 || !checked) return 'HEALTHCHECKS_OFF';
    return this.#of(target).some(({ health }) => health.healthy) ? 'HEALTHY' : 'UNHEALTHY';
  }

  addresses(target: string): AddressState[] {
    return this.#of(target).map(({ ip, port, health }) => ({ ip, port, healthy: health.healthy }));
  }

  /**
   * Sets the state of a target's addresses, as the Admin API does.
   * @param address `ip:port`, or all addresses of the target without it
   * @returns whether there is such an address
   */
  setState(target: string, healthy: boolean, address?: string): boolean {
    const chosen = this.#of(target).filter((member) => address === undefined || addressOf(member) === address);
    for (const { health } of chosen) health.set(healthy);
    return chosen.length > 0;
  }

  #of(target: string): Member[] {
    return this.#members.filter((member) => member.target === target);
  }

  #rebuild(isChanged: boolean): void {
    const before = new Map(this.#members.map((member) => [keyOf(member), member]));
    const latencies = this.#members.filter(isAvailable).map(({ latency }) => latency);
    const members: Member[] = [];
    for (const [target, { name, row }] of this.#targets) {
      const { host, port } = split(target);
      if (name.addresses === 'failed') continue;
      for (const ip of name.addresses === 'unknown' ? [host] : name.addresses) {
        const existing = before.get(keyOf({ target, ip }));
        const { health = this.#firstHealth(target, ip), latency = new Latency(latencies) } = existing ?? {};
        const member = existing && !isChanged ? existing : newMember({ target, host, ip, port, health, latency });
        member.weight = row.weight;
        members.push(member);
        if (member !== existing) void this.#watch(member);
      }
    }
    for (const member of this.#members) if (!members.includes(member)) member.stop.abort();
    this.#members = members;
    this.#pick = picker(this.#upstream.algorithm, members);
  }

  #firstHealth(target: string, ip: string): Health {
    const key = keyOf({ target, ip });
    const formerHealth = this.#formerHealth.get(key);
    this.#formerHealth.delete(key);
    return formerHealth ?? new Health();
  }

  #peer(member: Member, scheme: string): Peer {
    const { host_header: hostHeader, healthchecks } = this.#upstream;
    const { host, port } = member;
    const usual = (scheme === 'http' && port === 80) || (scheme === 'https' && port === 443);
    // A host_header with a port is used unchanged.
    const suffix = usual || /:\d+$/.test(hostHeader ?? '') ? '' : `:${port}`;
    member.connections += 1;
    let isReleased = false;
    const isTimed = this.#upstream.algorithm === 'latency';
    const startedAt = isTimed ? clock() : 0;
    return {
      id: member,
      origin: `${scheme}://${addressOf(member)}`,
      hostHeader: (hostHeader ?? host) + suffix,
      report: (outcome) => {
        const counted = typeof outcome === 'number' ? statusOutcome(outcome, healthchecks.passive) : outcome;
        if (counted === undefined || !hasPassiveChecks(this.#upstream)) return;
        if (member.health.count(counted, limitsOf(healthchecks.passive))) this.#reportHealth(member);
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        member.connections -= 1;
        // To the last byte, as nginx's upstream_response_time.
        if (isTimed) member.latency.observe(clock() - startedAt);
      },
    };
  }

  async #watch(member: Member): Promise<void> {
    const { signal } = member.stop;
    while (!signal.aborted) {
      const { active } = this.#upstream.healthchecks;
      const { interval } = member.health.healthy ? active.healthy : active.unhealthy;
      // Without an interval for this state, the next report or change may give it one.
      await pause(interval > 0 ? interval * 1000 : 1000, signal);
      if (signal.aborted || interval === 0 || member.weight === 0) continue;
      // As in Kong, where TCP checks are for streams.
      if (active.type === 'tcp') continue;
      await this.#probes.run(active.concurrency, () => this.#check(member));
    }
  }

  async #check(member: Member): Promise<void> {
    const { active } = this.#upstream.healthchecks;
    const { signal } = member.stop;
    const hostHeader = this.#upstream.host_header ?? member.target;
    const ip = member.ip.replace(/^\[|\]$/g, '');
    const result = await probe(ip, member.port, hostHeader, active, signal).catch(() => 'tcp_failure' as const);
    if (signal.aborted) return;
    const outcome = typeof result === 'number' ? statusOutcome(result, active) : result;
    if (outcome !== undefined && member.health.count(outcome, limitsOf(active))) this.#reportHealth(member);
  }

  #reportHealth(member: Member): void {
    this.#onHealthChange(this.#upstream.name, addressOf(member), member.health.healthy);
  }
}

function newMember(existing: Omit<Member, 'stop' | 'weight' | 'turn' | 'connections'>): Member {
  return { ...existing, stop: new AbortController(), weight: 0, turn: 0, connections: 0 };
}

function split(target: string): { host: string; port: number } {
  const colon = target.lastIndexOf(':');
  return { host: target.slice(0, colon), port: Number(target.slice(colon + 1)) };
}

function keyOf({ target, ip }: { readonly target: string; readonly ip: string }): string {
  return `${target} ${ip}`;
}

function addressOf({ ip, port }: Member): string {
  return `${ip.includes(':') && !ip.startsWith('[') ? `[${ip}]` : ip}:${port}`;
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
