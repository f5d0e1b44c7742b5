/** The list of plain records. */
import { Anchor, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ListPage } from '../lists/list-page.tsx';
import { type ListSearch, listQuery } from '../lists/list-search.ts';
import { useChanges } from '../live/changes.ts';
import { Can } from '../roles/can.tsx';
import { type Item, type Of, pathsOf, useWords } from './plain-record.ts';

/** All records, with search. */
export function RecordList({ of }: Of) {
  const say = useWords(of.name);
  const search: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { list, record, create } = pathsOf(of.name);
  useChanges(of.changes, of.name);
  return (
    <ListPage<Item, ListSearch>
      title={say.title}
      search={search}
      onSearch={(changes) => void navigate({ to: list, search: { ...search, ...changes }, replace: 'q' in changes })}
      queryKey={[of.name, 'list', search]}
      read={(signal) => of.list(listQuery(search), signal)}
      rowKey={({ id }) => id}
      searchLabel={say('search')}
      empty={say('empty')}
      action={
        <Can operation={of.operations.create}>
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            renderRoot={(props) => <Link to={create} {...props} />}
          >
            {say('new')}
          </Button>
        </Can>
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
