/** A module is declared as one object. `createApp` serves it and `startModule` runs it as a process. */
import type { TenantPool } from '@hms/database';
import type { FileStorage } from '@hms/storage';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Sealer } from './audit/sealer.ts';
import type { EventStreams } from './changes/streams.ts';
import type { Measure } from './metrics.ts';
import type { Registry } from './registry.ts';
import type { RequestCounter } from './request-counter.ts';
import type { ErrorFormat, Route } from './route.ts';
import type { Task } from './tasks/task.ts';
import type { Totals } from './totals.ts';

export interface ModuleDefinition {
  /** As in the path `/api/<name>`. */
  readonly name: string;
  readonly version: string;
  /** For the OpenAPI document. */
  readonly title: string;
  readonly routes: readonly Route[];
  /** The form of errors below a path, also where no route is. Default: the envelope. */
  readonly errorFormats?: readonly { readonly below: string; readonly errorFormat: ErrorFormat }[];
  /** The background tasks that its processes run. */
  readonly tasks?: readonly Task[];
  /** Figures of its own for Prometheus. */
  readonly measures?: readonly Measure[];
  /** Ends what the module has started, after its last request and its last task. */
  end?(): Promise<void>;
}

/** The environment of a module. */
export interface Platform {
  /** For what belongs to no hospital, such as the registry. */
  readonly db: Knex;
  /** For the transactions of hospitals. */
  readonly tenants: TenantPool;
  /** The same, read-only, perhaps on a replica that is a moment behind. */
  readonly replica: TenantPool;
  readonly registry: Registry;
  readonly sealer: Sealer;
  readonly requestCounter: RequestCounter;
  readonly streams: EventStreams;
  readonly totals: Totals;
  /** Files of hospitals. A call may take seconds: never wait for one in a transaction. */
  readonly storage: FileStorage;
  readonly log: Logger;
  /** Public address of the gateway, without a trailing slash. */
  readonly baseUrl: string;
  /** Internal address of Keycloak with its relative path. */
  readonly keycloakUrl: string;
}
