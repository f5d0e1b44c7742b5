/** The registry's rows on a real PostgreSQL. */
import { randomBytes } from 'node:crypto';
import {
  connect,
  deleteHospital,
  findHospitalByPrefix,
  migratePlatform,
  TENANT_MIGRATIONS,
  updateHospital,
} from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { Registry as Metrics } from 'prom-client';
import { platform } from '../../../test/platform.ts';
import { until } from '../../../test/support/until.ts';
import { CallMetrics, Calls } from '../backends/calls.ts';
import { DatabaseBackend } from '../backends/database/backend.ts';
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
/** How many more checks find the process to be the leader. */
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

const registry = () => new Registry(postgres, SETTINGS);
const parts = (hospitalId: string, uid: string) => ({ names: hospitalNames(name), hospitalId, uid });

/** A process that freezes after its first query, and resumes when another one leads. */
const frozen = (work: (registry: Registry) => Promise<unknown>) => {
  // The call and its first statement.
  leadsFor = 2;
  return work(new Registry(postgres, SETTINGS)).finally(() => {
    leadsFor = Number.POSITIVE_INFINITY;
  });
};

describe('a process that no longer leads when it resumes', () => {
  const first = hospitalObject({ name, uid: 'first' });
  const second = hospitalObject({ name, uid: 'second' });

  it('creates no row', async () => {
    await expect(frozen((claims) => claims.claim(first))).rejects.toThrow(NotLeader);
    expect(await findHospitalByPrefix(db, name)).toBeUndefined();
  });

  it('adopts no row, and releases none', async () => {
    const { hospitalId } = await registry().claim(first);
    await registry().beginDeletion({ prefix: name, ownerUid: 'first', lastKnown: hospitalId });
    await expect(frozen((claims) => claims.release(parts(hospitalId, 'first'), 'Retain'))).rejects.toThrow(NotLeader);
    expect(await findHospitalByPrefix(db, name)).toMatchObject({ ownerUid: 'first', state: 'Deleting' });
    await registry().release(parts(hospitalId, 'first'), 'Retain');
    await expect(frozen((claims) => claims.claim(second))).rejects.toThrow(NotLeader);
    expect(await findHospitalByPrefix(db, name)).toMatchObject({ ownerUid: 'first', state: 'Retained' });
    expect(await registry().claim(second)).toEqual({ hospitalId, kind: 'returning' });
  });
});

/** How many statements of the registry wait for a lock. */
const waitingStatements = async (): Promise<number> => {
  const { rows } = await db.raw(
    "SELECT FROM pg_stat_activity WHERE application_name = 'claim' AND wait_event_type = 'Lock'",
  );
  return rows.length;
};

