/** The days that the address of a page of reports says. */
import { useDebouncedValue } from '@mantine/hooks';
import type { FilteredSearch } from '../../../kit/lists/list-search.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import { type Period, periodIn } from './period.ts';

/** Who steps through months asks for the last one only: few reports may be read in a minute. */
const PAUSE_MS = 350;

/** @returns the days that are shown as chosen, and the days to ask for. */
export function usePeriod(search: FilteredSearch): { readonly period: Period; readonly asked: Period } {
  const period = periodIn(search, todayIn(usePerson().hospital?.timezone));
  const [asked] = useDebouncedValue(`${period.from}/${period.to}`, PAUSE_MS);
  const [from = period.from, to = period.to] = asked.split('/');
  return { period, asked: { from, to } };
}
