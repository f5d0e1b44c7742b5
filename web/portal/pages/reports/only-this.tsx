/** What a group of a report is called. A click shows this group only, by something else. */
import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NO_KEY } from './names.ts';
import type { Figures, Report } from './reports.queries.ts';

interface Props {
  readonly report: Report;
  readonly figures: Figures;
  readonly group: string;
  readonly of: string | null;
  readonly name: string;
  onChoose(changes: Readonly<Record<string, string | undefined>>): void;
}

export function OnlyThis({ report, figures, group, of, name, onChoose }: Props) {
  const { t } = useTranslation();
  if (!report.groups.find((one) => one.name === group)?.isFilter) return <bdi>{name}</bdi>;
  const others = figures.groupBy.filter((one) => one !== group);
  const next = others[0] ?? report.groups.find((one) => one.name !== group)?.name;
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="start"
      title={t('reports.onlyThis', { name })}
      onClick={() => onChoose({ [group]: of ?? NO_KEY, groupBy: next, sort: undefined })}
    >
      <bdi>{name}</bdi>
    </Anchor>
  );
}
