/** For tests: single changes that a person can make in a realm with Keycloak's console. */
import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js';

/** Requests to the Admin API below the realm. @returns the response's body, or the id of the created object. */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

export interface Look {
  readonly realm: RealmRepresentation;
  client(clientId: string): string;
  scope(name: string): string;
  role(name: string): { readonly id: string; readonly name: string };
  clientRole(clientId: string, name: string): { readonly id: string; readonly name: string };
  readonly serviceAccount: string;
  flow(alias: string): string;
}

/** The title of a change, the pattern of the change that undoes it, and the request. */
export type ManualChange = readonly [
  title: string,
  undone: RegExp,
  change: (send: Send, look: Look) => Promise<unknown>,
];
