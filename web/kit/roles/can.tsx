/** Who may do what, by the roles that the modules declare for each operation. Hiding is comfort: the modules decide. */
import { OPERATIONS } from '@hms/api-client/operations';
import type { ReactNode } from 'react';
import type { Person } from '../session/session.ts';
import { usePerson } from '../session/use-session.ts';

export type Operation = keyof typeof OPERATIONS;

/** The only place that reads the table. */
function may({ roles }: Pick<Person, 'roles'>, operation: Operation): boolean {
  const allowed: string | readonly string[] = OPERATIONS[operation];
  return typeof allowed === 'string' || roles.some((role) => allowed.includes(role));
}

export function useMay(): (operation: Operation) => boolean {
  const person = usePerson();
  return (operation) => may(person, operation);
}

/** Shows its children to those who may use the operation. */
export function Can({ operation, children }: { readonly operation: Operation; readonly children: ReactNode }) {
  return useMay()(operation) ? children : null;
}
