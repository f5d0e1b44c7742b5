/** A Hospital object as the API server would give it, for tests. */
import type { HospitalObject, HospitalSpec, HospitalStatus } from './resource.ts';

export interface Overrides {
  readonly name?: string;
  readonly uid?: string;
  readonly created?: string;
  readonly generation?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Partial<HospitalSpec>;
  readonly status?: HospitalStatus;
}

export function hospitalObject({ name = 'st-mary', spec, status, ...rest }: Overrides = {}): HospitalObject {
  return {
    apiVersion: 'hms.dev/v1',
    kind: 'Hospital',
    metadata: {
      name,
      uid: rest.uid ?? `uid-of-${name}`,
      resourceVersion: '1',
      generation: rest.generation ?? 1,
      creationTimestamp: rest.created ?? '2026-01-01T00:00:00Z',
      ...(rest.annotations ? { annotations: rest.annotations } : {}),
    },
    spec: {
      displayName: "St. Mary's Hospital",
      timezone: 'Europe/Dublin',
      currency: 'EUR',
      state: 'Active',
      deletionPolicy: 'Retain',
      managementPolicy: 'Full',
      adoption: 'Never',
      identity: { secondFactor: 'None', accessTokenLifespan: '5m', roles: [] },
      gateway: { hosts: [], origins: [], rateLimits: {} },
      database: { connectionLimit: 20 },
      ...spec,
    },
    ...(status ? { status } : {}),
  };
}
