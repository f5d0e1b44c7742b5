import type { HospitalProfile } from '@hms/database';
import type { SigningKeyStatus } from '@hms/hospitals';
import type { HospitalNames, ModuleName, RateLimit } from '@hms/tenancy';
import type { BudgetOptions } from '../runtime/budget.ts';
import type { ErrorKind } from './errors.ts';

/** What distinguishes one backend from the others for everything that handles all of them. */
export interface Descriptor {
  /** Its name in the status, plans, events, metrics and logs, such as `identity`. */
  readonly name: string;
  /** Type of its condition, such as `IdentityReady`. */
  readonly condition: `${string}Ready`;
  /** What the hospital's part is called, such as `realm`. */
  readonly part: string;
  /** The backends that are applied before this one, and removed after it. */
  readonly needs: readonly Need[];
  /** Whether traffic enters through it, to the hospital's hosts. It is removed before all others. */
  readonly isEntrance?: true;
  /** Whether people need it to use the hospital. A suspension closes it. */
  readonly servesPeople?: true;
  /** Limit of all calls to the engine. */
  readonly budget: BudgetOptions;
}

/** A backend that another one needs. */
interface Need {
  readonly name: string;
  /** Its errors that do not stop the other one. */
  readonly despite: readonly ErrorKind[];
}

/** What deleting a hospital does to its data. */
export type DeletionPolicy = 'Retain' | 'Delete';

/** A hospital in the form that backends use: with all defaults and derived names. */
export interface Tenant {
  readonly names: HospitalNames;
  /** UUID that marks everything that belongs to the hospital. */
  readonly hospitalId: string;
  /** uid of the Hospital object. */
  readonly uid: string;
  readonly profile: HospitalProfile;
  readonly suspended: boolean;
  /** Whether objects without an owner's mark may be adopted. */
  readonly adoptUnowned: boolean;
  /** Hosts of the hospital. Without one, its people use only the platform's address. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  /** Limits that differ from the platform's. */
  readonly rateLimits: Readonly<Partial<Record<ModuleName, RateLimit>>>;
  readonly accessTokenSeconds: number;
  readonly keyRotation: KeyRotation;
  /** Names of the roles in its realm, each once. */
  readonly roles: readonly string[];
  readonly connectionLimit: number;
}

/** When a realm gets a new signing key. */
export interface KeyRotation {
  /** Days after which the key is rotated. 0 is never. */
  readonly everyDays: number;
  /** Any text. A new one requests a rotation. */
  readonly request?: string | undefined;
  /** Where it must be night for a rotation by schedule. */
  readonly timezone: string;
}

/** Identifies a hospital's parts by their marks, with the uid of the object that is being deleted. */
export type Owned = Pick<Tenant, 'names' | 'hospitalId' | 'uid'>;

/** One difference between the desired and the observed state. */
export interface Change {
  readonly action: 'create' | 'update' | 'delete';
  /** The object to change, such as `route st-mary-hms`. */
  readonly object: string;
  /** What differs, if that says more than the action. */
  readonly detail?: string;
  /** Set if something else is wanted than before: then nobody changed the object outside the operator. */
  readonly isNews?: true;
  /** The event that reports the change, if it has one of its own. */
  readonly event?: { readonly reason: string; readonly message: string };
  /** The event that warns what is lost for good if the hospital had the object before. */
  readonly loss?: { readonly reason: string; readonly message: string };
}

/** What a comparison shows besides the changes. */
export interface Report {
  /** Milliseconds after which the part has something to do, although nothing else has changed. */
  readonly nextMs?: number;
  readonly signingKey?: SigningKeyStatus;
  /** What somebody has changed that affects only speed, one phrase each. It is left as it is. */
  readonly tuning?: readonly string[];
}

/**
 * One engine's part of a hospital. `observe` and `diff` never write, and `apply` of no changes is never called, so an
 * unchanged hospital costs only reads. Every call may be repeated after a crash at any point.
 */
export interface Backend<Observed = unknown, C extends Change = Change> {
  readonly descriptor: Descriptor;
  /**
   * Checks that the engine answers, independently of all other calls. Cheap, and ends within seconds. @throws if it
   * does not.
   */
  ping(): Promise<void>;
  /** Name of the hospital's part in the engine. */
  externalId(tenant: Tenant): string;
  /**
   * The desired state of the hospital's part by its object, the release and the settings, as plain data. Pure. While it
   * stays the same, any difference is drift. @throws BackendError Invalid
   */
  wanted(tenant: Tenant): unknown;
  /** @throws BackendError */
  observe(tenant: Tenant): Promise<Observed>;
  /** Pure. @throws BackendError with kind Conflict if an existing object has another owner. */
  diff(tenant: Tenant, observed: Observed): readonly C[];
  /** What the comparison shows besides the changes. Pure. */
  report?(tenant: Tenant, observed: Observed): Report;
  /** @throws BackendError */
  apply(tenant: Tenant, changes: readonly C[]): Promise<void>;
  /**
   * Removes the hospital's part as the policy says. A missing part, or one with another owner, is not an error.
   * @returns what remains in place under the hospital's name, with the reason. Empty if nothing remains.
   * @throws BackendError
   */
  remove(owned: Owned, policy: DeletionPolicy): Promise<readonly string[]>;
}

/** A change as text for events and plans. */
export function describe({ action, object, detail }: Change): string {
  return `${action} ${object}${detail ? ` (${detail})` : ''}`;
}

/** The reason of the event about tuning. */
export const TUNED = 'Tuned';

/** What the event about tuning says. */
export function tuningSentence(tuning: readonly string[]): string {
  return `left as it is, because it changes only speed: ${listed(tuning)}`;
}

const MOST_CHANGES = 8;

/** The first of the items, and how many more there are. */
export function listed(items: readonly string[]): string {
  const first = items.slice(0, MOST_CHANGES).join('; ');
  return items.length > MOST_CHANGES ? `${first}; and ${items.length - MOST_CHANGES} more` : first;
}
