/** Allergies and alerts of a patient: what everybody sees above the record. */
import { Badge, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { mergedQuery, type Patient } from './patients.queries.ts';

const COLORS = { mild: 'quiet', moderate: 'warning', severe: 'bad' } as const;
const RANKS = { mild: 0, moderate: 1, severe: 2 } as const;

/**
 * The most dangerous first. Whether nobody has asked, or there is nothing to know, is said as well. What is known of a
 * merged record counts too.
 */
export function PatientWarnings({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const merged = useQuery({ ...mergedQuery(patient.id), enabled: patient.hasMerged });
  const records = [patient, ...(merged.data ?? [])];
  const allergies = records.some((one) => one.allergies) ? records.flatMap((one) => one.allergies ?? []) : null;
  const alerts = [...new Set(records.flatMap((one) => one.alerts))];
  const sorted = (allergies ?? []).toSorted((a, b) => RANKS[b.severity] - RANKS[a.severity]);
  return (
    <Group gap="xs" component="section" aria-label={t('patients.tab.warnings')}>
      {sorted.map(({ substance, severity }, index) => (
        <Badge
          // biome-ignore lint/suspicious/noArrayIndexKey: two records may name one substance
          key={index}
          color={COLORS[severity]}
          variant={severity === 'severe' ? 'filled' : 'outline'}
          size="lg"
          tt="none"
          leftSection={<IconAlertTriangle size={14} aria-hidden />}
        >
          {t('patients.allergicTo', { substance, severity: t(`patients.severities.${severity}`) })}
        </Badge>
      ))}
      {sorted.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(allergies ? 'patients.noAllergies' : 'patients.allergiesUnknown')}
        </Text>
      )}
      {alerts.map((alert) => (
        <Badge key={alert} color="warning" variant="outline" size="lg" tt="none">
          <bdi>{alert}</bdi>
        </Badge>
      ))}
    </Group>
  );
}
