/** What is short in the pharmacy and what expires: above each page of whoever is told, until they hide it. */
import { Alert, Anchor, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../kit/api/api.ts';
import { useMay } from '../kit/roles/can.tsx';
import { usePerson } from '../kit/session/use-session.ts';

/** In ms. The stock is checked each hour. */
const INTERVAL = 300_000;
/** Where the page shows what to do. Expired batches are before those that expire. */
const PLACES = {
  belowReorderLevel: { below: true },
  expiring: { tab: 'batches', soon: true },
  onlyExpired: { tab: 'batches', soon: true },
} as const;
const KINDS = Object.keys(PLACES) as readonly (keyof typeof PLACES)[];

export function StockNotice() {
  const isFor = useMay()('readStockWarnings');
  const { data } = useQuery({
    // Beside what the pages of the stock read, which changes with it.
    queryKey: ['stock', 'warnings'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/stock-warnings', { signal })),
    enabled: isFor,
    refetchInterval: INTERVAL,
  });
  const key = `hms-stock-warnings-${usePerson().id}`;
  const [seen, setSeen] = useState(() => seenUntil(key));
  const latest = data?.latestAt ?? '';
  const hide = () => {
    setSeen(latest);
    remember(key, latest);
  };
  return <div aria-live="polite">{isFor && data && latest > seen && <Notice {...data} onHide={hide} />}</div>;
}

function Notice({ onHide, ...warnings }: Schemas['StockWarnings'] & { onHide(): void }) {
  const { t } = useTranslation();
  return (
    <Alert
      color="warning"
      variant="outline"
      mb="md"
      title={t('stockWarnings.title')}
      withCloseButton
      closeButtonLabel={t('stockWarnings.hide')}
      onClose={onHide}
    >
      <Group gap="md">
        {KINDS.filter((kind) => warnings[kind] > 0).map((kind) => (
          <Anchor key={kind} size="sm" renderRoot={(props) => <Link to="/stock" search={PLACES[kind]} {...props} />}>
            {t(`stockWarnings.${kind}`, { number: warnings[kind] })}
          </Anchor>
        ))}
      </Group>
    </Alert>
  );
}

/** The latest warning that somebody has hidden in this browser. */
function seenUntil(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function remember(key: string, latest: string): void {
  try {
    localStorage.setItem(key, latest);
  } catch {
    // A browser may forbid it. It is hidden for as long as the page is open then.
  }
}
