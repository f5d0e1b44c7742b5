/** What can be said about a field without the server, by the limits in the API's document: `@hms/api-client/limits/…`. */
import * as z from 'zod/mini';
import { westernDigits } from './numbers.ts';

/** What the API's document says of a field. */
export interface Limit {
  readonly required?: boolean;
  /** Whether the list can be narrowed to one value of it. */
  readonly isFilter?: boolean;
  /** In characters. */
  readonly longest?: number;
  readonly pattern?: string;
  readonly least?: number;
  readonly most?: number;
  readonly choices?: readonly string[];
  /** What the module takes if the field is left out. */
  readonly initially?: unknown;
}

/** A line of text. @param problem the word for a text that does not have the pattern. */
export function textIn({ required = false, longest, pattern }: Limit, problem = 'pattern') {
  const shape = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const isShort = (value: string) => longest === undefined || [...value].length <= longest;
  const isFine = (value: string) => value === '' || shape === undefined || shape.test(value);
  return z.string().check(
    z.trim(),
    z.refine((value) => value !== '' || !required, 'required'),
    z.refine(isShort, 'tooLong'),
    z.refine(isFine, problem),
  );
}

/** One of some values. An empty text is none of them. */
export function choiceIn<const Value extends string>({ required = false, choices }: Choices<Value>) {
  return z.enum(['', ...choices]).check(z.refine((value) => value !== '' || !required, 'choose'));
}

interface Choices<Value extends string> extends Limit {
  readonly choices: readonly Value[];
}

/** A whole number, as a text. @param problem the word for anything else. */
export function wholeIn({ required = false, least = 0, most = 999_999_999 }: Limit, problem = 'number') {
  const isFine = (value: string) =>
    value === '' ? !required : /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most;
  return z.string().check(z.trim(), z.overwrite(westernDigits), z.refine(isFine, problem));
}
