/** How much of each drug there is, and what has to be ordered. */
import { Anchor, Badge, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FilterCheckbox } from '../../../kit/lists/filter-checkbox.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { type LevelSearch, readLevels, stockKeys } from './stock.queries.ts';
import { Expiry } from './stock-parts.tsx';

const REASONS = ['expired', 'quarantined', 'recalled'] as const;

interface Props {
  readonly search: LevelSearch;
  onSearch(changes: Partial<LevelSearch>): void;
}

export function Levels({ search, onSearch }: Props) {
  const { t } = useTranslation();
  const { q, page, below } = search;
  return (
    <ListPage
      isPart
      title={t('stock.tab.levels')}
      search={search}
      onSearch={onSearch}
      queryKey={stockKeys.levels({ q, page, below, sort: undefined })}
      read={(signal) => readLevels({ q, page, below, sort: undefined }, signal)}
      rowKey={({ drugId }) => drugId}
      searchLabel={t('stock.searchDrug')}
      empty={t(below ? 'stock.nothingBelow' : 'stock.noDrugs')}
      filters={
        <FilterCheckbox label={t('stock.below')} checked={below ?? false} onChange={(on) => onSearch({ below: on })} />
      }
      columns={[
        {
          key: 'name',
          title: t('stock.drug'),
          render: ({ drugId, name, code }) => (
            <>
              <Anchor
                size="sm"
                fw={500}
                renderRoot={(props) => <Link to="/stock" search={{ tab: 'batches', drug: drugId }} {...props} />}
              >
                <bdi>{name}</bdi>
              </Anchor>{' '}
              <Text span size="xs" c="dimmed" className="hms-number">
                {code}
              </Text>
            </>
          ),
        },
        {
          key: 'available',
          title: t('stock.available'),
          render: ({ available, unit, isBelowReorderLevel }) => (
            <>
              <span className="hms-number">{available}</span> <bdi>{unit}</bdi>{' '}
              {isBelowReorderLevel && (
                <Badge color="warning" variant="outline" tt="none">
                  {t('stock.order')}
                </Badge>
              )}
            </>
          ),
        },
        {
          key: 'reorderLevel',
          title: t('stock.reorderLevel'),
          render: ({ reorderLevel }) => <span className="hms-number">{reorderLevel}</span>,
        },
        {
          key: 'notAvailable',
          title: t('stock.notAvailable'),
          render: (level) =>
            REASONS.filter((reason) => level[reason] > 0)
              .map((reason) => t(`stock.withheld.${reason}`, { count: level[reason] }))
              .join(', ') || '–',
        },
        {
          key: 'nextExpiry',
          title: t('stock.nextExpiry'),
          render: ({ nextExpiry }) => (nextExpiry === null ? '–' : <Expiry expiresOn={nextExpiry} />),
        },
      ]}
    />
  );
}
