/**
 * The hosts of hospitals: `platform.hospital_hosts`. The primary key ensures that a host belongs to one hospital only.
 */
import type { Knex } from 'knex';

/** A host and the hospital that it belongs to. */
export interface HostHolder {
  readonly host: string;
  readonly hospitalId: string;
  readonly prefix: string;
}

/** Reads the hosts of a hospital, and the holders of the given hosts. */
export function readHosts(db: Knex, hospitalId: string, hosts: readonly string[]): Promise<readonly HostHolder[]> {
  return db
    .withSchema('platform')
    .from('hospital_hosts as h')
    .join('hospitals as p', 'p.id', 'h.hospital_id')
    .where('h.hospital_id', hospitalId)
    .orWhereIn('h.host', [...hosts])
    .select({ host: 'h.host', hospitalId: 'h.hospital_id', prefix: 'p.prefix' });
}

/** Assigns hosts to a hospital. Hosts that another one has claimed meanwhile stay with it. */
export async function insertHosts(db: Knex, hospitalId: string, hosts: readonly string[]): Promise<void> {
  await db
    .withSchema('platform')
    .into('hospital_hosts')
    .insert(hosts.map((host) => ({ host, hospital_id: hospitalId })))
    .onConflict('host')
    .ignore();
}

/** Releases hosts of a hospital. @param hosts default: all of its hosts. */
export async function deleteHosts(db: Knex, hospitalId: string, hosts?: readonly string[]): Promise<void> {
  const rows = db.withSchema('platform').from('hospital_hosts').where({ hospital_id: hospitalId });
  await (hosts ? rows.whereIn('host', [...hosts]) : rows).delete();
}
