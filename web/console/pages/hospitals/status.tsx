/** How a hospital is, in one word with a colour. */
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { HospitalSummary } from './hospitals.queries.ts';

const COLORS: Readonly<Record<HospitalSummary['status'], string>> = {
  Active: '#1b6e3c',
  Provisioning: '#0b5c6e',
  Failing: '#b3261e',
  Suspended: '#8a3a00',
  Deleting: '#8a3a00',
};

export function StatusBadge({ status }: { readonly status: HospitalSummary['status'] }) {
  const { t } = useTranslation();
  return (
    <Badge variant="outline" color={COLORS[status]} tt="none" miw="max-content">
      {t(`hospitals.status.${status}`)}
    </Badge>
  );
}
