/** The batches, the ones that expire first at the top. */
import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FilterCheckbox } from '../../../kit/lists/filter-checkbox.tsx';
import { FilterSelect } from '../../../kit/lists/filter-select.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { BATCH_STATUSES } from './statuses.ts';
import { type BatchSearch, readBatches, stockKeys } from './stock.queries.ts';
import { BatchBadge, Expiry, useExpiry } from './stock-parts.tsx';

interface Props {
  readonly search: BatchSearch;
  onSearch(changes: Partial<BatchSearch>): void;
}

export function Batches({ search, onSearch }: Props) {
  const { t } = useTranslation();
  const { soonBefore } = useExpiry();
  const box = (name: 'soon' | 'empty') => (
    <FilterCheckbox
      label={t(name === 'soon' ? 'stock.onlySoon' : 'stock.emptyToo')}
      checked={search[name] ?? false}
      onChange={(on) => onSearch({ [name]: on })}
    />
  );
  return (
    <ListPage
      isPart
      title={t('stock.tab.batches')}
      search={search}
      onSearch={onSearch}
      queryKey={stockKeys.batches(search)}
      read={(signal) => readBatches(search, soonBefore, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('stock.searchBatch')}
      empty={t('stock.noBatches')}
      filters={
        <>
          <FilterSelect
            label={t('stock.status')}
            value={search.status}
            onChange={(status) => onSearch({ status })}
            data={BATCH_STATUSES.map((value) => ({ value, label: t(`stock.statuses.${value}`) }))}
          />
          {box('soon')}
          {box('empty')}
          {search.drug && (
            <Button variant="default" onClick={() => onSearch({ drug: undefined })}>
              {t('stock.allDrugs')}
            </Button>
          )}
        </>
      }
      columns={[
        {
          key: 'batchNo',
          title: t('stock.batchNo'),
          render: ({ id, batchNo }) => (
            <Anchor
              size="sm"
              fw={500}
              renderRoot={(props) => <Link to="/stock/batches/$id" params={{ id }} {...props} />}
            >
              <span className="hms-number">{batchNo}</span>
            </Anchor>
          ),
        },
        {
          key: 'drug',
          title: t('stock.drug'),
          render: ({ drugName, drugCode }) => (
            <>
              <bdi>{drugName}</bdi>{' '}
              <Text span size="xs" c="dimmed" className="hms-number">
                {drugCode}
              </Text>
            </>
          ),
        },
        { key: 'location', title: t('stock.location'), render: ({ location }) => <bdi>{location}</bdi> },
        {
          key: 'expiresOn',
          title: t('stock.expiresOn'),
          sortable: true,
          render: ({ expiresOn }) => <Expiry expiresOn={expiresOn} />,
        },
        {
          key: 'onHand',
          title: t('stock.onHand'),
          render: ({ onHand, unit }) => (
            <>
              <span className="hms-number">{onHand}</span> <bdi>{unit}</bdi>
            </>
          ),
        },
        { key: 'status', title: t('stock.status'), render: (batch) => <BatchBadge batch={batch} /> },
      ]}
    />
  );
}
