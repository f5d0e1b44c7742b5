/** The Hospital object as the API server returns it, with the defaults of the CRD. */
import type { Theme } from '@hms/database';
import type { KubernetesObject } from '@hms/kubernetes';
import type { HospitalSettings, ModuleName, RateLimit } from '@hms/tenancy';

export const HOSPITALS_PATH = '/apis/hms.dev/v1/hospitals';
export const FINALIZER = 'hms.dev/teardown';

/** Annotations that people set. */
export const ANNOTATION = {
  /** The hospital's name: confirms that its data is to be deleted. */
  confirmDelete: 'hms.dev/confirm-delete',
  /** The hospital's name: releases its object immediately, whatever remains in the engines. */
  forceFinalize: 'hms.dev/force-finalize',
  /** "true": leave the hospital as it is. Deletion still runs. */
  paused: 'hms.dev/paused',
  /** Any text. A new one requests a reconcile, and is echoed in the status. */
  reconcileRequestedAt: 'hms.dev/reconcile-requested-at',
  /** Any text. A new one requests a new signing key of the realm. */
  rotateKeyRequestedAt: 'hms.dev/rotate-key-requested-at',
  /** "true": adopt a registry row that belongs to an earlier object of the same name. */
  adopt: 'hms.dev/adopt',
} as const;

export interface HospitalSpec {
  readonly displayName: string;
  readonly theme?: Theme;
  readonly timezone: string;
  readonly currency: string;
  readonly owner?: Owner;
  readonly hospitalId?: string;
  readonly state: 'Active' | 'Suspended';
  readonly deletionPolicy: 'Retain' | 'Delete';
  readonly managementPolicy: 'Full' | 'Observe';
  readonly adoption: 'Never' | 'IfUnowned';
  readonly resyncInterval?: string;
  readonly identity: {
    readonly secondFactor: 'None' | 'Email';
    readonly accessTokenLifespan: string;
    /** The definition of an earlier release has none. */
    readonly keyRotationDays?: number;
    readonly roles: readonly string[];
  };
  readonly gateway: {
    readonly hosts: readonly string[];
    readonly origins: readonly string[];
    readonly rateLimits: Readonly<Partial<Record<ModuleName, RateLimit>>>;
  };
  readonly database: { readonly connectionLimit: number };
  /** The definition of an earlier release has fewer or none. */
  readonly settings?: Partial<HospitalSettings>;
}

export interface Owner {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** `Ready`, and one for each backend, such as `IdentityReady`. */
export type ConditionType = `${string}Ready` | 'Synced' | 'Suspended' | 'Deleting';

export interface Condition<Type = ConditionType> {
  readonly type: Type;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One word for programs. */
  readonly reason: string;
  /** A sentence for people. */
  readonly message: string;
  readonly observedGeneration: number;
  /** ISO 8601, seconds. */
  readonly lastTransitionTime: string;
}

export interface BackendStatus {
  readonly state: 'Ready' | 'Pending' | 'Failed' | 'Removed';
  readonly appliedHash?: string;
  readonly reason: string;
  readonly message: string;
  readonly externalId: string;
}

export interface Teardown {
  readonly backend: string;
  readonly done: boolean;
  readonly remaining?: string;
}

/** Addresses of a hospital. */
export interface Endpoints {
  readonly issuer: string;
  readonly api: string;
  readonly portal: string;
}

/** The key that a hospital's realm signs access tokens with. */
export interface SigningKeyStatus {
  readonly state: 'Current' | 'Rotating';
  /** When the realm began to sign with it. ISO 8601, seconds. */
  readonly since: string;
  /** The request that it answers. */
  readonly requestedAt?: string;
}

export interface HospitalStatus {
  readonly observedGeneration?: number;
  readonly hospitalId?: string;
  readonly phase?: string;
  readonly schemaVersion?: number;
  readonly reconcileRequestedAt?: string;
  readonly endpoints?: Endpoints;
  /** When a request of a person of the hospital was last verified to be served, refreshed once an hour. ISO 8601. */
  readonly lastVerifiedTime?: string;
  /** The hosts that the gateway routes to it. */
  readonly hosts?: readonly string[];
  /** The key that the realm signs access tokens with. */
  readonly signingKey?: SigningKeyStatus;
  readonly conditions?: readonly Condition[];
  readonly backends?: Readonly<Record<string, BackendStatus>>;
  readonly plan?: readonly string[];
  readonly teardown?: readonly Teardown[];
}

export interface HospitalObject extends KubernetesObject {
  readonly spec: HospitalSpec;
  readonly status?: HospitalStatus;
}

/** Whether the operator may change the hospital's parts: it is neither paused nor only observed. Pure. */
export function mayChange(hospital: HospitalObject | undefined): boolean {
  return (
    hospital?.metadata.annotations?.[ANNOTATION.paused] !== 'true' && hospital?.spec.managementPolicy !== 'Observe'
  );
}
