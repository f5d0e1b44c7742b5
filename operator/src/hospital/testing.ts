/** Hospital objects as the API server would give them, and backends, for tests. */

import type { HospitalObject, HospitalSpec, HospitalStatus } from '@hms/hospitals';
import type { Backend } from '../backends/backend.ts';
import { DATABASE } from '../backends/database/backend.ts';
import { GATEWAY } from '../backends/gateway/backend.ts';
import { IDENTITY } from '../backends/identity/backend.ts';
import { STORAGE } from '../backends/storage/backend.ts';
import { type Outcome, type Outcomes, outcomesOf } from './outcome.ts';

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

export const DESCRIPTORS = [IDENTITY, STORAGE, DATABASE, GATEWAY];

/** Backends with only what the test needs. */
export function backendsWith(own: (name: string) => Partial<Backend>): readonly Backend[] {
  return DESCRIPTORS.map(
    (descriptor) => ({ descriptor, externalId: () => descriptor.name, ...own(descriptor.name) }) as Backend,
  );
}

/** Outcomes of the four backends, which all match the spec. */
export const FINE: Outcomes = outcomesOf(DESCRIPTORS.map((backend) => ({ backend, externalId: 'x', changes: [] })));

/** The outcomes with other properties of one backend. */
export function outcomesWith(name: string, own: Partial<Outcome>, outcomes = FINE): Outcomes {
  return outcomesOf(
    Object.values(outcomes).map((outcome) => (outcome.backend.name === name ? { ...outcome, ...own } : outcome)),
  );
}
