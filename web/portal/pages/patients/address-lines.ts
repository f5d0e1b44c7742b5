/** An address as it is written on a letter. */
import { countries } from '../../../kit/i18n/countries.ts';
import type { Patient } from './patients.queries.ts';

/** @param language of the country's name */
export function addressLines(address: Patient['address'], language: string): readonly string[] {
  const country = countries(language).find(({ value }) => value === address?.country);
  const place = [address?.postalCode, address?.city].filter(Boolean).join(' ');
  return [address?.street, place, address?.region, country?.label].filter(
    (line) => typeof line === 'string' && line !== '',
  ) as string[];
}
