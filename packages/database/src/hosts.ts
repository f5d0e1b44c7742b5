/** The hosts of hospitals: `platform.hospital_hosts`. The primary key is what gives a host to one hospital only. */
import type { Knex } from 'knex';

/** A host and the hospital that it belongs to. */
export interface HostHolder {
  readonly host: string;
  readonly hospitalId: string;
  readonly prefix: string;
}

/** Reads the hosts of a hospital, and whose each of the given hosts is. */
export function readHosts(db: Knex, hospitalId: string, hosts: readonly string[]): Promise<readonly HostHolder[]> {
  return db
    .withSchema('platform')
    .from('hospital_hosts as h')
    .join('hospitals as p', 'p.id', 'h.hospital_id')
    .where('h.hospital_id', hospitalId)
    .orWhereIn('h.host', [...hosts])
    .select({ host: 'h.host', hospitalId: 'h.hospital_id', prefix: 'p.prefix' });
}

/** Gives hosts to a hospital. Those that belong to another one in the meantime stay with it. */
export async function insertHosts(db: Knex, hospitalId: string, hosts: readonly string[]): Promise<void> {
  await db
    .withSchema('platform')
    .into('hospital_hosts')
    .insert(hosts.map((host) => ({ host, hospital_id: hospitalId })))
    .onConflict('host')
    .ignore();
}

/** Takes hosts from a hospital. @param hosts all of its hosts where nothing is given. */
export async function deleteHosts(db: Knex, hospitalId: string, hosts?: readonly string[]): Promise<void> {
  const rows = db.withSchema('platform').from('hospital_hosts').where({ hospital_id: hospitalId });
  await (hosts ? rows.whereIn('host', [...hosts]) : rows).delete();
}
