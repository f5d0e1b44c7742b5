/** What the addresses of reports say: the days, what is counted by what, and of which keys only. */
import type { FilteredSearch } from '../../../kit/lists/list-search.ts';
import { NO_KEY } from './names.ts';
import type { Period } from './period.ts';
import type { Figures, Filters, Group, Report } from './reports.queries.ts';

/** The filters of an address that a report has. */
export function filtersIn(report: Report, search: FilteredSearch): Filters {
  return Object.fromEntries(
    report.groups.flatMap(({ name, isFilter }) => {
      const key = search[name];
      return isFilter && typeof key === 'string' ? [[name, key] as const] : [];
    }),
  );
}

/** The filters of figures, as an address has them. */
export function filtersOf({ filters }: Figures): Filters {
  return Object.fromEntries(filters.map(({ group, key }) => [group, key ?? NO_KEY]));
}

/** One or two groups by which the report of an address is counted. */
export function groupsIn(report: Report, { groupBy }: FilteredSearch): readonly string[] {
  const wanted = typeof groupBy === 'string' ? groupBy.split(',') : [];
  const known = [...new Set(wanted)].filter((name) => report.groups.some((group) => group.name === name));
  return known.length > 0 ? known.slice(0, 2) : [report.groupBy];
}

/** The days and the filters of the list behind a group, or behind the total. */
export function searchBehind({ records }: Group | Figures['total']): Filters & Period {
  return paramsOf(records) as Filters & Period;
}

function paramsOf(path: string): Filters {
  return Object.fromEntries(new URLSearchParams(path.slice(path.indexOf('?'))));
}

/** Whether there is nothing in any group, in the period before neither. */
export function isEmpty({ groups }: Figures): boolean {
  return groups.every(({ values, previous }) =>
    [values, previous ?? {}].every((figures) => Object.values(figures).every((value) => !value)),
  );
}

/** The days of a whole report, in the address of the list behind a part of it. */
export function wholeOf({ from, to }: Period): string {
  return `${from}/${to}`;
}

/** @param whole as {@link wholeOf} writes it. */
export function wholeIn(whole: unknown): Partial<Period> {
  const [from, to] = typeof whole === 'string' ? whole.split('/') : [];
  return from && to ? { from, to } : {};
}
