/** What the pages of imports read. */
import { patientKeys } from '../patients/patients.queries.ts';

const all = [...patientKeys.all, 'import'] as const;

export const importKeys = {
  list: [...all, 'list'],
  preview: [...all, 'preview'],
  one: (id: string) => [...all, id] as const,
};
