/** What became of a result, and the next step of it. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { type LabItem, type LabOrder, versionsQuery } from './laboratory.queries.ts';
import { Value } from './result-parts.tsx';
import { useShowOrder } from './use-order.ts';

interface Props {
  readonly order: LabOrder;
  readonly item: LabItem;
  /** Whether the person entered it, and somebody else has to verify it. */
  readonly isOwn: boolean;
  /** Whether the button below the table verifies nothing else. */
  readonly isAlone: boolean;
  readonly onAgain: (() => void) | undefined;
  onAmend(): void;
  onCancel(): void;
}

export function ResultState({ order, item, isOwn, isAlone, onAgain, onAmend, onCancel }: Props) {
  const { t } = useTranslation();
  const by = useBy();
  const may = useMay();
  const show = useShowOrder();
  const { isBusy, error, run } = useRun();
  const { result, status, name } = item;
  if (status === 'cancelled')
    return (
      <Text size="xs">
        {t('laboratory.statuses.cancelled')}: <bdi>{item.cancelReason}</bdi>
      </Text>
    );
  if (!result)
    return (
      <Can operation="cancelLabOrder">
        <Button
          size="compact-xs"
          variant="default"
          c="bad"
          aria-label={t('laboratory.cancelOne', { test: name })}
          onClick={onCancel}
        >
          {t('laboratory.cancelTest')}
        </Button>
      </Can>
    );
  const { enteredBy, enteredAt, verifiedBy, verifiedAt, acknowledgedBy, acknowledgedAt, isCritical } = result;
  const verify = run(async () => {
    const request = { params: { path: { id: order.id } }, body: { resultIds: [result.id] } };
    show(await dataOf(api.POST('/api/hms/lab-orders/{id}/verify', request)));
  });
  return (
    <Stack gap={4} align="flex-start">
      <Text size="xs">
        {verifiedAt
          ? by('laboratory.verifiedBy', verifiedBy, verifiedAt)
          : by(result.source === 'analyser' ? 'laboratory.importedBy' : 'laboratory.enteredBy', enteredBy, enteredAt)}
      </Text>
      {isCritical && (
        <Text size="xs" fw={600} c={acknowledgedAt ? undefined : 'bad'}>
          {acknowledgedAt
            ? by('laboratory.acknowledgedBy', acknowledgedBy, acknowledgedAt)
            : t('laboratory.waitsForDoctor')}
        </Text>
      )}
      <Group gap={4}>
        {!verifiedAt && !isOwn && !isAlone && (
          <Can operation="verifyLabResults">
            <Button
              size="compact-xs"
              variant="default"
              loading={isBusy}
              aria-label={t('laboratory.verifyOne', { test: name })}
              onClick={verify}
            >
              {t('laboratory.verify')}
            </Button>
          </Can>
        )}
        {result.status === 'preliminary'
          ? may('enterLabResults') &&
            onAgain && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t('laboratory.againOne', { test: name })}
                onClick={onAgain}
              >
                {t('laboratory.again')}
              </Button>
            )
          : may('amendLabResult') && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t('laboratory.amendOne', { test: name })}
                onClick={onAmend}
              >
                {t('laboratory.amend')}
              </Button>
            )}
      </Group>
      <ErrorPanel error={error} />
    </Stack>
  );
}

/** The versions before the current one, with why they were replaced. */
export function FormerVersions({ order, item }: { readonly order: LabOrder; readonly item: LabItem }) {
  const by = useBy();
  const { result } = item;
  const versions = useQuery(versionsQuery(order, result?.supersedesId != null));
  if (!result?.supersedesId) return null;
  const own = (versions.data ?? []).filter(({ itemId }) => itemId === item.id);
  return own
    .filter(({ number }) => number < result.number)
    .toReversed()
    .map(({ id, value, enteredBy, enteredAt }) => {
      const next = own.find(({ supersedesId }) => supersedesId === id);
      return (
        <Text key={id} size="xs" c="dimmed">
          <del>
            <Value item={item} value={value} />
          </del>{' '}
          {by('laboratory.enteredBy', enteredBy, enteredAt)}
          {next?.reason && (
            <>
              {' · '}
              <bdi>{next.reason}</bdi>
            </>
          )}
        </Text>
      );
    });
}

type Said =
  | 'laboratory.enteredBy'
  | 'laboratory.importedBy'
  | 'laboratory.verifiedBy'
  | 'laboratory.acknowledgedBy'
  | 'laboratory.collectedBy'
  | 'laboratory.rejectedBy';

/** Who did something, and when. */
export function useBy() {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  return (word: Said, person: { readonly name: string | null } | null, at: string) =>
    t(word, { name: person?.name ?? t('laboratory.somebody'), time: showMoment(at, zone) });
}
