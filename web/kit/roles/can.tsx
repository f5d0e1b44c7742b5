/** Who may do what, by the permission that the modules declare for each operation. Hiding is comfort: the modules decide. */
import { OPERATIONS } from '@hms/api-client/operations';
import type { ReactNode } from 'react';
import type { Person } from '../session/session.ts';
import { usePerson } from '../session/use-session.ts';

export type Operation = keyof typeof OPERATIONS;

/** The only place that reads the table. */
function may({ permissions, impersonation }: Pick<Person, 'permissions' | 'impersonation'>, operation: Operation) {
  const [, access = '', mark] = /^(.*?)(!*)$/.exec(OPERATIONS[operation]) ?? [];
  if (impersonation && (mark === '!!' || (mark === '!' && impersonation.mode === 'read'))) return false;
  return access === 'public' || access === 'authenticated' || permissions.includes(access);
}

export function useMay(): (operation: Operation) => boolean {
  const person = usePerson();
  return (operation) => may(person, operation);
}

/** Shows its children to those who may use the operation. */
export function Can({ operation, children }: { readonly operation: Operation; readonly children: ReactNode }) {
  return useMay()(operation) ? children : null;
}
