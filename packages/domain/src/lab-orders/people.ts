/** Whose orders they are. */
import { records, type Work } from '@hms/service';
import { type Patient, patients } from '../patients/record.ts';

/** The patients of orders, even deleted ones, by the patient of the order. A merged one is the survivor. */
export async function patientsOf(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, Patient>> {
  const own = records(work, patients);
  const found = await own.byIds([...new Set(ids)]);
  const survivors = await own.byIds(found.flatMap(({ survivorId }) => survivorId ?? []));
  return new Map(found.map((one) => [one.id, survivors.find(({ id }) => id === one.survivorId) ?? one]));
}

export function patientIn(people: ReadonlyMap<string, Patient>, id: string): Patient {
  const patient = people.get(id);
  if (!patient) throw new Error(`there is no patient ${id}`);
  return patient;
}
