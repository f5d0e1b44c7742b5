/**
 * A day that is typed in the order of the hospital, pasted in ISO 8601, or chosen from the browser's calendar. While nobody
 * types, it is written as everywhere else, so that a day and a month that were mixed up are seen.
 */
import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { IconCalendar } from '@tabler/icons-react';
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { locale } from '../i18n/i18n.ts';
import { usePerson } from '../session/use-session.ts';
import { showDay, todayIn } from '../time/time.ts';
import { isDay, patternOf, readDay, writeDay } from '../time/typed-day.ts';

/** For fields that may stay empty. Others are `z.iso.date('day')`. */
export const dayOrNone = z.string().check(z.refine((value) => value === '' || isDay(value), 'day'));

export interface DayInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max'> {
  /** `YYYY-MM-DD`, empty, or what was typed and is no day. */
  readonly value: string;
  onChange(value: string): void;
  /** The page follows the day: only a whole one is told, when it is chosen or the field is left, or at Enter. */
  readonly isLive?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
  /** Limits of the browser's calendar, as `YYYY-MM-DD`. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

export function DayInput(props: DayInputProps) {
  const { value, onChange, isLive = false, min, max, readOnly, ref, placeholder, ...input } = props;
  const { t } = useTranslation();
  const today = todayIn(usePerson().hospital?.timezone);
  const calendar = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(() => writeDay(value, locale()));
  const [isTyping, setTyping] = useState(false);
  const mergedRef = useMergedRef(ref, field);
  // As with Tab: what is typed replaces what is there.
  useEffect(() => {
    if (isTyping) field.current?.select();
  }, [isTyping]);
  // What was typed stays as it is until the field is left.
  const typed = useRef(value);
  useEffect(() => {
    if (typed.current === value) return;
    typed.current = value;
    setText(writeDay(value, locale()));
  }, [value]);
  const take = (next: string, isWhole: boolean) => {
    typed.current = next;
    if (!isLive || (isWhole && next !== value && (next === '' || isDay(next)))) onChange(next);
  };
  return (
    <TextInput
      {...input}
      readOnly={readOnly}
      inputMode="numeric"
      autoComplete="off"
      dir="ltr"
      placeholder={
        placeholder ?? patternOf(locale(), { day: t('day.day'), month: t('day.month'), year: t('day.year') })
      }
      ref={mergedRef}
      value={isTyping || !isDay(typed.current) ? text : showDay(typed.current)}
      onFocus={() => setTyping(!readOnly)}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        take(readDay(currentTarget.value, locale(), today) ?? currentTarget.value.trim(), false);
      }}
      onKeyDown={({ key }) => {
        if (isLive && key === 'Enter') take(typed.current, true);
      }}
      onBlur={(event) => {
        setTyping(false);
        setText(writeDay(typed.current, locale()));
        if (isLive) take(typed.current, true);
        input.onBlur?.(event);
      }}
      rightSection={readOnly ? undefined : <CalendarButton {...{ calendar, min, max, onDay: pick }} value={value} />}
    />
  );

  function pick(day: string): void {
    setText(writeDay(day, locale()));
    take(day, true);
  }
}

interface CalendarProps {
  readonly calendar: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly min: string | undefined;
  readonly max: string | undefined;
  onDay(day: string): void;
}

/** Opens the browser's own calendar. Who types does not stop at it. */
function CalendarButton({ calendar, value, min, max, onDay }: CalendarProps): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        tabIndex={-1}
        aria-label={t('day.choose')}
        onClick={() => calendar.current?.showPicker()}
      >
        <IconCalendar size={18} aria-hidden />
      </ActionIcon>
      <input
        ref={calendar}
        type="date"
        className="hms-hidden"
        tabIndex={-1}
        aria-hidden
        value={isDay(value) ? value : ''}
        min={min}
        max={max}
        onChange={({ currentTarget }) => onDay(currentTarget.value)}
      />
    </>
  );
}
