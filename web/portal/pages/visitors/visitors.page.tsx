/** Visitors: the desk, all passes, and the visiting hours. */
import { Skeleton, Stack, Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { later } from '../../../kit/ui/later.ts';
import { Desk } from './desk.tsx';
import { visitorKeys } from './visitors.queries.ts';

// What is behind other tabs than the first one is loaded when somebody opens them.
const Hours = later(() => import('./hours.tsx'), 'Hours');
const Passes = later(() => import('./passes.tsx'), 'Passes');

const route = getRouteApi('/visitors');
const TABS = ['desk', 'passes', 'hours'] as const;

export function VisitorsPage() {
  const { t } = useTranslation();
  const { tab = 'desk', ...search } = route.useSearch();
  const navigate = route.useNavigate();
  useChanges('/api/crm/visitors/changes', visitorKeys.all);
  return (
    <Stack gap="md">
      <PageHead title={t('menu.visitors')} />
      <Tabs
        value={tab}
        onChange={(next) =>
          void navigate({ search: { tab: TABS.find((one) => one === next && one !== 'desk') as 'passes' | undefined } })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`visitors.tab.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Suspense fallback={<Skeleton height={120} animate={false} aria-busy />}>
          <Tabs.Panel value="desk">
            <Desk onSearch={(q) => void navigate({ search: { tab: 'passes', q } })} />
          </Tabs.Panel>
          <Tabs.Panel value="passes">
            <Passes
              search={search}
              onSearch={(changes) =>
                void navigate({ search: (now) => ({ ...now, page: undefined, ...changes }), replace: 'q' in changes })
              }
            />
          </Tabs.Panel>
          <Tabs.Panel value="hours">
            <Hours />
          </Tabs.Panel>
        </Suspense>
      </Tabs>
    </Stack>
  );
}