describe('the deletion of a hospital', () => {
  const remove = (hospitalId: string, uid: string) =>
    new DatabaseBackend(postgres, TENANT_MIGRATIONS).remove(parts(hospitalId, uid), 'Delete');
  const living = hospitalObject({ name, uid: 'living' });

  it.each([
    ['by name', 'another', (id: string) => id],
    ['by uid', 'living', () => 'another'],
    ['by name, id and uid', 'living', (id: string) => id],
  ])('drops nothing of a living hospital that is identified %s', async (_, uid, idOf) => {
    const { hospitalId } = await registry().claim(living);
    await expect(remove(idOf(hospitalId), uid)).rejects.toThrow(/does not record the deletion/);
    await expect(registry().requireDeletion(parts(idOf(hospitalId), uid))).rejects.toThrow(/Provisioning, owned by/);
    await expect(registry().release(parts(idOf(hospitalId), uid), 'Delete')).rejects.toThrow(/Nothing was deleted/);
    expect(await findHospitalByPrefix(db, name)).toMatchObject({ id: hospitalId, ownerUid: 'living' });
  });

  it('drops nothing if the registry has lost the row', async () => {
    await expect(remove('0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e', 'living')).rejects.toThrow(/its row is missing/);
  });

  it('is refused for an object that the registry does not record', async () => {
    const { hospitalId } = await registry().claim(living);
    const forged = { prefix: name, ownerUid: 'another', lastKnown: hospitalId };
    expect(await registry().beginDeletion(forged)).toEqual({ kind: 'others', uid: 'living' });
    expect(await findHospitalByPrefix(db, name)).toMatchObject({ state: 'Provisioning' });
  });

  it('deletes nothing that the registry retains for the next hospital of that name', async () => {
    const { hospitalId } = await registry().claim(living);
    const deleted = { prefix: name, ownerUid: 'living', lastKnown: hospitalId };
    await registry().beginDeletion(deleted);
    await registry().release(parts(hospitalId, 'living'), 'Retain');
    expect(await registry().beginDeletion(deleted)).toEqual({ kind: 'retained' });
    await expect(remove(hospitalId, 'living')).rejects.toThrow(/its row is Retained/);
  });

  it('removes nothing by the id of another hospital', async () => {
    const { hospitalId } = await registry().claim(living);
    const forged = { prefix: `${name}-x`, ownerUid: 'living', lastKnown: hospitalId };
    expect(await registry().beginDeletion(forged)).toEqual({ kind: 'nothing' });
    expect(await findHospitalByPrefix(db, `${name}-x`)).toBeUndefined();
  });

  it('stops when another object adopts the hospital meanwhile', async () => {
    const { hospitalId } = await registry().claim(living);
    await registry().beginDeletion({ prefix: name, ownerUid: 'living', lastKnown: hospitalId });
    const adopting = hospitalObject({ name, uid: 'next', annotations: { 'hms.dev/adopt': 'true' } });
    expect(await registry().claim(adopting)).toEqual({ hospitalId, kind: 'returning' });
    await expect(remove(hospitalId, 'living')).rejects.toThrow(/uid next/);
  });

  it('removes only what is of the recorded object, and only by its id', async () => {
    const { hospitalId } = await registry().claim(living);
    await registry().beginDeletion({ prefix: name, ownerUid: 'living', lastKnown: hospitalId });
    for (const [id, uid] of [
      [hospitalId, 'another'],
      ['another', 'living'],
    ] as const) {
      await expect(remove(id, uid)).rejects.toThrow(/does not record the deletion/);
      await expect(registry().requireDeletion(parts(id, uid))).rejects.toThrow(/Deleting, owned by/);
      await expect(registry().release(parts(id, uid), 'Delete')).rejects.toThrow(/Nothing was deleted/);
    }
    expect(await findHospitalByPrefix(db, name)).toMatchObject({ id: hospitalId, state: 'Deleting' });
  });

  /** @returns the outcome of the work during which another object adopts the hospital, and the row afterwards. */
  const duringAdoption = async (work: () => Promise<unknown>) => {
    const adoption = await db.transaction();
    await updateHospital(adoption, name, { ownerUid: 'next', state: 'Provisioning' });
    const done = Promise.allSettled([work()]);
    await until('a waiting statement', waitingStatements, (waiting) => waiting > 0).finally(() => adoption.commit());
    const [outcome] = await done;
    return { outcome, row: await findHospitalByPrefix(db, name) };
  };

  it.each([
    ['the removal', remove],
    ['its end', (hospitalId: string, uid: string) => registry().release(parts(hospitalId, uid), 'Delete')],
  ])('waits in %s for an adoption that is under way', async (_, work) => {
    const { hospitalId } = await registry().claim(living);
    await registry().beginDeletion({ prefix: name, ownerUid: 'living', lastKnown: hospitalId });
    expect(await duringAdoption(() => work(hospitalId, 'living'))).toMatchObject({
      outcome: { reason: { message: expect.stringContaining('uid next') } },
      row: { ownerUid: 'next', state: 'Provisioning' },
    });
  });

  it('waits in its beginning for an adoption that is under way', async () => {
    const { hospitalId } = await registry().claim(living);
    const deleted = { prefix: name, ownerUid: 'living', lastKnown: hospitalId };
    expect(await duringAdoption(() => registry().beginDeletion(deleted))).toMatchObject({
      outcome: { value: { kind: 'others', uid: 'next' } },
      row: { ownerUid: 'next', state: 'Provisioning' },
    });
  });

  it('restores a deleted row', async () => {
    const { hospitalId } = await registry().claim(living);
    await deleteHospital(db, name);
    const deleted = { prefix: name, ownerUid: 'living', lastKnown: hospitalId, hospital: living };
    expect(await registry().beginDeletion(deleted)).toEqual({ kind: 'ours', hospitalId });
    expect(await remove(hospitalId, 'living')).toEqual([]);
    await registry().release(parts(hospitalId, 'living'), 'Delete');
    expect(await findHospitalByPrefix(db, name)).toBeUndefined();
  });
});
