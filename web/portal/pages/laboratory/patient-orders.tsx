/** The orders of a patient, with their results. */
import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconMicroscope } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { Acknowledge } from './acknowledge.tsx';
import { labChanges, labKeys, readOrdersOf } from './laboratory.queries.ts';
import { ReportButtons, StatusBadge } from './order-parts.tsx';
import { PriorityBadge, ResultLines } from './result-parts.tsx';

interface Props {
  readonly id: string;
  readonly page: number | undefined;
  onPage(page: number | undefined): void;
}

export function PatientOrders({ id, page, onPage }: Props) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  useChanges(labChanges, labKeys.all);
  return (
    <ListPage
      isPart
      title={t('patients.tab.laboratory')}
      search={{ page, q: undefined, sort: undefined }}
      onSearch={(changes) => onPage(changes.page)}
      queryKey={labKeys.list({ patientId: id, page })}
      read={(signal) => readOrdersOf(id, page, signal)}
      rowKey={(order) => order.id}
      empty={t('laboratory.noOrders')}
      filters={
        <Can operation="createLabOrder">
          <Button
            leftSection={<IconMicroscope size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/laboratory/new" search={{ patient: id }} {...props} />}
          >
            {t('laboratory.new')}
          </Button>
        </Can>
      }
      columns={[
        {
          key: 'orderNo',
          title: t('laboratory.order'),
          render: (order) => (
            <>
              <Anchor
                size="sm"
                fw={500}
                className="hms-number"
                renderRoot={(props) => <Link to="/laboratory/$id" params={{ id: order.id }} {...props} />}
              >
                {order.orderNo}
              </Anchor>
              <Text size="xs" c="dimmed">
                {showMoment(order.createdAt, zone)}
              </Text>
            </>
          ),
        },
        {
          key: 'status',
          title: t('laboratory.state'),
          render: ({ status, priority }) => (
            <Group gap={6}>
              <StatusBadge status={status} />
              {priority !== 'routine' && <PriorityBadge priority={priority} />}
            </Group>
          ),
        },
        {
          key: 'results',
          title: t('laboratory.results'),
          render: ({ items }) => (
            <ResultLines items={items.filter(({ status }) => status !== 'cancelled')} patientId={id} />
          ),
        },
        {
          key: 'actions',
          title: t('list.actions'),
          render: (order) => (
            <Group gap="xs">
              <Acknowledge order={order} />
              <ReportButtons order={order} />
            </Group>
          ),
        },
      ]}
    />
  );
}
