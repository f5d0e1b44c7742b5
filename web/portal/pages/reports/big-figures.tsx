/** The figures of a report in large letters, the most important first. Each leads to what is behind it. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Change } from './change.tsx';
import { useNames } from './names.ts';
import type { Figures, Measure, Report } from './reports.queries.ts';
import { searchBehind, wholeOf } from './search.ts';
import { useValues } from './values.ts';

interface Props {
  readonly report: Report;
  readonly measures: readonly Measure[];
  readonly figures: Figures;
}

export function BigFigures({ report, measures, figures }: Props) {
  const names = useNames();
  const values = useValues();
  const { total } = figures;
  const search = { ...searchBehind(figures.total), whole: wholeOf(figures) };
  return (
    <dl className="hms-figures">
      {measures.map(({ name, title, kind }) => (
        <div key={name}>
          <dt>{names.of(title)}</dt>
          <dd>
            <Anchor
              c="inherit"
              inherit
              className="hms-number hms-figure"
              renderRoot={(props) => (
                <Link
                  to="/reports/$name/records"
                  params={{ name: report.name }}
                  search={{ ...search, measure: name }}
                  {...props}
                />
              )}
            >
              {values.show(kind, total.values[name])}
            </Anchor>
            {total.previous && <Change kind={kind} value={total.values[name]} before={total.previous[name]} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
