/** How values of reports are written, by their kind. */
import { digitsOf } from '@hms/money';
import { useTranslation } from 'react-i18next';
import { locale } from '../../../kit/i18n/i18n.ts';
import { useMoney } from '../../../kit/money/money.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showDay, showMoment } from '../../../kit/time/time.ts';
import type { Kind } from './reports.queries.ts';

type Value = string | number | null | undefined;

export interface Values {
  show(kind: Kind, value: Value): string;
  /** For the axis of a chart, where there is little room. */
  short(kind: Kind, value: number): string;
  /** How much a value differs from the one before, without a sign. Undefined: nothing can be said. */
  change(kind: Kind, value: Value, before: Value): string | undefined;
}

/** Longer ones are written as hours. */
const MOST_MINUTES = 120;
/** Marks around an amount in a sentence from right to left. */
const [LEFT_TO_RIGHT, AS_BEFORE] = ['\u2066', '\u2069'];

export function useValues(): Values {
  const { t, i18n } = useTranslation();
  const isRight = i18n.dir() === 'rtl';
  const money = useMoney();
  const { timezone, currency = 'USD' } = usePerson().hospital ?? {};
  const minutes = (value: number) => {
    if (value < MOST_MINUTES) return t('reports.minutes', { minutes: number(value) });
    const whole = Math.round(value);
    return t('reports.hours', { hours: number(Math.floor(whole / 60)), minutes: whole % 60 });
  };
  const show = (kind: Kind, value: Value): string => {
    if (value === null || value === undefined || value === '') return '–';
    if (typeof value === 'string') return kind === 'day' ? showDay(value) : moment(kind, value);
    if (kind === 'money') return isRight ? `${LEFT_TO_RIGHT}${money.show(value)}${AS_BEFORE}` : money.show(value);
    if (kind === 'share') return percent(value);
    return kind === 'minutes' ? minutes(value) : number(value);
  };
  const moment = (kind: Kind, value: string) => (kind === 'moment' ? showMoment(value, timezone) : value);
  return {
    show,
    short: (kind, value) => {
      if (kind === 'share') return percent(value);
      return number(kind === 'money' ? value / 10 ** digitsOf(currency) : value, { notation: 'compact' });
    },
    change: (kind, value, before) => {
      if (typeof value !== 'number' || typeof before !== 'number') return undefined;
      const difference = Math.abs(value - before);
      if (kind === 'share') return t('reports.points', { points: number(difference * 100) });
      return before === 0 ? show(kind, difference) : percent(difference / Math.abs(before), 0);
    },
  };
}

function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 1, ...options }).format(value);
}

function percent(share: number, maximumFractionDigits = 1): string {
  return number(share, { style: 'percent', maximumFractionDigits });
}
