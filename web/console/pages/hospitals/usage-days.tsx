/** Requests by day: as bars for eyes, and as a table for everybody. */
import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../kit/api/api.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { showDay } from '../../../kit/time/time.ts';
import { showNumber } from './amounts.ts';

type Days = Schemas['HospitalUsage']['days'];

/** In pixels. */
const HEIGHT = 96;

export function UsageDays({ days }: { readonly days: Days }) {
  const { t } = useTranslation();
  const [isTable, setTable] = useState(false);
  const id = useId();
  const most = Math.max(...days.map(({ requests }) => requests));
  return (
    <Stack className="hms-panel" p="lg" gap="sm">
      <Title order={2} size="h4">
        {t('hospitals.usage.byDay')}
      </Title>
      <Text size="sm">
        {most === 0
          ? t('hospitals.usage.unused')
          : t('hospitals.usage.summary', {
              used: days.filter(({ requests }) => requests > 0).length,
              days: days.length,
              most: showNumber(most),
            })}
      </Text>
      <Bars days={days} most={most} />
      <Anchor
        component="button"
        type="button"
        size="sm"
        style={{ alignSelf: 'start' }}
        aria-expanded={isTable}
        aria-controls={id}
        onClick={() => setTable(!isTable)}
      >
        {t('hospitals.usage.asTable')}
      </Anchor>
      <div id={id} hidden={!isTable}>
        {isTable && <Table days={days} />}
      </div>
    </Stack>
  );
}

/** The text beside it says the same in short, and the table in full. */
function Bars({ days, most }: { readonly days: Days; readonly most: number }) {
  const heightOf = (requests: number) => (requests === 0 ? 0 : Math.max(2, (HEIGHT * requests) / most));
  const [first, last] = [days.at(0)?.day, days.at(-1)?.day];
  return (
    <div aria-hidden>
      <div
        style={{
          ...{ display: 'flex', alignItems: 'flex-end', gap: 2, height: HEIGHT },
          borderBlockEnd: '1px solid var(--mantine-color-dimmed)',
        }}
      >
        {days.map(({ day, requests, failed }) => (
          <div key={day} title={`${showDay(day)}: ${showNumber(requests)}`} style={{ flex: 1, minWidth: 0 }}>
            <div
              style={{ height: heightOf(requests) - heightOf(failed), background: 'var(--mantine-color-brand-text)' }}
            />
            <div style={{ height: heightOf(failed), background: 'var(--mantine-color-bad-text)' }} />
          </div>
        ))}
      </div>
      <Group justify="space-between" mt={4}>
        {[first, last].map((day) => (
          <Text key={day} size="xs" c="dimmed">
            {day && showDay(day)}
          </Text>
        ))}
      </Group>
    </div>
  );
}

function Table({ days }: { readonly days: Days }) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t('hospitals.usage.byDay')}
      rows={days.toReversed()}
      rowKey={({ day }) => day}
      columns={[
        { key: 'day', title: t('hospitals.usage.day'), render: ({ day }) => <Digits text={showDay(day)} /> },
        {
          key: 'requests',
          title: t('hospitals.usage.requests'),
          render: ({ requests }) => <Digits text={showNumber(requests)} />,
        },
        {
          key: 'failed',
          title: t('hospitals.usage.failedColumn'),
          render: ({ failed }) => <Digits text={showNumber(failed)} />,
        },
        {
          key: 'patients',
          title: t('hospitals.usage.patients'),
          render: ({ figures }) => <Digits text={figures ? showNumber(figures.patients) : '–'} />,
        },
        {
          key: 'rows',
          title: t('hospitals.usage.rows'),
          render: ({ figures }) => <Digits text={figures ? showNumber(figures.rows) : '–'} />,
        },
      ]}
    />
  );
}

function Digits({ text }: { readonly text: string }) {
  return <span className="hms-number">{text}</span>;
}
