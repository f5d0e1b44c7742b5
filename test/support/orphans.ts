/** Orphan objects on the test platform. */
import { ORPHANS_PATH, type OrphanObject } from '../../operator/src/hospital/orphans.ts';
import { kubernetes } from './hospitals.ts';
import { until } from './until.ts';

export async function orphan(name: string): Promise<OrphanObject | undefined> {
  const { items } = await kubernetes().request<{ items: OrphanObject[] }>('GET', ORPHANS_PATH);
  return items.find(({ metadata }) => metadata.name === name);
}

export function createOrphan(name: string, spec: object): Promise<OrphanObject> {
  return kubernetes().request('POST', ORPHANS_PATH, {
    body: { apiVersion: 'hms.dev/v1', kind: 'Orphan', metadata: { name }, spec: { ...spec, deletionPolicy: 'Delete' } },
  });
}

export async function whenOrphanDeleted(name: string): Promise<void> {
  await until(
    `the record of ${name} to be deleted`,
    () => orphan(name),
    (left) => left === undefined,
    60_000,
  );
}
