/**
 * The modules of the platform: everything in which they differ. All other code loops over this list.
 * `modules.test.ts` compares with it the files that list the modules in another language.
 */
import { DATABASE_ROLES, type DatabaseRoleKey } from './database-roles.ts';

/** Requests that one access token may make, or one address if the module issues the tokens. */
export interface RateLimit {
  readonly minute: number;
  readonly hour: number;
}

export interface Module {
  readonly name: ModuleName;
  /** Path prefix behind the gateway, which is kept when forwarding. */
  readonly path: string;
  /** Default limits. A hospital can have others. */
  readonly rateLimit: RateLimit;
  /** Its processes on one machine with their ports. None while the module has no folder in `services/`. */
  readonly processes: Readonly<Partial<Record<ProcessName, number>>>;
  /** Whether the gateway requires a token. The auth module issues tokens, so it does its own checks. */
  readonly tokenRequired: boolean;
  /** A path below which nobody needs a token, because the path itself has a secret. With the requests of one address. */
  readonly secretPath: { readonly path: string; readonly rateLimit: RateLimit } | undefined;
  /** Largest request body in kilobytes. The gateway reads bodies up to this size before it forwards them. */
  readonly maxBodyKilobytes: number;
  /** Whether the gateway may buffer responses. False for event streams. */
  readonly responseBuffering: boolean;
  /** Role with which it logs in to PostgreSQL. The chart gives a module its own role by the name of the module. */
  readonly databaseRole: DatabaseRoleKey;
  /** Options of Node on one machine, besides the limits of every process. */
  readonly nodeOptions: readonly string[];
}

const DEFAULTS = {
  tokenRequired: true,
  secretPath: undefined,
  maxBodyKilobytes: 10 * 1024,
  responseBuffering: true,
  databaseRole: 'app',
  nodeOptions: [],
} as const;

const ENTRIES = [
  {
    name: 'auth',
    rateLimit: { minute: 600, hour: 6000 },
    processes: { auth: 18121 },
    tokenRequired: false,
    // Anyone may send it bodies, and its largest one is a refresh token.
    maxBodyKilobytes: 64,
    databaseRole: 'auth',
  },
  { name: 'hms', rateLimit: { minute: 100, hour: 1000 }, processes: { 'hms-1': 18101, 'hms-2': 18102 } },
  { name: 'crm', rateLimit: { minute: 100, hour: 1000 }, processes: { crm: 18111 } },
  {
    name: 'payment',
    rateLimit: { minute: 50, hour: 500 },
    processes: { 'payment-1': 18161, 'payment-2': 18162 },
  },
  {
    name: 'queue',
    rateLimit: { minute: 200, hour: 2000 },
    processes: { 'queue-1': 18151, 'queue-2': 18152 },
    // Services with calendars ask for many doctors from one address.
    secretPath: { path: '/api/queue/calendar/', rateLimit: { minute: 120, hour: 3000 } },
    responseBuffering: false,
  },
  {
    name: 'report',
    rateLimit: { minute: 30, hour: 300 },
    processes: { report: 18171 },
    // While it writes a long list, threads that collect garbage would take the processors from everybody else.
    nodeOptions: ['--single-threaded-gc'],
  },
  {
    name: 'console',
    rateLimit: { minute: 100, hour: 1000 },
    processes: { console: 18141 },
    responseBuffering: false,
    databaseRole: 'console',
  },
] as const;

type Entry = (typeof ENTRIES)[number];
type KeysOfEach<T> = T extends unknown ? keyof T : never;

export type ModuleName = Entry['name'];
/** The name of a module's process on one machine. */
export type ProcessName = KeysOfEach<Entry['processes']>;

export const MODULES: readonly Module[] = ENTRIES.map((entry) => ({
  ...DEFAULTS,
  path: `/api/${entry.name}`,
  ...entry,
}));

export const MODULE_NAMES: readonly ModuleName[] = MODULES.map(({ name }) => name);

/** The modules that have a folder in `services/`. */
export const BUILT_MODULES = MODULES.filter((module) => processNames(module).length > 0);

/** @throws Error if there is no module of that name. */
export function moduleNamed(name: string): Module {
  const module = MODULES.find((one) => one.name === name);
  if (!module) throw new Error(`there is no module ${name} in packages/tenancy/src/modules.ts`);
  return module;
}

export function processNames({ processes }: Module): ProcessName[] {
  return Object.keys(processes) as ProcessName[];
}

/** Whether the module works with records of hospitals. Only a module of the platform itself does not. */
export function servesHospitals(name: string): boolean {
  const module = MODULES.find((one) => one.name === name);
  return (
    DATABASE_ROLES.find(({ key }) => key === (module?.databaseRole ?? DEFAULTS.databaseRole))?.actsAsHospitals ?? false
  );
}
