/** What a list adds up to: the figure that it is behind, the number of records, and the sums of its columns. */
import { useTranslation } from 'react-i18next';
import { useNames } from './names.ts';
import type { Figures, Measure, Report } from './reports.queries.ts';
import { useValues } from './values.ts';

interface Props {
  readonly report: Report;
  readonly measure: Measure | undefined;
  readonly figures: Figures | undefined;
  readonly total: number;
  readonly sums: Readonly<Record<string, number>>;
}

export function RecordSums({ report, measure, figures, total, sums }: Props) {
  const { t } = useTranslation();
  const names = useNames();
  const values = useValues();
  const added = report.columns.filter(({ name }) => name in sums);
  const facts = [
    ...(measure && figures
      ? [{ label: names.of(measure.title), value: values.show(measure.kind, figures.total.values[measure.name]) }]
      : []),
    { label: t('reports.records'), value: values.show('count', total) },
    ...added.map(({ name, title, kind }) => ({
      label: t('reports.sum', { title: names.of(title) }),
      value: values.show(kind, sums[name]),
    })),
  ];
  return (
    <dl className="hms-panel hms-tile hms-figures hms-sums">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="hms-number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
