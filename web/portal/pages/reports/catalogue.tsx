/** All reports, by what they are about. */
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNames } from './names.ts';
import type { Period } from './period.ts';
import type { Report } from './reports.queries.ts';

export function Catalogue({ reports, period }: { readonly reports: readonly Report[]; readonly period: Period }) {
  const { t } = useTranslation();
  const names = useNames();
  const areas = [...new Set(reports.map(({ area }) => area))];
  if (areas.length === 0) return <Text>{t('reports.noReports')}</Text>;
  return (
    <Stack gap="md">
      {areas.map((area) => (
        <section key={area} className="hms-panel hms-tile" aria-label={t(`reports.area.${area}`)}>
          <Title order={2}>{t(`reports.area.${area}`)}</Title>
          <dl className="hms-catalogue">
            {reports
              .filter((report) => report.area === area)
              .map(({ name, title, about }) => (
                <div key={name}>
                  <dt>
                    <Anchor
                      fw={600}
                      renderRoot={(props) => (
                        <Link to="/reports/$name" params={{ name }} search={{ ...period }} {...props} />
                      )}
                    >
                      {names.of(title)}
                    </Anchor>
                  </dt>
                  <dd>{names.of(about)}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Stack>
  );
}
