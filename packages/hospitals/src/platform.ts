/** The Platform object, as the API server returns it: what all hospitals share. */
import type { KubernetesObject } from '@hms/kubernetes';
import type { Condition } from './hospital.ts';

export const PLATFORMS_PATH = '/apis/hms.dev/v1/platforms';
/** The one object of this kind. */
export const PLATFORM_NAME = 'hms';

export type MigrationState = 'Running' | 'Halted';

/** `Ready`, one for each engine, such as `IdentityReady`, and `Migrated`. */
export type PlatformConditionType = `${string}Ready` | 'Migrated';

/** What the operator found in one engine. */
export interface EngineStatus {
  /** Name of the backend. */
  readonly name: string;
  /** Type of its condition. */
  readonly condition: PlatformConditionType;
  /** Number of hospitals that wait for it. */
  readonly waiting: number;
  /** Foreign parts and refused settings, one sentence each. */
  readonly findings: readonly string[];
}

/** How far the schemas of the hospitals are. */
export interface MigrationStatus {
  /** Version of a schema that has all migrations. */
  readonly newest: number;
  /** Number of hospitals that are to have the newest version. */
  readonly all: number;
  /** Number of hospitals that have the newest version. */
  readonly done: number;
  /** Number of hospitals that are not migrated yet. */
  readonly waiting: number;
  /** Number of hospitals that stay behind because they are paused or only observed. */
  readonly held: number;
  /** Hospitals that are being migrated. */
  readonly running: readonly string[];
  /** Hospitals whose migration failed and was rolled back. */
  readonly failed: readonly FailedMigration[];
}

export interface FailedMigration {
  readonly hospital: string;
  readonly message: string;
}

export interface PlatformStatus {
  readonly observedGeneration?: number;
  /** The last request to try failed migrations again that was handled. */
  readonly reconcileRequestedAt?: string;
  readonly conditions?: readonly Condition<PlatformConditionType>[];
  readonly engines?: readonly EngineStatus[];
  readonly migrations?: MigrationStatus;
}

export interface PlatformObject extends KubernetesObject {
  readonly spec?: { readonly migrations?: { readonly state?: MigrationState } };
  readonly status?: PlatformStatus;
}
