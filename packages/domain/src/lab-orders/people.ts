/** Whose orders they are. */
import type { Patient } from '../patients/record.ts';

export function patientIn(people: ReadonlyMap<string, Patient>, id: string): Patient {
  const patient = people.get(id);
  if (!patient) throw new Error(`there is no patient ${id}`);
  return patient;
}
