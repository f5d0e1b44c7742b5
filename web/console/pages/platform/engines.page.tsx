/** The engines that all hospitals share: whether they answer, since when, and what the operator found in them. */
import { Stack, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import { showMoment } from '../../../kit/time/time.ts';
import type { PlatformState } from './platform.queries.ts';
import { PlatformPage, StateBadge } from './platform-page.tsx';

const COLUMNS = ['engine', 'isSo', 'why', 'since'] as const;
type Engine = PlatformState['engines'][number];

export function EnginesPage() {
  const { t } = useTranslation();
  return (
    <PlatformPage title={t('menu.engines')}>
      {({ engines }) => (
        <Stack gap="md">
          <div className="hms-panel hms-scroll">
            <Table className="hms-table" aria-label={t('menu.engines')} verticalSpacing="xs" horizontalSpacing="md">
              <Table.Thead>
                <Table.Tr>
                  {COLUMNS.map((column) => (
                    <Table.Th key={column} scope="col">
                      {t(`platform.columns.${column}`)}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {engines.map((engine) => (
                  <Row key={engine.name} engine={engine} />
                ))}
              </Table.Tbody>
            </Table>
          </div>
          <Findings engines={engines} />
        </Stack>
      )}
    </PlatformPage>
  );
}

function Row({ engine: { name, status, message, reason, since, waiting } }: { readonly engine: Engine }) {
  const { t } = useTranslation();
  return (
    <Table.Tr>
      <Table.Td data-label={t('platform.columns.engine')}>
        <Text size="sm" fw={500}>
          {nameOf(name)}
        </Text>
      </Table.Td>
      <Table.Td data-label={t('platform.columns.isSo')}>
        <StateBadge value={status} label={t(`platform.engine.${status}`)} />
      </Table.Td>
      <Table.Td data-label={t('platform.columns.why')}>
        <Stack gap={2}>
          {status !== 'True' && (
            <>
              <Text size="sm" dir="ltr" ta="start" style={{ overflowWrap: 'anywhere' }}>
                {message}
              </Text>
              <Text size="xs" c="dimmed" dir="ltr" ta="start">
                {reason}
              </Text>
            </>
          )}
          <Text size="sm">
            {waiting > 0 ? t('platform.waiting', { count: waiting }) : status === 'True' && t('platform.noneWaits')}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td data-label={t('platform.columns.since')}>
        {since === null ? '–' : <span className="hms-number">{showMoment(since, undefined)}</span>}
      </Table.Td>
    </Table.Tr>
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
                <Text size="sm" dir="ltr" ta="start" style={{ overflowWrap: 'anywhere' }}>
                  {finding}
                </Text>
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
