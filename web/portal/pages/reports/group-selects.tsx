/** Chooses by what a report is counted: one group, or two. */
import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNames } from './names.ts';
import type { Report } from './reports.queries.ts';

interface Props {
  readonly report: Report;
  readonly chosen: readonly string[];
  onChange(chosen: readonly string[]): void;
}

export function GroupSelects({ report, chosen: [first = report.groupBy, second], onChange }: Props) {
  const { t } = useTranslation();
  const names = useNames();
  const all = report.groups.map(({ name, title }) => ({ value: name, label: names.of(title) }));
  return (
    <>
      <NativeSelect
        label={t('reports.groupBy')}
        value={first}
        data={all}
        onChange={({ currentTarget: { value } }) => onChange([value, second].flatMap((name) => name ?? []))}
      />
      <NativeSelect
        label={t('reports.thenBy')}
        value={second ?? ''}
        data={[{ value: '', label: t('reports.noGroup') }, ...all.filter(({ value }) => value !== first)]}
        onChange={({ currentTarget: { value } }) => onChange(value === '' ? [first] : [first, value])}
      />
    </>
  );
}
