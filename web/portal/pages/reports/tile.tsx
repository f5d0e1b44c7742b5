/** A report on a dashboard: a few figures in large letters, and a chart or a table. */
import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { IconTable } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BigFigures } from './big-figures.tsx';
import { FiguresChart } from './figures-chart.tsx';
import { FiguresTable } from './figures-table.tsx';
import { useNamedFilters } from './named-filters.ts';
import { useNames } from './names.ts';
import type { Dashboard, Report } from './reports.queries.ts';
import { filtersOf, searchBehind } from './search.ts';

interface Props {
  readonly report: Report;
  readonly tile: Dashboard['tiles'][number];
}

export function Tile({ report, tile: { figures, chart, measures: shown } }: Props) {
  const { t } = useTranslation();
  const names = useNames();
  const [isTable, setTable] = useState(false);
  const measures = shown.flatMap((name) => report.measures.find((measure) => measure.name === name) ?? []);
  const [first] = measures;
  const by = figures.groupBy.flatMap((name) => report.groups.find((group) => group.name === name)?.title ?? []);
  const named = useNamedFilters(report, filtersOf(figures), figures);
  const title = `${names.of(report.title)} · ${by.map(names.of).join(', ')}`;
  return (
    <section className="hms-panel hms-tile" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2}>
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link
                to="/reports/$name"
                params={{ name: report.name }}
                search={{ ...searchBehind(figures.total), groupBy: figures.groupBy.join(',') }}
                {...props}
              />
            )}
          >
            {title}
          </Anchor>
        </Title>
        <Button
          variant={isTable ? 'filled' : 'default'}
          size="compact-sm"
          miw="max-content"
          leftSection={<IconTable size={16} aria-hidden />}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          {t('reports.table')}
        </Button>
      </Group>
      {named.map(({ group, title, name }) => (
        <Text key={group} size="sm">
          {t('reports.filter', { title, name })}
        </Text>
      ))}
      <BigFigures {...{ report, measures, figures }} />
      {first && !isTable && <FiguresChart {...{ report, figures }} measure={first} type={chart} />}
      <FiguresTable {...{ report, measures, figures }} isHidden={!isTable} />
    </section>
  );
}
