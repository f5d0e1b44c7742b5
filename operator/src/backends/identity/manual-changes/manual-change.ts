/** For tests: what a person can change in a realm with Keycloak's own console, one at a time. */
import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js';

/** Requests to the Admin API below the realm. @returns the answer's body, or the id of what was made. */
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

/** What is changed, how, and a word of the change that undoes it. */
export type ManualChange = readonly [
  title: string,
  undone: RegExp,
  change: (send: Send, look: Look) => Promise<unknown>,
];
