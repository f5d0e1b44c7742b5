/** The registry's rows on a real PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { connect, deleteHospital, findHospitalByPrefix, migratePlatform } from '@hms/database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { Registry as Metrics } from 'prom-client';
import { platform } from '../../../test/platform.ts';
import { CallMetrics, Calls } from '../backends/calls.ts';
import { Postgres } from '../backends/database/client.ts';
import { Budget } from '../runtime/budget.ts';
import { NotLeader } from '../runtime/leader.ts';
import { NO_TRACING } from '../runtime/tracing.ts';
import { Registry } from './claim.ts';
import { hospitalObject } from './testing.ts';

const name = `r${randomBytes(5).toString('hex')}`;
const SETTINGS = { baseUrl: 'http://localhost', domain: 'localhost' };
let db: Knex;
let postgres: Postgres;
/** How many more times the process is found to lead. */
let leadsFor = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  const url = platform().databaseUrls.operator;
  db = connect(url);
  await migratePlatform(db);
  const fence = () => {
    leadsFor -= 1;
    if (leadsFor < 0) throw new NotLeader('not the leader');
  };
  const calls = new Calls({
    backend: 'database',
    budget: new Budget({ concurrency: 2, perSecond: 100 }),
    metrics: new CallMetrics(new Metrics()),
    tracing: NO_TRACING,
    fence,
  });
  postgres = new Postgres({ url, applicationName: 'claim', poolSize: 2, statementTimeoutMs: 5_000 }, calls);
});

afterEach(() => deleteHospital(db, name));

afterAll(async () => {
  await postgres.close();
  await db.destroy();
});

/** A process that is frozen after its first query, and wakes when another one leads. */
const frozen = (work: (registry: Registry) => Promise<unknown>) => {
  leadsFor = 1;
  return work(new Registry(postgres, SETTINGS)).finally(() => {
    leadsFor = Number.POSITIVE_INFINITY;
  });
};

describe('a process that no longer leads when it wakes', () => {
  const registry = () => new Registry(postgres, SETTINGS);
  const first = hospitalObject({ name, uid: 'first' });
  const second = hospitalObject({ name, uid: 'second' });

  it('makes no row', async () => {
    await expect(frozen((claims) => claims.claim(first))).rejects.toThrow(NotLeader);
    expect(await findHospitalByPrefix(db, name)).toBeUndefined();
  });

  it('takes over no row, and lets go of none', async () => {
    const { hospitalId } = await registry().claim(first);
    const release = { prefix: name, ownerUid: 'first', hospitalId };
    await expect(frozen((claims) => claims.release(release, 'Retain'))).rejects.toThrow(NotLeader);
    expect(await findHospitalByPrefix(db, name)).toMatchObject({ ownerUid: 'first', state: 'Provisioning' });
    await registry().release(release, 'Retain');
    await expect(frozen((claims) => claims.claim(second))).rejects.toThrow(NotLeader);
    expect(await findHospitalByPrefix(db, name)).toMatchObject({ ownerUid: 'first', state: 'Retained' });
    expect(await registry().claim(second)).toEqual({ hospitalId, kind: 'returning' });
  });
});
