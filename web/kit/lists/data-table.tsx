/** Rows of records. On a phone, each row is a card. */
import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowsSort, IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode, useEffect, useEffectEvent } from 'react';
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
  /** The rows are those of another search. They stay as they are until its own are there. */
  readonly isFormer?: boolean;
  readonly columns: readonly Column<Row>[];
  rowKey(row: Row): string;
  readonly sort?: string | undefined;
  onSort?(sort: string | undefined): void;
}

/** Rendering 20 rows takes longer than anything else about a key in a search field. */
export const DataTable = memo(Rows, (before, now) => now.isFormer === true && before.rows === now.rows) as typeof Rows;

function Rows<Row>({ label, rows, columns, rowKey, sort, onSort }: Props<Row>) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the links in it
    <div className="hms-scroll" onKeyDown={walkRows}>
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
            <Table.Tr key={rowKey(row)} onClick={openRow}>
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

/** The whole row opens what its first link leads to, unless somebody uses something in it or marks a text. */
function openRow({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): void {
  if ((target as Element).closest('a, button, input, select, label, details') || String(getSelection())) return;
  currentTarget.querySelector('a')?.click();
}

/**
 * Enter after a search opens what was found, if it is one row.
 * @param isFound whether the rows are those of the text that was entered.
 */
export function useOnlyRow(isFound: boolean, count: number, onDone: () => void): void {
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (!isFound) return;
    done();
    if (count === 1) document.querySelector<HTMLElement>('.hms-table tbody tr a')?.click();
  }, [isFound, count]);
}

/** The arrow keys walk from row to row. @param event in a row's link or, downwards, in the search field. */
export function walkRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  // What is in a row has these keys for itself.
  const isInRow = event.target !== event.currentTarget;
  if (isInRow && (event.target as Element).closest('select, input, textarea, button, [contenteditable]')) return;
  const links = [...document.querySelectorAll<HTMLElement>('.hms-table tbody tr')].flatMap(
    (row) => row.querySelector<HTMLElement>('a') ?? [],
  );
  const at = links.indexOf(event.target as HTMLElement);
  // Above the first row is the search field.
  const above = at === 0 ? document.querySelector<HTMLElement>('main input[type=search]') : undefined;
  const next = event.key === 'ArrowDown' ? links[at + 1] : (links[at - 1] ?? above);
  if (!next || (at < 0 && event.key === 'ArrowUp')) return;
  event.preventDefault();
  next.focus();
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
