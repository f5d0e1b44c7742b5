/** How a hospital is, in one word with a colour. */
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { HospitalSummary } from './hospitals.queries.ts';

const COLORS: Readonly<Record<HospitalSummary['status'], string>> = {
  Active: 'good',
  Provisioning: 'brand',
  Failing: 'bad',
  Suspended: 'warning',
  Deleting: 'warning',
};

export function StatusBadge({ status }: { readonly status: HospitalSummary['status'] }) {
  const { t } = useTranslation();
  return (
    <Badge variant="outline" color={COLORS[status]} tt="none" miw="max-content">
      {t(`hospitals.status.${status}`)}
    </Badge>
  );
}
