/** The way to a page of reports, and back. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNames } from './names.ts';
import type { Filters, Report } from './reports.queries.ts';

interface Props {
  /** The days that are shown. */
  readonly period: Partial<Filters>;
  /** Above the page: a report with what it showed, or the reports by mail. */
  readonly above?: 'mail' | { readonly report: Report; readonly search: Filters };
  readonly here: string;
}

export function Trail({ period, above, here }: Props) {
  const { t } = useTranslation();
  const names = useNames();
  return (
    <nav aria-label={t('reports.trail')} className="hms-trail">
      <Anchor size="sm" renderRoot={(props) => <Link to="/reports" search={period} {...props} />}>
        {t('menu.reports')}
      </Anchor>
      {above === 'mail' && (
        <Anchor size="sm" renderRoot={(props) => <Link to="/reports/mail" {...props} />}>
          {t('reports.mail.title')}
        </Anchor>
      )}
      {typeof above === 'object' && (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/reports/$name" params={{ name: above.report.name }} search={above.search} {...props} />
          )}
        >
          {names.of(above.report.title)}
        </Anchor>
      )}
      <Text size="sm" span aria-current="page">
        {here}
      </Text>
    </nav>
  );
}
