/** The end of a month: what has to be settled before its books are closed, and its figures. */
import { Anchor, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { presetPeriod } from '../reports/period.ts';
import { monthEndQuery, type Todo } from './month-end.queries.ts';

const route = getRouteApi('/month-end');

/** Where each of them is settled. */
const LINKS: Readonly<Record<Todo, LinkProps>> = {
  shiftsOpen: { to: '/shifts', search: { tab: 'all' } },
  shiftsClosed: { to: '/shifts', search: { tab: 'all', closed: true } },
  shiftsDisputed: { to: '/shifts', search: { tab: 'all' } },
  refunds: { to: '/refunds' },
  drafts: { to: '/invoices' },
  parts: { to: '/bank' },
  rules: { to: '/month-end' },
};

const FIGURES = [
  ['revenue', 'day'],
  ['collections', 'method'],
  ['refunds', 'approver'],
  ['shift-variance', 'cashier'],
  ['outstanding', 'debtor'],
] as const;

export function MonthEndPage() {
  const { t } = useTranslation();
  const { hospital } = usePerson();
  const today = todayIn(hospital?.timezone);
  const { month = today.slice(0, 7) } = route.useSearch();
  const navigate = route.useNavigate();
  const { from, to } = presetPeriod('thisMonth', `${month}-01`, 1);
  const found = useQuery(monthEndQuery(`${from}T00:00:00Z`, `${to}T23:59:59Z`));
  const todo = Object.entries(found.data?.counts ?? {}) as [Todo, number][];
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={t('menu.month-end')} />
      <Text size="sm">{t('monthEnd.how')}</Text>
      <TextInput
        type="month"
        label={t('monthEnd.month')}
        maw="14rem"
        value={month}
        max={today.slice(0, 7)}
        onChange={({ currentTarget: { value } }) => {
          if (/^\d{4}-\d\d$/.test(value)) void navigate({ search: { month: value } });
        }}
      />
      <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
      {found.isPending ? (
        <Skeleton height={200} animate={false} aria-busy />
      ) : (
        <div className="hms-panel">
          <Table aria-label={t('monthEnd.todo')}>
            <Table.Tbody>
              {todo.map(([name, count]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" fw={500}>
                    {count === 0 ? (
                      t(`monthEnd.${name}`)
                    ) : (
                      <Anchor size="sm" fw={500} renderRoot={(props) => <Link {...LINKS[name]} {...props} />}>
                        {t(`monthEnd.${name}`)}
                      </Anchor>
                    )}
                  </Table.Th>
                  <Table.Td ta="end">
                    {count === 0 ? (
                      <Text span size="sm" c="good">
                        <IconCircleCheck size={16} aria-hidden /> {t('monthEnd.done')}
                      </Text>
                    ) : (
                      <Text span size="sm" fw={600} c="bad">
                        <IconAlertTriangle size={16} aria-hidden /> <span className="hms-number">{count}</span>
                      </Text>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {(found.data?.broken ?? []).map(({ rule, means, broken }) => (
            <Text key={rule} size="sm" c="bad" p="md">
              {means} {broken.join(', ')}
            </Text>
          ))}
        </div>
      )}
      <Stack gap="xs" component="section" aria-label={t('monthEnd.figures')}>
        <Text fw={600}>{t('monthEnd.figures')}</Text>
        {FIGURES.map(([name, groupBy]) => (
          <Anchor
            key={name}
            size="sm"
            renderRoot={(props) => (
              <Link to="/reports/$name" params={{ name }} search={{ from, to, groupBy }} {...props} />
            )}
          >
            {t(`monthEnd.reports.${name}`)}
          </Anchor>
        ))}
      </Stack>
    </Stack>
  );
}
