/** The figures of a report as a table, with those of the period before, and the total below. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../../kit/lists/data-table.tsx';
import { useNames } from './names.ts';
import type { Figures, Filters, Measure, Report } from './reports.queries.ts';
import { searchBehind, wholeOf } from './search.ts';
import { useValues } from './values.ts';

interface Row {
  readonly key: string;
  /** Of the groups. None for the total. */
  readonly names: readonly string[];
  readonly values: Figures['total']['values'];
  readonly previous: Figures['total']['previous'];
  /** The days and the filters of what is behind it. */
  readonly behind: Filters;
  readonly keys: readonly (string | null)[];
}

interface Props {
  readonly report: Report;
  readonly measures: readonly Measure[];
  readonly figures: Figures;
  /** Only to be read aloud: it has nothing that takes the focus. */
  readonly isHidden?: boolean;
  readonly sort?: string | undefined;
  onSort?(sort: string | undefined): void;
  /** Another cell for what a group is called. */
  nameCell?(group: string, key: string | null, name: string): ReactNode;
}

export function FiguresTable({ report, measures, figures, isHidden = false, sort, onSort, nameCell }: Props) {
  const { t } = useTranslation();
  const names = useNames();
  const values = useValues();
  const rows = useRows(report, figures, sort);
  const titleOf = (group: string) => names.of(report.groups.find(({ name }) => name === group)?.title ?? report.title);
  const groups = figures.groupBy.map((group, index): Column<Row> => {
    const render = ({ names, keys }: Row) => {
      const name = names[index];
      if (name === undefined) return index === 0 ? <strong>{t('reports.total')}</strong> : null;
      return nameCell?.(group, keys[index] ?? null, name) ?? <bdi>{name}</bdi>;
    };
    return { key: `by${index}`, title: titleOf(group), render };
  });
  const cells = measures.map(({ name, title, kind }): Column<Row> => {
    const render = ({ values: own, previous, behind, names: { length } }: Row) => (
      <>
        <Cell
          text={values.show(kind, own[name])}
          isBold={length === 0}
          {...(isHidden ? {} : { to: { report: report.name, search: { ...behind, measure: name } } })}
        />
        {previous && (
          <Text size="xs" c="dimmed" className="hms-number">
            {t('reports.before', { value: values.show(kind, previous[name]) })}
          </Text>
        )}
      </>
    );
    return { key: name, title: names.of(title), sortable: onSort !== undefined, render };
  });
  return (
    <div className={isHidden ? 'hms-figures-table hms-hidden' : 'hms-figures-table'} data-groups={groups.length}>
      <DataTable
        label={names.of(report.title)}
        rows={rows}
        rowKey={({ key }) => key}
        columns={[...groups, ...cells]}
        sort={sort}
        {...(onSort ? { onSort } : {})}
      />
    </div>
  );
}

interface CellProps {
  readonly text: string;
  readonly isBold: boolean;
  readonly to?: { readonly report: string; readonly search: Filters };
}

function Cell({ text, isBold, to }: CellProps) {
  if (!to) return <span className="hms-number">{text}</span>;
  return (
    <Anchor
      size="sm"
      fw={isBold ? 700 : 500}
      className="hms-number"
      renderRoot={(props) => (
        <Link to="/reports/$name/records" params={{ name: to.report }} search={to.search} {...props} />
      )}
    >
      {text}
    </Anchor>
  );
}

/** The groups in their own order, or by a figure, and the total. */
function useRows(report: Report, figures: Figures, sort: string | undefined): readonly Row[] {
  const names = useNames();
  const whole = wholeOf(figures);
  const rows = figures.groups.map((group): Row => {
    const { keys, labels, values, previous } = group;
    const called = keys.map((key, index) =>
      names.ofKey(report, figures.groupBy[index] ?? '', key, labels[index] ?? null),
    );
    const behind = { ...searchBehind(group), whole };
    return { key: JSON.stringify(keys), names: called, keys, values, previous, behind };
  });
  const total: Row = {
    key: 'total',
    names: [],
    keys: [],
    ...figures.total,
    behind: { ...searchBehind(figures.total), whole },
  };
  return [...sorted(rows, sort), total];
}

function sorted(rows: readonly Row[], sort: string | undefined): readonly Row[] {
  if (sort === undefined) return rows;
  const [name, direction] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
  const figureOf = ({ values }: Row) => values[name] ?? -Infinity;
  return rows.toSorted((one, other) => direction * (figureOf(one) - figureOf(other)));
}
