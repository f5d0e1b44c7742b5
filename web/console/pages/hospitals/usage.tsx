/** How large a hospital is, whether it is used, and whether it grows. */
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { showDay, showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { showBytes, showNumber } from './amounts.ts';
import { UsageDays } from './usage-days.tsx';

type Figures = Schemas['UsageFigures'];
type Days = Schemas['HospitalUsage']['days'];

function usageQuery(hospital: string) {
  return queryOptions({
    queryKey: ['usage', hospital],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/console/hospitals/{hospital}/usage', { params: { path: { hospital } }, signal })),
    // Requests are added up once a minute.
    refetchInterval: 60_000,
  });
}

export function Usage({ prefix }: { readonly prefix: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(usageQuery(prefix));
  if (!data)
    return error ? (
      <ErrorPanel error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={320} animate={false} aria-busy />
    );
  const { asOf, figures, days } = data;
  const [requests, failed] = [sum(days, 'requests'), sum(days, 'failed')];
  return (
    <Stack gap="md">
      <Stack className="hms-panel" p="lg" gap="md">
        <Title order={2} size="h4">
          {t('hospitals.usage.size')}
        </Title>
        <Text size="sm" role="status">
          {asOf === null ? t('hospitals.usage.none') : t('hospitals.usage.asOf', { at: showMoment(asOf, undefined) })}
        </Text>
        <dl className="hms-record">
          {FIGURES.map(({ name, read, show }) => (
            <Figure
              key={name}
              label={t(`hospitals.usage.${name}`)}
              means={t(`hospitals.usage.${name}Means`, {
                files: showNumber(figures?.files ?? 0),
                fileBytes: showBytes(figures?.fileBytes ?? 0),
                recordBytes: showBytes(figures?.recordBytes ?? 0),
              })}
              value={figures && show(read(figures))}
              change={figures && <Change days={days} figures={figures} read={read} show={show} />}
            />
          ))}
          <Figure
            label={t('hospitals.usage.requests')}
            means={t('hospitals.usage.requestsMeans')}
            value={showNumber(requests)}
            change={t('hospitals.usage.failed', { failed: showNumber(failed) })}
          />
        </dl>
      </Stack>
      <UsageDays days={days} />
    </Stack>
  );
}

type Show = (value: number, options?: Intl.NumberFormatOptions) => string;

interface FigureSpec {
  readonly name: 'people' | 'patients' | 'storage' | 'rows';
  read(figures: Figures): number;
  readonly show: Show;
}

const FIGURES: readonly FigureSpec[] = [
  { name: 'people', read: ({ people }) => people, show: showNumber },
  { name: 'patients', read: ({ patients }) => patients, show: showNumber },
  { name: 'storage', read: ({ fileBytes, recordBytes }) => fileBytes + recordBytes, show: showBytes },
  { name: 'rows', read: ({ rows }) => rows, show: showNumber },
];

interface FigureProps {
  readonly label: string;
  readonly means: string;
  /** Null if nothing was counted yet. */
  readonly value: string | null;
  readonly change: ReactNode;
}

function Figure({ label, means, value, change }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Text fw={600} size="xl" className="hms-number">
          {value ?? '–'}
        </Text>
        {change && <Text size="sm">{change}</Text>}
        {value !== null && (
          <Text size="xs" c="dimmed">
            {means}
          </Text>
        )}
      </dd>
    </div>
  );
}

interface ChangeProps extends Pick<FigureSpec, 'read' | 'show'> {
  readonly days: Days;
  readonly figures: Figures;
}

/** Since the first count of the last 30 days. */
function Change({ days, figures, read, show }: ChangeProps) {
  const { t } = useTranslation();
  const counted = days.flatMap((one) => (one.figures ? [{ day: one.day, figures: one.figures }] : []));
  const [first] = counted;
  if (!first || counted.length < 2) return t('hospitals.usage.noChange');
  const change = read(figures) - read(first.figures);
  return (
    <>
      <span className="hms-number">{show(change, { signDisplay: 'exceptZero' })}</span>{' '}
      {t('hospitals.usage.since', { day: showDay(first.day) })}
    </>
  );
}

function sum(days: Days, field: 'requests' | 'failed'): number {
  return days.reduce((total, day) => total + day[field], 0);
}
