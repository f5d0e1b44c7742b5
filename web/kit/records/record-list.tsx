/** The list of plain records. */
import { Anchor, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FilterSelect } from '../lists/filter-select.tsx';
import { ListPage } from '../lists/list-page.tsx';
import { type FilteredSearch, listQuery } from '../lists/list-search.ts';
import { useChanges } from '../live/changes.ts';
import { Can } from '../roles/can.tsx';
import type { FilterProps } from './fields.tsx';
import { type Item, type Of, pathsOf, useWords } from './plain-record.ts';

/** All records, with search and filters. */
export function RecordList({ of }: Of) {
  const say = useWords(of.name);
  const { t } = useTranslation();
  const search: FilteredSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { list, record, ...paths } = pathsOf(of.name);
  const change = (changes: Partial<FilteredSearch>) =>
    void navigate({ to: list, search: { ...search, ...changes }, replace: 'q' in changes });
  const filterBy = (name: string) => ({
    value: search[name as 'q'],
    onChange: (value: string | undefined) => change({ page: undefined, [name]: value }),
  });
  const narrowing = [
    ...of.fields.flatMap(({ name, filter: Filter }) => (Filter ? [{ name, Filter }] : [])),
    ...(of.operations.activate ? [{ name: 'status', Filter: StatusFilter }] : []),
  ];
  const chosen = Object.fromEntries(
    narrowing.flatMap(({ name }) => (search[name as 'q'] === undefined ? [] : [[name, search[name as 'q']]])),
  );
  useChanges(of.changes, of.name);
  return (
    <ListPage<Item, FilteredSearch>
      title={say.title}
      search={search}
      onSearch={change}
      queryKey={[of.name, 'list', search]}
      read={(signal) => of.list({ ...listQuery(search), ...chosen }, signal)}
      rowKey={({ id }) => id}
      {...(of.isSearched ? { searchLabel: say('search') } : {})}
      empty={Object.keys(chosen).length > 0 ? t('list.nothingFiltered') : say('empty')}
      filters={narrowing.map(({ name, Filter }) => (
        <Filter key={name} label={name === 'status' ? t('records.status') : say(name)} {...filterBy(name)} />
      ))}
      action={
        <>
          {of.operations.import && (
            <Can operation={of.operations.import}>
              <Button variant="default" renderRoot={(props) => <Link to={paths.import} {...props} />}>
                {say('import')}
              </Button>
            </Can>
          )}
          <Can operation={of.operations.create}>
            <Button
              leftSection={<IconPlus size={18} aria-hidden />}
              renderRoot={(props) => <Link to={paths.create} {...props} />}
            >
              {say('new')}
            </Button>
          </Can>
        </>
      }
      columns={of.fields
        .filter(({ inList }) => inList)
        .map(({ name, sortable, cell }, index) => ({
          key: name,
          title: say(name),
          sortable,
          render: (item) =>
            index > 0 ? (
              cell(item[name as keyof Item])
            ) : (
              <Anchor
                renderRoot={(props) => <Link to={record} params={{ id: item.id }} {...props} />}
                fw={500}
                size="sm"
              >
                {cell(item[name as keyof Item])}
              </Anchor>
            ),
        }))}
    />
  );
}

function StatusFilter(filter: FilterProps) {
  const { t } = useTranslation();
  const data = (['active', 'inactive'] as const).map((value) => ({ value, label: t(`records.statuses.${value}`) }));
  return <FilterSelect {...filter} data={data} />;
}
