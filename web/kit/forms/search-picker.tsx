/** Finds records while somebody types. Arrows choose, and Enter takes. Escape empties the field, or leaves an empty one. Whoever knows a code can type it with Enter, and go on with the next one. */
import { Loader, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { useAfterPause } from './typing.ts';

interface Props<Row> {
  readonly label: string;
  readonly placeholder?: string;
  /** Of the queries. */
  readonly queryKey: string;
  /** From how many characters on something is searched. Default: 2. With 0, something is offered at once. */
  readonly least?: number;
  /** The best matches. */
  read(text: string, signal: AbortSignal): Promise<readonly Row[]>;
  rowKey(row: Row): string;
  render(row: Row): ReactNode;
  /** Whether a match can be taken. Default: all of them. */
  isOffered?(row: Row): boolean;
  /** Whoever types a whole code means its row, whatever else matches. */
  codeOf?(row: Row): string | undefined;
  onPick(row: Row): void;
  /** Enter with a text that finds nothing. @returns whether the text itself is taken. */
  onOther?(text: string): boolean;
  readonly isFirst?: boolean;
  readonly error?: string | undefined;
  readonly id?: string;
}

/** A text that was entered before its matches were there, and for which nothing was taken. */
interface Missed {
  readonly text: string;
  readonly hasSeveral?: boolean;
  readonly error?: unknown;
}

export function SearchPicker<Row>(props: Props<Row>) {
  const { label, placeholder, queryKey, least = 2, read, rowKey, render, isOffered = () => true } = props;
  const { onPick, isFirst = false, error, id } = props;
  const { t } = useTranslation();
  const list = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const text = useAfterPause(typed.trim());
  const [missed, setMissed] = useState<Missed>();
  const latest = useLatest(props);
  const found = useQuery({
    queryKey: [queryKey, 'picker', text],
    queryFn: ({ signal }) => read(text, signal),
    enabled: text.length >= least,
    placeholderData: keepPreviousData,
  });
  const offered = typed.trim().length >= least ? (found.data ?? []).filter(isOffered) : [];
  const isCurrent = text === typed.trim() && found.isSuccess && !found.isPlaceholderData;
  const at = Math.min(active, offered.length - 1);
  const option = (index: number) => `${list}-${index}`;
  const change = (next: string) => {
    setTyped(next);
    setActive(0);
    setMissed(undefined);
  };
  const pick = (row: Row | undefined) => {
    if (row === undefined) return;
    change('');
    onPick(row);
  };
  /** What is offered may still belong to what was typed before. Then only a match without a doubt is taken, unseen. */
  const enter = async () => {
    if (isCurrent && offered.length > 0) return pick(offered[at]);
    if (isCurrent) {
      if (props.onOther?.(text)) change('');
      return;
    }
    const wanted = typed.trim();
    if (wanted.length < least) return;
    // Meanwhile, the next text can be typed.
    change('');
    const miss = (why: Omit<Missed, 'text'>) => {
      setMissed({ text: wanted, ...why });
      setTyped((now) => (now === '' ? wanted : now));
    };
    try {
      // Not the signal of the query, which is aborted as soon as the text changes.
      const rows = await read(wanted, new AbortController().signal);
      const now = latest.current;
      if (now === undefined) return;
      const matches = matchesOf(wanted, rows, now);
      const [only] = matches;
      if (only !== undefined && matches.length === 1) now.onPick(only);
      else if (only !== undefined || !now.onOther?.(wanted)) miss({ hasSeveral: matches.length > 1 });
    } catch (error) {
      miss({ error });
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive(Math.max(0, Math.min(offered.length - 1, at + step)));
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && typed.trim() !== '') {
      event.preventDefault();
      event.stopPropagation();
      void enter();
    } else if (event.key === 'Escape') {
      if (typed === '') event.currentTarget.blur();
      else change('');
    }
  };
  return (
    <div>
      <TextInput
        {...(id === undefined ? {} : { id })}
        label={label}
        placeholder={placeholder}
        role="combobox"
        aria-expanded={offered.length > 0}
        aria-controls={offered.length > 0 ? list : undefined}
        aria-activedescendant={offered.length > 0 ? option(at) : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        autoFocus={isFirst}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={found.isFetching ? <Loader size="xs" aria-hidden /> : undefined}
        error={error}
        value={typed}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ErrorPanel error={missed?.error ?? found.error} />
      {offered.length > 0 && (
        <div role="listbox" id={list} aria-label={label} className="hms-options">
          {offered.map((row, index) => (
            <UnstyledButton
              key={rowKey(row)}
              id={option(index)}
              role="option"
              aria-selected={index === at}
              tabIndex={-1}
              className="hms-option"
              onClick={() => pick(row)}
            >
              {render(row)}
            </UnstyledButton>
          ))}
        </div>
      )}
      {offered.length === 0 && text !== '' && text.length >= least && isCurrent && (
        <Text size="sm" c="dimmed" mt={4} role="status">
          {t('list.nothingFor', { text })}
        </Text>
      )}
      {/* A text that is back in the field shows what it finds. */}
      {missed && missed.error === undefined && missed.text !== typed.trim() && (
        <Text size="sm" c="dimmed" mt={4} role="status">
          {t(missed.hasSeveral ? 'list.severalFor' : 'list.nothingFor', { text: missed.text })}
        </Text>
      )}
    </div>
  );
}

/** @returns what a text can mean. If it is a code, only the row of that code, even if that one cannot be taken. */
function matchesOf<Row>(text: string, rows: readonly Row[], props: Pick<Props<Row>, 'isOffered' | 'codeOf'>) {
  const { isOffered = () => true, codeOf } = props;
  const ofCode = rows.filter((row) => codeOf?.(row)?.toLowerCase() === text.toLowerCase());
  return (ofCode.length > 0 ? ofCode : rows).filter(isOffered);
}

/** @returns a value as it is now, for what ends after a later render. It is undefined once the component is gone. */
function useLatest<Value>(value: Value) {
  const latest = useRef<Value | undefined>(value);
  useLayoutEffect(() => {
    latest.current = value;
    return () => {
      latest.current = undefined;
    };
  });
  return latest;
}
