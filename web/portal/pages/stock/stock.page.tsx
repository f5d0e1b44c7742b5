/** The stock of the pharmacy: how much of each drug there is, the batches, and counts. */
import { Button, Stack, Tabs } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { Batches } from './batches.tsx';
import { Counts } from './counts.tsx';
import { Levels } from './levels.tsx';
import { countKeys, stockKeys } from './stock.queries.ts';

const route = getRouteApi('/stock');
const TABS = ['levels', 'batches', 'counts'] as const;

export function StockPage() {
  const { t } = useTranslation();
  const { tab = 'levels', ...search } = route.useSearch();
  const navigate = route.useNavigate();
  useChanges('/api/hms/stock-batches/changes', stockKeys.all);
  useChanges('/api/hms/stock-counts/changes', countKeys.all);
  const onSearch = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...changes }), replace: 'q' in changes });
  return (
    <Stack gap="md">
      <PageHead title={t('menu.stock')}>
        <Can operation="createStockBatch">
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/stock/receive" {...props} />}
          >
            {t('stock.receive')}
          </Button>
        </Can>
      </PageHead>
      <Tabs
        value={tab}
        onChange={(next) =>
          void navigate({ search: { tab: next === 'batches' || next === 'counts' ? next : undefined } })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`stock.tab.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="levels">
          <Levels search={search} onSearch={onSearch} />
        </Tabs.Panel>
        <Tabs.Panel value="batches">
          <Batches search={search} onSearch={onSearch} />
        </Tabs.Panel>
        <Tabs.Panel value="counts">
          <Counts search={search} onSearch={onSearch} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
