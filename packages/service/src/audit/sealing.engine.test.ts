/** What it costs to seal an event of an audit log that is long already. */
import { connect, openTenantPool, sealBatch } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import { expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { insertTestHospital } from '../testing/index.ts';

const OLD = 20_000;
const EVENT = "INSERT INTO audit_events (actor, actor_roles, action, record) SELECT 'mary', '{}', 'read', 'patients'";
const READ = `
  SELECT relname AS table, (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS rows FROM pg_stat_xact_user_tables
  WHERE relid IN ('audit_events'::regclass, 'audit_chain'::regclass)`;

it('an event is sealed without a look at all those before', async () => {
  const { databaseUrls } = platform();
  const operator = connect(databaseUrls.operator, { poolSize: 1 });
  const tenants = openTenantPool(databaseUrls.app, { poolSize: 1 });
  const hospital = await insertTestHospital(operator, (prefix) => `https://keycloak.example/realms/${prefix}`);
  await operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(hospital.prefix).schema}`);
    await trx.raw(`${EVENT} FROM generate_series(1, ${OLD})`);
    await trx.raw(`INSERT INTO audit_chain (position, event_seq, hash, sealed_at)
      SELECT seq, seq, sha256(seq::text::bytea), now() - interval '1 hour' FROM audit_events`);
    await trx.raw('ANALYZE audit_events, audit_chain');
  });
  const read = await tenants.inTenant(hospital, async (trx) => {
    await trx.query(EVENT);
    const sealed = await sealBatch(trx, hospital.id);
    expect(sealed?.head.position).toBe(OLD + 1);
    return trx.query<{ table: string; rows: number }>(READ);
  });
  expect(read.map(({ table }) => table).sort()).toEqual(['audit_chain', 'audit_events']);
  for (const { rows } of read) expect(rows).toBeLessThan(100);
  await Promise.all([tenants.end(), operator.destroy()]);
});
