/** What the filters of an address are called, such as the name of a doctor. */
import { NO_KEY, useNames } from './names.ts';
import type { Figures, Filters, Report } from './reports.queries.ts';

export interface NamedFilter {
  readonly group: string;
  readonly title: string;
  readonly name: string;
  /** As the module knows the key, such as by the name of a person. Null: it does not, or not yet. */
  readonly label: string | null;
}

/** @param figures of these filters. Undefined: they are not there yet. */
export function useNamedFilters(report: Report, filters: Filters, figures: Figures | undefined): NamedFilter[] {
  const names = useNames();
  return Object.entries(filters).map(([group, key]): NamedFilter => {
    const { title = report.title } = report.groups.find(({ name }) => name === group) ?? {};
    const known = figures?.filters.find((one) => one.group === group && (one.key ?? NO_KEY) === key);
    const label = known?.label ?? null;
    return {
      group,
      title: names.of(title),
      name: names.ofKey(report, group, key, label ?? (known ? key : '…')),
      label,
    };
  });
}
