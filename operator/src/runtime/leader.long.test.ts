/** Leader election on Leases of a real API server. */
import { randomUUID } from 'node:crypto';
import { KubernetesClient, PATCH } from '@hms/kubernetes';
import { afterEach, describe, expect, it } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import { pino } from 'pino';
import { platform } from '../../../test/platform.ts';
import { until } from '../../../test/support/until.ts';
import { LeaderElection, type LeaderTiming, leaderTiming, NotLeader } from './leader.ts';

const TIMING: LeaderTiming = { leaseMs: 3_000, renewWithinMs: 2_000, retryMs: 200 };

/** A client whose connection to the server can be cut. */
class Cuttable extends KubernetesClient {
  cut = false;

  override request<T>(...args: Parameters<KubernetesClient['request']>): Promise<T> {
    if (this.cut) return Promise.reject(new Error('the connection to the server is cut'));
    return super.request<T>(...args);
  }
}

interface Candidate {
  readonly election: LeaderElection;
  readonly client: Cuttable;
  readonly log: string[];
}

const candidates: Candidate[] = [];

function candidate(lease: string, timing = TIMING): Candidate {
  const config = new KubeConfig();
  config.loadFromFile(platform().kubeconfig);
  const client = new Cuttable(config);
  const log: string[] = [];
  const election = new LeaderElection({
    client,
    namespace: 'default',
    name: lease,
    identity: randomUUID(),
    logger: pino({ level: 'silent' }),
    onElected: () => log.push('elected'),
    onRenewed: () => {
      const written = election.lease?.metadata.annotations?.['hms.dev/test'];
      if (written) log.push(`renewed with ${written}`);
    },
    onLost: () => log.push('lost'),
    timing,
  });
  election.start();
  const created = { election, client, log };
  candidates.push(created);
  return created;
}

async function holderOf(lease: string): Promise<string | undefined> {
  const config = new KubeConfig();
  config.loadFromFile(platform().kubeconfig);
  const path = `/apis/coordination.k8s.io/v1/namespaces/default/leases/${lease}`;
  const { spec } = await new KubernetesClient(config).request<{ spec: { holderIdentity?: string } }>('GET', path);
  return spec.holderIdentity;
}

const leads = ({ election }: Candidate) => until('to lead', async () => election.isLeader, Boolean, 10_000);

afterEach(async () => {
  for (const { election, client } of candidates.splice(0)) {
    client.cut = false;
    await election.stop();
  }
});

describe('LeaderElection', () => {
  it.each([1, 10, 15, 20])('leads with a lease of %i s', async (seconds) => {
    await leads(candidate(`test-${randomUUID()}`, leaderTiming(seconds)));
  });

  it('elects one, and the other as soon as the first has stopped', async () => {
    const lease = randomUUID();
    // On a busy machine, a short lease expires before it is released.
    const first = candidate(lease, leaderTiming(15));
    await leads(first);
    const second = candidate(lease, leaderTiming(15));
    expect(() => second.election.fence()).toThrow(NotLeader);
    second.client.cut = true;
    await first.election.stop();
    // Released, not just expired.
    expect(await holderOf(lease)).toBe('');
    second.client.cut = false;
    await leads(second);
    expect(first.election.isLeader).toBe(false);
  });

  it('keeps what others write on the Lease, and reads it with the next renewal', async () => {
    const lease = randomUUID();
    const { election, client, log } = candidate(lease);
    await leads({ election, client, log });
    const path = `/apis/coordination.k8s.io/v1/namespaces/default/leases/${lease}`;
    const annotations = { 'hms.dev/test': 'kept' };
    await client.request('PATCH', path, { contentType: PATCH.merge, body: { metadata: { annotations } } });
    await until(
      'two renewals',
      async () => log.filter((line) => line === 'renewed with kept'),
      ({ length }) => length > 1,
      10_000,
    );
    await election.stop();
    expect(await client.request('GET', path)).toMatchObject({
      metadata: { annotations },
      spec: { holderIdentity: '' },
    });
  });

  it('fences a leader that can not renew before another one leads', async () => {
    const lease = randomUUID();
    const first = candidate(lease);
    await leads(first);
    const second = candidate(lease);
    first.client.cut = true;
    await until('the first to be out', async () => first.log.includes('lost'), Boolean, 10_000);
    expect(() => first.election.fence()).toThrow(NotLeader);
    expect(second.election.isLeader).toBe(false);
    await leads(second);
    expect(second.log).toEqual(['elected']);
  });

  it('waits for the holder’s lease duration, not its own', async () => {
    const lease = randomUUID();
    const first = candidate(lease);
    await leads(first);
    const hasty = candidate(lease, { leaseMs: 300, renewWithinMs: 200, retryMs: 50 });
    first.client.cut = true;
    await until('the first to be out', async () => first.log.includes('lost'), Boolean, 10_000);
    expect(hasty.log).toEqual([]);
    await until('the hasty one to lead', async () => hasty.log.includes('elected'), Boolean, 10_000);
  });

  it('elects one of many simultaneous candidates', async () => {
    const lease = randomUUID();
    const candidatesAtOnce = Array.from({ length: 5 }, () => candidate(lease));
    await until(
      'a leader',
      async () => candidatesAtOnce.filter(({ election }) => election.isLeader).length,
      (count) => count > 0,
      10_000,
    );
    expect(candidatesAtOnce.filter(({ election }) => election.isLeader)).toHaveLength(1);
  });
});
