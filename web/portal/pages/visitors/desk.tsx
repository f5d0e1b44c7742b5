/** The desk: scan a pass, see who is inside, let people in and out. */
import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ScanField } from '../../../kit/forms/scan-field.tsx';
import { type Column, DataTable } from '../../../kit/lists/data-table.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { later } from '../../../kit/ui/later.ts';
import { PassActions, StepPanel, usePassSteps } from './steps.tsx';
import { insideQuery, mayEnterQuery, printInside, showEnd, type Visitor } from './visitors.queries.ts';

// The desk itself is there before the form of a new pass.
const PassForm = later(() => import('./pass.form.tsx'), 'PassForm');

interface Props {
  /** What was typed into the field for scans, and is no code of a pass. */
  onSearch(text: string): void;
}

export function Desk({ onSearch }: Props) {
  const { t } = useTranslation();
  const inside = useQuery(insideQuery());
  const waiting = useQuery(mayEnterQuery());
  const [isNew, setNew] = useState(false);
  // After each step by hand, the field for scans has the focus again.
  const [turn, setTurn] = useState(0);
  const steps = usePassSteps(() => setTurn((now) => now + 1));
  const zone = usePerson().hospital?.timezone;
  const scan = async (text: string) => {
    if (/^v[0-9a-z]{9}$/i.test(text)) await steps.scan(text);
    else onSearch(text);
    return undefined;
  };
  const mayWrite = useMay()('scanVisitorPass');
  const columns: readonly Column<Visitor>[] = [
    {
      key: 'name',
      title: t('visitors.name'),
      render: ({ name, relation, passNo }) => (
        <div>
          <bdi>
            <strong>{name}</strong>
          </bdi>{' '}
          <span className="hms-number">{passNo}</span>
          {relation !== null && (
            <Text size="xs" c="dimmed">
              <bdi>{relation}</bdi>
            </Text>
          )}
        </div>
      ),
    },
    {
      key: 'patient',
      title: t('visitors.patient'),
      render: ({ patientId, patientName, place }) => (
        <div>
          <Anchor size="sm" renderRoot={(props) => <Link to="/patients/$id" params={{ id: patientId }} {...props} />}>
            <bdi>{patientName}</bdi>
          </Anchor>
          {place !== null && (
            <Text size="xs" c="dimmed">
              <bdi>{place}</bdi>
            </Text>
          )}
        </div>
      ),
    },
  ];
  const actions: Column<Visitor> = {
    key: 'actions',
    title: t('list.actions'),
    render: (visitor) => <PassActions of={steps} visitor={visitor} />,
  };
  return (
    <Stack gap="md">
      {mayWrite && (
        <Group align="flex-end" gap="md">
          {/* The form of a pass takes the focus. */}
          <ScanField key={`${isNew} ${turn}`} label={t('visitors.scan')} onScan={scan} isFirst={!isNew} />
          {!isNew && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setNew(true)}>
              {t('visitors.new')}
            </Button>
          )}
        </Group>
      )}
      <StepPanel of={steps} />
      {isNew && (
        <Can operation="createVisitor">
          <Suspense fallback={<Skeleton height={120} animate={false} aria-busy />}>
            <PassForm
              onDone={(issued) => {
                setNew(false);
                if (!issued) return;
                steps.tell({ visitor: issued.visitor, step: issued.visitor.status === 'checked_in' ? 'in' : 'issued' });
                steps.refuse(issued.refusal);
              }}
            />
          </Suspense>
        </Can>
      )}
      <People
        title={t('visitors.inside')}
        empty={t('visitors.nobodyInside')}
        of={inside}
        action={
          <Button size="compact-sm" variant="default" onClick={() => void printInside().catch(steps.refuse)}>
            {t('visitors.printInside')}
          </Button>
        }
        columns={[
          ...columns,
          {
            key: 'since',
            title: t('visitors.since'),
            render: ({ checkedInAt, isExpired }) => (
              <div>
                {checkedInAt !== null && showMoment(checkedInAt, zone)}
                {isExpired && (
                  <Text size="xs" c="bad" fw={600}>
                    {t('visitors.over')}
                  </Text>
                )}
              </div>
            ),
          },
          actions,
        ]}
      />
      <People
        title={t('visitors.mayEnter')}
        empty={t('visitors.nobodyExpected')}
        of={waiting}
        columns={[
          ...columns,
          { key: 'until', title: t('visitors.validTo'), render: ({ validTo }) => showEnd(validTo, zone) },
          actions,
        ]}
      />
    </Stack>
  );
}

interface PeopleProps {
  readonly title: string;
  readonly empty: string;
  readonly of: ReturnType<
    typeof useQuery<{ readonly data: readonly Visitor[]; readonly meta: { readonly total: number } }>
  >;
  readonly columns: readonly Column<Visitor>[];
  readonly action?: ReactNode;
}

function People({ title, empty, of, columns, action }: PeopleProps) {
  const heading = of.data ? `${title} (${of.data.meta.total})` : title;
  return (
    <Stack className="hms-panel" gap="xs" pt="md" component="section" aria-label={title}>
      <Group px="md" gap="md" justify="space-between">
        <Title order={2} size="h4">
          {heading}
        </Title>
        {action}
      </Group>
      {of.isError && !of.data ? (
        <Stack p="md">
          <ErrorPanel error={of.error} onRetry={() => void of.refetch()} />
        </Stack>
      ) : !of.data ? (
        <Skeleton height={80} animate={false} aria-busy />
      ) : of.data.data.length === 0 ? (
        <Text px="md" pb="md" c="dimmed">
          {empty}
        </Text>
      ) : (
        <DataTable label={title} rows={of.data.data} rowKey={({ id }) => id} columns={columns} />
      )}
    </Stack>
  );
}
