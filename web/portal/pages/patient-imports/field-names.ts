/** The fields that a column of a file may fill, by their names on the other pages of patients. */
import type { TFunction } from 'i18next';

export const FIELDS = [
  ...(['firstName', 'lastName', 'phone', 'dateOfBirth', 'email', 'gender', 'bloodGroup'] as const),
  ...(['street', 'city', 'region', 'postalCode', 'country', 'allergies', 'alerts'] as const),
];
type Field = (typeof FIELDS)[number];

export function fieldName(t: TFunction, field: Field): string {
  return t(`patients.${field}`);
}

/** A column as the API names it. */
export function columnName(t: TFunction, column: string): string {
  const field = FIELDS.find((one) => one === column);
  return field === undefined ? column : fieldName(t, field);
}
