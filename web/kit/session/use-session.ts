import { useSyncExternalStore } from 'react';
import { onSession, type Person, type SessionState, sessionState } from './session.ts';

export function useSession(): SessionState {
  return useSyncExternalStore(onSession, sessionState);
}

/** Who works here. Only for what is shown after a login. */
export function usePerson(): Person {
  const session = useSession();
  if (!('person' in session)) throw new Error('nobody is logged in');
  return session.person;
}
