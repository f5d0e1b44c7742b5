/** Reports of which employees are told regularly, by mail. */
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { showDay } from '../../../kit/time/time.ts';
import { HowOften, NextMail, Recipients, ReportOf } from './mail.parts.tsx';
import { planKeys, readPlans } from './mail.queries.ts';
import { Trail } from './trail.tsx';
import './reports.css';

const route = getRouteApi('/reports/mail');

export function MailsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const title = t('reports.mail.title');
  return (
    <Stack gap="md">
      <Trail period={{}} here={title} />
      <ListPage
        title={title}
        search={search}
        onSearch={(changes) => void navigate({ search: (now) => ({ ...now, ...changes }) })}
        queryKey={planKeys.list(search)}
        read={(signal) => readPlans(search, signal)}
        rowKey={({ id }) => id}
        empty={t('reports.mail.empty')}
        above={
          <Text size="sm" c="dimmed" maw="50rem">
            {t('reports.mail.how')}
          </Text>
        }
        action={
          <Can operation="createReportSchedule">
            <Button
              leftSection={<IconPlus size={18} aria-hidden />}
              renderRoot={(props) => <Link to="/reports/mail/new" {...props} />}
            >
              {t('reports.mail.new')}
            </Button>
          </Can>
        }
        columns={[
          {
            key: 'title',
            title: t('reports.mail.fields.title'),
            sortable: true,
            render: ({ id, title }) => (
              <Anchor
                size="sm"
                fw={500}
                renderRoot={(props) => <Link to="/reports/mail/$id" params={{ id }} {...props} />}
              >
                <bdi>{title}</bdi>
              </Anchor>
            ),
          },
          { key: 'report', title: t('reports.mail.fields.report'), render: (plan) => <ReportOf plan={plan} /> },
          { key: 'period', title: t('reports.mail.fields.period'), render: (plan) => <HowOften plan={plan} /> },
          {
            key: 'recipients',
            title: t('reports.mail.fields.recipientIds'),
            render: (plan) => <Recipients plan={plan} />,
          },
          { key: 'nextSendAt', title: t('reports.mail.next'), render: (plan) => <NextMail plan={plan} /> },
          {
            key: 'lastSentOn',
            title: t('reports.mail.last'),
            render: ({ lastSentOn }) => (
              <span className="hms-number">{lastSentOn === null ? '–' : showDay(lastSentOn)}</span>
            ),
          },
        ]}
      />
    </Stack>
  );
}
