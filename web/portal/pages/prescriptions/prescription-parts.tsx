/** How a prescription is shown, in lists and alone. */
import { Alert, Anchor, Badge, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showDay, todayIn } from '../../../kit/time/time.ts';
import { drugLabel } from '../drugs/drug-picker.tsx';
import type { Finding, Prescription, PrescriptionItem } from './prescriptions.queries.ts';

/** Dark enough on the page's own background. */
const COLORS = {
  active: 'info',
  partially_dispensed: 'warning',
  dispensed: 'good',
  cancelled: 'quiet',
  expired: 'quiet',
};

export function StatusBadge({ status }: Pick<Prescription, 'status'>) {
  const { t } = useTranslation();
  return (
    <Badge color={COLORS[status]} variant="outline" tt="none">
      {t(`prescriptions.statuses.${status}`)}
    </Badge>
  );
}

export function RxLink({ prescription: { id, rxNo } }: { readonly prescription: Pick<Prescription, 'id' | 'rxNo'> }) {
  return (
    <Anchor renderRoot={(props) => <Link to="/prescriptions/$id" params={{ id }} {...props} />} fw={500} size="sm">
      <span className="hms-number">{rxNo}</span>
    </Anchor>
  );
}

/** The last day, and how near it is. */
export function Validity({ prescription: { validUntil, status } }: { readonly prescription: Prescription }) {
  const { t } = useTranslation();
  const today = todayIn(usePerson().hospital?.timezone);
  const days = Math.round((Date.parse(validUntil.slice(0, 10)) - Date.parse(today)) / 86_400_000);
  const isOpen = status === 'active' || status === 'partially_dispensed';
  return (
    <>
      <span className="hms-number">{showDay(validUntil)}</span>
      {isOpen && days >= 0 && days < 4 && (
        <Text size="xs" c="warning">
          {days === 0 ? t('prescriptions.lastDay') : t('prescriptions.daysLeft', { count: days })}
        </Text>
      )}
    </>
  );
}

export function itemLabel({ drugName, strength }: Pick<PrescriptionItem, 'drugName' | 'strength'>): string {
  return drugLabel({ name: drugName, strength });
}

/** One line for each drug, with what is left. */
export function ItemList({ items }: Pick<Prescription, 'items'>) {
  const { t } = useTranslation();
  return (
    <Stack gap={0}>
      {items.map((item) => (
        <Text key={item.id} size="sm">
          <bdi>{itemLabel(item)}</bdi>{' '}
          <Text span size="xs" c="dimmed" className="hms-number">
            {t('prescriptions.givenOf', { given: item.dispensed, quantity: item.quantity })}
          </Text>
        </Text>
      ))}
    </Stack>
  );
}

/** Units that somebody takes, rounded up to whole ones, as the module computes them. Doses have at most three decimals. */
export function usualQuantity(taken: Pick<PrescriptionItem, 'dose' | 'timesPerDay' | 'durationDays'>): number {
  return Math.ceil((Math.round(taken.dose * 1000) * taken.timesPerDay * taken.durationDays) / 1000);
}

/** How it is taken: `1 capsule, 3 times a day, 7 days`. */
export function useHowTo() {
  const { t } = useTranslation();
  return ({
    dose,
    unit,
    timesPerDay,
    durationDays,
  }: Pick<PrescriptionItem, 'dose' | 'unit' | 'timesPerDay' | 'durationDays'>) =>
    [
      // The unit may be in other letters than the page, and would move the next number to its side.
      `\u2068${dose} ${unit}\u2069`,
      t('prescriptions.times', { count: timesPerDay }),
      t('prescriptions.days', { count: durationDays }),
    ].join(t('prescriptions.comma'));
}

/** A sentence about a finding, in the words of this page. */
export function FindingAlert({
  finding,
  children,
}: {
  readonly finding: Finding;
  readonly children?: React.ReactNode;
}) {
  // The page is drawn again in another language.
  const { t } = useTranslation();
  const { kind, needsReason, details, message } = finding;
  const known = 'problem' in details ? `${kind}.${details.problem}` : 'rxNo' in details ? `${kind}With` : kind;
  const severity = wordOf(`prescriptions.severities.${details.severity}`) ?? '';
  const day = 'weighedOn' in details ? showDay(String(details.weighedOn)) : '';
  return (
    <Alert
      role="alert"
      color={kind === 'allergy' || details.severity === 'severe' ? 'bad' : 'warning'}
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={t(`prescriptions.findings.${kind}`)}
      py="xs"
    >
      <Stack gap="xs">
        <Text size="sm">
          {wordOf(`prescriptions.sentences.${known}`, { ...details, severity, day }) ?? message}
          {needsReason ? '' : ` ${t('prescriptions.onlyShown')}`}
        </Text>
        {children}
      </Stack>
    </Alert>
  );
}
