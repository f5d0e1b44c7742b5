/** What the filters of an address are called, such as the name of a doctor. */
import { useQuery } from '@tanstack/react-query';
import { useNames } from './names.ts';
import type { Period } from './period.ts';
import { type Figures, type Filters, figuresQuery, type Report } from './reports.queries.ts';

export interface NamedFilter {
  readonly group: string;
  readonly title: string;
  readonly name: string;
  /** As the module knows the key, such as by the name of a person. Null: it does not, or not yet. */
  readonly label: string | null;
}

/** So many can be asked for in one request. */
const MOST_GROUPS = 2;

/** The figures of what is filtered: they also say what the keys are called. */
export function useNamedFilters(report: Report, filters: Filters, period: Period) {
  const names = useNames();
  const asked = Object.keys(filters).slice(0, MOST_GROUPS);
  const groupBy = asked.length > 0 ? asked : [report.groupBy];
  const found = useQuery(figuresQuery(report.name, { ...period, filters, groupBy, compare: false }));
  const named = Object.entries(filters).map(([group, key]): NamedFilter => {
    const { title = report.title } = report.groups.find(({ name }) => name === group) ?? {};
    const label = labelIn(found.data, group);
    return { group, title: names.of(title), name: names.ofKey(report, group, key, label ?? '…'), label };
  });
  return { named, figures: found.data };
}

function labelIn(figures: Figures | undefined, group: string): string | null {
  const index = figures?.groupBy.indexOf(group) ?? -1;
  return (index >= 0 && figures?.groups[0]?.labels[index]) || null;
}
