import type { HospitalProfile } from '@hms/database';
import type { HospitalNames, ModuleName, RateLimit } from '@hms/tenancy';

export const BACKEND_NAMES = ['identity', 'storage', 'database', 'gateway'] as const;
export type BackendName = (typeof BACKEND_NAMES)[number];

/** What deleting a hospital does to its data. */
export type DeletionPolicy = 'Retain' | 'Delete';

/** A hospital as the backends see it: every default filled in, every name derived. */
export interface Tenant {
  readonly names: HospitalNames;
  /** UUID that marks everything that belongs to the hospital. */
  readonly hospitalId: string;
  /** uid of the Hospital object. */
  readonly uid: string;
  readonly profile: HospitalProfile;
  readonly suspended: boolean;
  /** Whether things without an owner's mark may be taken over. */
  readonly adoptUnowned: boolean;
  /** Hosts that are its own. Without one, its people use the platform's address only. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  /** Limits that differ from the platform's. */
  readonly rateLimits: Readonly<Partial<Record<ModuleName, RateLimit>>>;
  readonly secondFactor: 'None' | 'Email';
  readonly accessTokenSeconds: number;
  readonly extraRoles: readonly string[];
  readonly connectionLimit: number;
}

/** What is enough to find a hospital's parts by their marks, and the uid of the object that is being deleted. */
export type Owned = Pick<Tenant, 'names' | 'hospitalId' | 'uid'>;

/** One difference between what shall be and what is. */
export interface Change {
  readonly action: 'create' | 'update' | 'delete';
  /** What it is about, like `route st-mary-hms`. */
  readonly object: string;
  /** What differs, where that says more than the action. */
  readonly detail?: string;
}

/**
 * One engine's part of a hospital. `observe` and `diff` never write, and `apply` of no changes is never called, so an
 * unchanged hospital costs reads only. Everything may be repeated after a crash at any point.
 */
export interface Backend<Observed = unknown, C extends Change = Change> {
  readonly name: BackendName;
  /** Asks the engine for a sign of life, apart from all other calls; cheap, and over within seconds. @throws while it gives none. */
  ping(): Promise<void>;
  /** Name of the hospital's part in the engine. */
  externalId(tenant: Tenant): string;
  /**
   * What the hospital's part shall be by its object, the release and the settings, as plain data. Pure. As long as it
   * stays the same, a difference is somebody else's doing. @throws BackendError Invalid
   */
  wanted(tenant: Tenant): unknown;
  /** @throws BackendError */
  observe(tenant: Tenant): Promise<Observed>;
  /** Pure. @throws BackendError with kind Conflict when what is there is somebody else's. */
  diff(tenant: Tenant, observed: Observed): readonly C[];
  /** @throws BackendError */
  apply(tenant: Tenant, changes: readonly C[]): Promise<void>;
  /**
   * Takes the hospital's part away as the policy says; what is not there or somebody else's is no error.
   * @returns what is there under the hospital's name and was left as it is, with why; empty where nothing is.
   * @throws BackendError
   */
  remove(owned: Owned, policy: DeletionPolicy): Promise<readonly string[]>;
}

/** A change as people read it in events and plans. */
export function describe({ action, object, detail }: Change): string {
  return `${action} ${object}${detail ? ` (${detail})` : ''}`;
}

const MOST_CHANGES = 8;

/** The first of the items, and how many more there are. */
export function listed(items: readonly string[]): string {
  const shown = items.slice(0, MOST_CHANGES).join('; ');
  return items.length > MOST_CHANGES ? `${shown}; and ${items.length - MOST_CHANGES} more` : shown;
}
