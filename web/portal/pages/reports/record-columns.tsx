/** How the list behind a figure is shown. The first column with a text leads to the record. */
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../kit/lists/data-table.tsx';
import { useNames } from './names.ts';
import { RecordLink } from './record-link.tsx';
import type { Kind, Listed, Report } from './reports.queries.ts';
import { useValues } from './values.ts';

export function useRecordColumns(report: Report): readonly Column<Listed>[] {
  const { t } = useTranslation();
  const names = useNames();
  const values = useValues();
  const leading = report.columns.find(({ kind }) => kind === 'text') ?? report.columns[0];
  const textOf = (name: string, kind: Kind, value: string | number | null | undefined) => {
    // Some columns have keys of groups, such as a state.
    const isKey = typeof value === 'string' && report.groups.some((group) => group.name === name && group.labels);
    return isKey ? names.ofKey(report, name, value, value) : values.show(kind, value);
  };
  return report.columns.map((column): Column<Listed> => {
    const { name, title, kind } = column;
    const render = (record: Listed) => {
      const text = textOf(name, kind, record.values[name]);
      const shown = kind === 'text' ? <Words text={text} /> : <span className="hms-number">{text}</span>;
      if (column !== leading) return shown;
      return <RecordLink record={record}>{text === '–' ? t('reports.open') : shown}</RecordLink>;
    };
    return { key: name, title: names.of(title), render };
  });
}

/** A number of a record is in one line, and a name keeps its own direction. */
function Words({ text }: { readonly text: string }) {
  return <bdi className={/^[\w-]+$/.test(text) ? 'hms-number' : ''}>{text}</bdi>;
}
