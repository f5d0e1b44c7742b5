/** The fields that a column of a file may fill, by their names on the other pages of patients. */
import { NewPatientImport } from '@hms/api-client/limits/NewPatientImport';
import type { TFunction } from 'i18next';

export const FIELDS = NewPatientImport.columns.choices;
type Field = (typeof FIELDS)[number];

export function fieldName(t: TFunction, field: Field): string {
  return t(`patients.${field}`);
}

/** A column as the API names it. */
export function columnName(t: TFunction, column: string): string {
  const field = FIELDS.find((one) => one === column);
  return field === undefined ? column : fieldName(t, field);
}
