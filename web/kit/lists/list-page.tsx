/** A list with search, pages and order. The former rows stay visible while others are read. */
import { CloseButton, Group, Loader, Pagination, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useReport } from '../forms/typing.ts';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { useTitle } from '../ui/title.ts';
import { type Column, DataTable, useOnlyRow, walkRows } from './data-table.tsx';
import { LIMIT, type ListSearch } from './list-search.ts';
import { takeTypedAhead } from './typed-ahead.ts';

interface Page<Row> {
  readonly data: readonly Row[];
  readonly meta: { readonly total: number };
}

interface Props<Row, Search extends ListSearch> {
  readonly title: string;
  /** The list is a part of a page that has its own title. */
  readonly isPart?: boolean;
  readonly search: Search;
  onSearch(changes: Partial<Search>): void;
  readonly queryKey: QueryKey;
  /** Reads a page. An abandoned one is aborted. */
  read(signal: AbortSignal): Promise<Page<Row>>;
  readonly columns: readonly Column<Row>[];
  rowKey(row: Row): string;
  /** Shown if there is nothing at all. */
  readonly empty: string;
  /** The label of the search field. Without it, there is none. */
  readonly searchLabel?: string;
  /** Enter in the search field, such as after a scan. @returns whether something was opened instead of searching. */
  onEnter?(text: string): Promise<boolean>;
  readonly action?: ReactNode;
  readonly filters?: ReactNode;
  /** Between the title and the list. */
  readonly above?: ReactNode;
}

export function ListPage<Row, Search extends ListSearch>(props: Props<Row, Search>) {
  const { title, isPart, search, onSearch, columns, rowKey, empty, searchLabel, action, filters, above } = props;
  const { t } = useTranslation();
  const list = useQuery({
    queryKey: props.queryKey,
    queryFn: ({ signal }) => props.read(signal),
    placeholderData: keepPreviousData,
  });
  const total = list.data?.meta.total ?? 0;
  const pages = Math.max(1, Math.ceil(total / LIMIT));
  const change = (changes: Partial<ListSearch>) => onSearch(changes as Partial<Search>);
  const [entered, setEntered] = useState<string>();
  const isFound = entered !== undefined && entered === search.q && list.isSuccess && !list.isFetching;
  useOnlyRow(isFound, list.data?.data.length ?? 0, () => setEntered(undefined));
  return (
    <Stack gap="md">
      {!isPart && <PageHead title={title}>{action}</PageHead>}
      {above}
      <div className="hms-panel">
        {(searchLabel || filters) && (
          <Group p="md" pb="sm" gap="sm" align="flex-end">
            {searchLabel && (
              <SearchField
                label={searchLabel}
                text={search.q ?? ''}
                isBusy={list.isFetching}
                {...(props.onEnter ? { onEnter: props.onEnter } : {})}
                onEntered={setEntered}
                onText={(q) => change({ q: q || undefined, page: undefined })}
              />
            )}
            {filters}
          </Group>
        )}
        <div aria-live="polite" className="hms-hidden">
          {list.isSuccess && !list.isPlaceholderData ? t('list.found', { count: total }) : ''}
        </div>
        {list.isError && !list.data ? (
          <Stack p="md">
            <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
          </Stack>
        ) : list.isPending ? (
          <Stack p="md" gap="sm" aria-busy>
            {[1, 2, 3, 4, 5].map((row) => (
              <Skeleton key={row} height={22} animate={false} />
            ))}
          </Stack>
        ) : list.data.data.length === 0 ? (
          <Text p="xl" ta="center" c="dimmed">
            {total > 0 ? t('list.beyond') : search.q ? t('list.nothingFor', { text: search.q }) : empty}
          </Text>
        ) : (
          <DataTable
            label={title}
            rows={list.data.data}
            isFormer={list.isPlaceholderData}
            columns={columns}
            rowKey={rowKey}
            sort={search.sort}
            onSort={(sort) => change({ sort, page: undefined })}
          />
        )}
        {total > 0 && (
          <Group justify="space-between" px="md" py="sm">
            <Text size="sm" c="dimmed">
              {t('list.found', { count: total })}
            </Text>
            {(pages > 1 || list.data?.data.length === 0) && (
              <Pagination
                size="sm"
                total={pages}
                // Behind the last page, none is marked, and each can be chosen.
                value={search.page ?? 1}
                onChange={(page) => change({ page: page === 1 ? undefined : page })}
                getItemProps={(page) => ({ 'aria-label': t('list.page', { page }) })}
                getControlProps={(control) => ({ 'aria-label': t(`list.${control}` as 'list.next') })}
              />
            )}
          </Group>
        )}
      </div>
    </Stack>
  );
}

