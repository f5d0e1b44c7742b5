/** How far a wave of migrations is. An admin halts and resumes it. */
import { Anchor, Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { focusTitle } from '../../../kit/lists/list-page.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { showMoment } from '../../../kit/time/time.ts';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { hospitalPath } from '../hospitals/hospitals.queries.ts';
import { OperatorText } from '../hospitals/operator-text.tsx';
import { type PlatformState, platformQuery } from './platform.queries.ts';
import { PlatformPage, StateBadge } from './platform-page.tsx';

type Migrations = PlatformState['migrations'];

export function MigrationsPage() {
  const { t } = useTranslation();
  return (
    <PlatformPage title={t('menu.migrations')}>
      {({ migrations }) => (
        <Stack gap="md">
          <Text size="sm">{t('platform.migrationsHow')}</Text>
          <Now migrations={migrations} />
          {migrations.failed.length > 0 && <Failed migrations={migrations} />}
        </Stack>
      )}
    </PlatformPage>
  );
}

interface Props {
  readonly migrations: Migrations;
}

function Now({ migrations }: Props) {
  const { t } = useTranslation();
  const { status, message, since, newest, all, done, waiting, held, running } = migrations;
  return (
    <Stack className="hms-panel" p="lg" gap="md">
      <Group gap="sm">
        <StateBadge value={status} label={t(`platform.wave.${waveOf(migrations)}`)} isCalm={!isTrouble(migrations)} />
        {since !== null && <Text size="sm">{t('platform.sinceMoment', { at: showMoment(since, undefined) })}</Text>}
      </Group>
      {all > 0 && (
        <Stack gap={4}>
          <Text size="sm" role="status">
            {t('platform.done', { done, count: all, version: newest })}
          </Text>
          <Progress value={Math.floor((100 * done) / all)} aria-label={t('platform.progress')} color="brand" />
        </Stack>
      )}
      {isTrouble(migrations) && <OperatorText>{message}</OperatorText>}
      <Facts
        facts={[
          { label: t('platform.newest'), value: newest },
          {
            label: t('platform.running'),
            value: running.length > 0 && (
              <Group gap="xs">
                {running.map((prefix) => (
                  <HospitalLink key={prefix} prefix={prefix} />
                ))}
              </Group>
            ),
          },
          { label: t('platform.waits'), value: waiting },
          ...(held > 0 ? [{ label: t('platform.held'), value: held }] : []),
        ]}
      />
      <Steps migrations={migrations} />
    </Stack>
  );
}

function Failed({ migrations: { failed } }: Props) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('platform.failed')}
      </Title>
      <Text size="sm">{t('platform.failedHow')}</Text>
      <div className="hms-panel">
        <DataTable
          label={t('platform.failed')}
          rows={failed}
          rowKey={({ hospital }) => hospital}
          columns={[
            {
              key: 'hospital',
              title: t('platform.columns.hospital'),
              render: ({ hospital }) => <HospitalLink prefix={hospital} />,
            },
            {
              key: 'why',
              title: t('platform.columns.why'),
              render: ({ message }) => <OperatorText>{message}</OperatorText>,
            },
          ]}
        />
      </div>
    </Stack>
  );
}

function Steps({ migrations: { state, failed } }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [busy, setBusy] = useState<'resume' | 'retry'>();
  const [error, setError] = useState<unknown>();
  if (!may('haltMigrations')) return null;
  const keep = (changed: PlatformState) => {
    setAsking(false);
    focusTitle();
    queries.setQueryData(platformQuery.queryKey, changed);
  };
  const take = async (step: 'resume' | 'retry') => {
    setBusy(step);
    setError(undefined);
    try {
      keep(await dataOf(api.POST(`/api/console/platform/migrations/${step}`, { body: {} })));
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(undefined);
    }
  };
  if (isAsking)
    return (
      <ReasonForm
        label={t('platform.reason')}
        submitLabel={t('platform.halt')}
        save={(reason) => dataOf(api.POST('/api/console/platform/migrations/halt', { body: { reason } }))}
        onSaved={keep}
        onCancel={() => setAsking(false)}
      />
    );
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{t(state === 'Halted' ? 'platform.resumeHow' : 'platform.haltHow')}</Text>
      <ErrorPanel error={error} />
      <Group gap="sm">
        {state === 'Halted' ? (
          <BusyButton isBusy={busy === 'resume'} onClick={() => void take('resume')}>
            {t('platform.resume')}
          </BusyButton>
        ) : (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('platform.haltAsk')}
          </Button>
        )}
        {failed.length > 0 && (
          <BusyButton variant="default" isBusy={busy === 'retry'} onClick={() => void take('retry')}>
            {t('platform.retry')}
          </BusyButton>
        )}
      </Group>
    </Stack>
  );
}

function HospitalLink({ prefix }: { readonly prefix: string }) {
  return (
    <Anchor renderRoot={(props) => <Link to={hospitalPath(prefix)} {...props} />} size="sm" dir="ltr">
      {prefix}
    </Anchor>
  );
}

type Wave = 'done' | 'running' | 'halted' | 'failed' | 'unknown' | 'haltedAhead';

function waveOf({ status, reason, state }: Migrations): Wave {
  if (status === 'Unknown') return 'unknown';
  if (status === 'True') return state === 'Halted' ? 'haltedAhead' : 'done';
  if (state === 'Halted' || reason === 'MigrationHalted') return 'halted';
  return reason === 'MigrationFailed' ? 'failed' : 'running';
}

/** Whether somebody has to do something. */
function isTrouble(migrations: Migrations): boolean {
  return ['halted', 'failed', 'haltedAhead'].includes(waveOf(migrations));
}
