/** What the filters of the audit log offer. */
import type { Paths } from '@hms/api-client';

type Query = NonNullable<Paths['/api/auth/audit']['get']['parameters']['query']>;
export type Action = NonNullable<Query['action']>;

// Not an array: the compiler then finds an action that the API has, and this list has not.
const all: Readonly<Record<Action, true>> = {
  create: true,
  read: true,
  list: true,
  update: true,
  delete: true,
  restore: true,
  transition: true,
  invite: true,
  refuse: true,
  overrule: true,
  login: true,
  'login.failed': true,
  logout: true,
  lock: true,
  impersonate: true,
  'impersonate.start': true,
  'impersonate.end': true,
};
export const ACTIONS = Object.keys(all) as readonly Action[];