/** The id of a page's title. */
export const TITLE = 'page-title';

/** Whose button is gone after its click goes on at the title, and not before the page. */
export function focusTitle(): void {
  setTimeout(() => document.getElementById(TITLE)?.focus());
}

/** The title of a page, with what can be done there. */
export function PageHead({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  useTitle(title);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // A screen reader then reads the title of the new page. A field that begins with the focus keeps it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another page
  useEffect(() => {
    const holder = document.activeElement;
    const isFree = holder === document.body || holder?.closest('nav, header') != null;
    if (isFree) document.getElementById(TITLE)?.focus({ preventScroll: true });
  }, [path]);
  return (
    <Group justify="space-between" align="center" gap="sm">
      <Title order={1} tabIndex={-1} id={TITLE}>
        {title}
      </Title>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}

interface SearchProps {
  readonly label: string;
  readonly text: string;
  readonly isBusy: boolean;
  /** The page is for the search, whatever had the focus before. */
  readonly autoFocus?: boolean;
  onText(text: string): void;
  onEnter?(text: string): Promise<boolean>;
  /** Enter, after the text is reported. */
  onEntered(text: string): void;
}

/** Searches while somebody types, from the second character on. */
export function SearchField({ label, text, isBusy, autoFocus = false, onText, onEnter, onEntered }: SearchProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(text);
  const field = useRef<HTMLInputElement>(null);
  // What was reported and is not in the address yet. Any other text comes from the back button.
  const reported = useRef<string[]>([]);
  const seen = useRef(text);
  useEffect(() => {
    if (text === seen.current) return;
    seen.current = text;
    const known = reported.current.lastIndexOf(text);
    if (known < 0) setTyped(text);
    reported.current.splice(0, known + 1);
  }, [text]);
  const report = useReport((next) => {
    const q = next.length < 2 ? '' : next;
    if (q !== (reported.current.at(-1) ?? text)) reported.current.push(q);
    onText(q);
  });
  // Nothing else has taken the focus: who has a keyboard begins to type.
  useEffect(() => {
    const holder = document.activeElement;
    const isFree = holder === document.body || holder?.id === TITLE;
    if (autoFocus || (isFree && matchMedia('(pointer: fine)').matches)) field.current?.focus();
  }, [autoFocus]);
  const change = (next: string) => {
    setTyped(next);
    report.later(next.trim());
  };
  const enter = async (entered: string) => {
    // A search that starts while a record opens would keep it from opening.
    report.cancel();
    const isOpen = entered !== '' && (await onEnter?.(entered).catch(() => false));
    // What was typed meanwhile is reported by itself.
    if (isOpen || field.current?.value.trim() !== entered) return;
    report.now(entered);
    onEntered(entered);
  };
  // What was typed before the page was there.
  const takeEarly = useEffectEvent(() => {
    const early = takeTypedAhead();
    if (early === '') return;
    field.current?.focus();
    change(early.replaceAll('\n', ''));
    // When the field has the text.
    if (early.endsWith('\n')) setTimeout(() => void enter(early.trim()));
  });
  // The field has it, and the focus, before another key arrives.
  useLayoutEffect(() => takeEarly(), []);
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        isBusy ? (
          <Loader size="xs" aria-hidden />
        ) : typed ? (
          <CloseButton size="sm" aria-label={t('list.clear')} onClick={() => change('')} />
        ) : undefined
      }
      style={{ flexGrow: 1, width: '16rem', maxWidth: '28rem' }}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void enter(event.currentTarget.value.trim());
        // The key that leads here, pressed once more.
        else if (event.key === '/' && event.currentTarget.value === '') event.preventDefault();
        else walkRows(event);
      }}
      // Before a click on a row opens it.
      onBlur={() => report.flush()}
    />
  );
}
