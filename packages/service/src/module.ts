/** A module declares itself in one object; `createApp` serves it and `startModule` runs it as a process. */
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Constraints } from './database-errors.ts';
import type { Registry } from './registry.ts';
import type { Route } from './route.ts';

export interface ModuleDefinition {
  /** As in the path `/api/<name>`. */
  readonly name: string;
  readonly version: string;
  /** For the OpenAPI document. */
  readonly title: string;
  readonly routes: readonly Route[];
  /** Which error a violated constraint of PostgreSQL means. */
  readonly constraints: Constraints;
}

/** What a module is given to live in. */
export interface Platform {
  readonly db: Knex;
  readonly registry: Registry;
  readonly log: Logger;
  /** Public address of the gateway, without a slash at the end. */
  readonly baseUrl: string;
  /** Inside address of Keycloak with its relative path. */
  readonly keycloakUrl: string;
}
