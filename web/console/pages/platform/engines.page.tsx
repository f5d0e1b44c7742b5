/** The engines that all hospitals share: whether they answer, since when, and what the operator found in them. */
import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { showMoment } from '../../../kit/time/time.ts';
import { OperatorText } from '../hospitals/operator-text.tsx';
import type { PlatformState } from './platform.queries.ts';
import { PlatformPage, StateBadge } from './platform-page.tsx';

type Engine = PlatformState['engines'][number];

export function EnginesPage() {
  const { t } = useTranslation();
  return (
    <PlatformPage title={t('menu.engines')}>
      {({ engines }) => (
        <Stack gap="md">
          <Engines engines={engines} />
          <Findings engines={engines} />
        </Stack>
      )}
    </PlatformPage>
  );
}

function Engines({ engines }: { readonly engines: readonly Engine[] }) {
  const { t } = useTranslation();
  return (
    <div className="hms-panel">
      <DataTable
        label={t('menu.engines')}
        rows={engines}
        rowKey={({ name }) => name}
        columns={[
          {
            key: 'engine',
            title: t('platform.columns.engine'),
            render: ({ name }) => (
              <Text size="sm" fw={500}>
                {nameOf(name)}
              </Text>
            ),
          },
          {
            key: 'isSo',
            title: t('platform.columns.isSo'),
            render: ({ status }) => <StateBadge value={status} label={t(`platform.engine.${status}`)} />,
          },
          { key: 'why', title: t('platform.columns.why'), render: (engine) => <Why engine={engine} /> },
          {
            key: 'since',
            title: t('platform.columns.since'),
            render: ({ since }) => (
              <span className="hms-number">{since === null ? '–' : showMoment(since, undefined)}</span>
            ),
          },
        ]}
      />
    </div>
  );
}

function Why({ engine: { status, message, reason, waiting } }: { readonly engine: Engine }) {
  const { t } = useTranslation();
  return (
    <Stack gap={2}>
      {status !== 'True' && (
        <>
          <OperatorText>{message}</OperatorText>
          <OperatorText isReason>{reason}</OperatorText>
        </>
      )}
      <Text size="sm">
        {waiting > 0 ? t('platform.waiting', { count: waiting }) : status === 'True' && t('platform.noneWaits')}
      </Text>
    </Stack>
  );
}

function Findings({ engines }: { readonly engines: readonly Engine[] }) {
  const { t } = useTranslation();
  const found = engines.filter(({ findings }) => findings.length > 0);
  return (
    <Stack className="hms-panel" p="lg" gap="sm">
      <Title order={2} size="h4">
        {t('platform.findings')}
      </Title>
      <Text size="sm">{t('platform.findingsHow')}</Text>
      {found.length === 0 && <Text size="sm">{t('platform.noFindings')}</Text>}
      {found.map(({ name, findings }) => (
        <Stack key={name} gap={4}>
          <Title order={3} size="h5">
            {nameOf(name)}
          </Title>
          <ul>
            {findings.map((finding) => (
              <li key={finding}>
                <OperatorText>{finding}</OperatorText>
              </li>
            ))}
          </ul>
        </Stack>
      ))}
    </Stack>
  );
}

function nameOf(engine: string): string {
  return wordOf(`platform.names.${engine}`) ?? engine;
}
