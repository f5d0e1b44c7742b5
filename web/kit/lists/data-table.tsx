/** Rows of records. On a phone, each row is a card. */
import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowsSort, IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export interface Column<Row> {
  /** Also the field to sort by, if `sortable`. */
  readonly key: string;
  readonly title: string;
  readonly sortable?: boolean;
  render(row: Row): ReactNode;
}

interface Props<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  rowKey(row: Row): string;
  readonly sort?: string | undefined;
  onSort?(sort: string | undefined): void;
}

export function DataTable<Row>({ label, rows, columns, rowKey, sort, onSort }: Props<Row>) {
  return (
    <div className="hms-scroll">
      <Table className="hms-table" aria-label={label} highlightOnHover verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, title, sortable }) => (
              <Table.Th key={key} scope="col" aria-sort={sortable ? direction(key, sort) : undefined}>
                {sortable && onSort ? <SortButton {...{ title, field: key, sort, onSort }} /> : title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map(({ key, title, render }) => (
                <Table.Td key={key} data-label={title}>
                  {/* One element, beside the name of the column on a phone. */}
                  <div>{render(row)}</div>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function direction(field: string, sort: string | undefined): 'ascending' | 'descending' | 'none' {
  if (sort === field) return 'ascending';
  return sort === `-${field}` ? 'descending' : 'none';
}

interface SortProps {
  readonly title: string;
  readonly field: string;
  readonly sort: string | undefined;
  onSort(sort: string | undefined): void;
}

/** Ascending, descending, and back to the order of the list. */
function SortButton({ title, field, sort, onSort }: SortProps) {
  const { t } = useTranslation();
  const order = direction(field, sort);
  const Icon = { ascending: IconSortAscending, descending: IconSortDescending, none: IconArrowsSort }[order];
  const next = { none: field, ascending: `-${field}`, descending: undefined }[order];
  return (
    <UnstyledButton
      fz="inherit"
      fw="inherit"
      c="inherit"
      display="inline-flex"
      style={{ gap: 6, alignItems: 'center' }}
      onClick={() => onSort(next)}
      title={t('list.sortBy', { title })}
    >
      {title} <Icon size={14} aria-hidden />
    </UnstyledButton>
  );
}
