/** What can be said about a phone number without the server. */
import * as z from 'zod/mini';
import { type Limit, textIn } from '../forms/limits.ts';
import { isPhone } from './phones.ts';

/** A phone number, as `PhoneField` gives it. */
export function phoneIn({ required, longest }: Limit) {
  const line = textIn({ ...(required ? { required } : {}), ...(longest === undefined ? {} : { longest }) });
  return line.check(z.refine((value) => value === '' || isPhone(value), 'phone'));
}
