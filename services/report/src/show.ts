/** Values as people read them, in a language and by the clock of the hospital. */
import { isolated } from '@hms/domain/rendering';
import { showAmount } from '@hms/money';
import type { Work } from '@hms/service';
import { localeOf, type MailLanguage, mailLanguage } from '@hms/tenancy';
import type { Kind, Span } from './declare.ts';

export interface Shown {
  value(kind: Kind, value: number | null): string;
  /** The change of a figure in percent, with an arrow, such as `▲ 12 %`. Empty if there is nothing to compare with. */
  change(value: number | null, before: number | null): string;
  /** First and last day. */
  days(span: Pick<Span, 'from' | 'to'>): string;
  /** A day, or a first day of a week or month. */
  day(day: string): string;
  moment(instant: Date): string;
}

/** Nothing to compute a figure from. */
const NOTHING = '–';
const DAY_MS = 86_400_000;

export function shownIn({ settings, timezone, currency }: Work['hospital'], language: MailLanguage): Shown {
  const own = mailLanguage(settings.language) === language ? localeOf(settings) : localeOf({ ...settings, language });
  const number = new Intl.NumberFormat(own, { maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(own, { style: 'percent', maximumFractionDigits: 1 });
  const whole = new Intl.NumberFormat(own, { style: 'percent', maximumFractionDigits: 0 });
  // Days belong to no zone.
  const day = new Intl.DateTimeFormat(own, { dateStyle: 'medium', timeZone: 'UTC' });
  const moment = new Intl.DateTimeFormat(own, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone });
  return {
    value: (kind, value) => {
      if (value === null) return NOTHING;
      if (kind === 'money') return isolated(showAmount(value, currency, own));
      return kind === 'share' ? percent.format(value) : number.format(value);
    },
    change: (value, before) => {
      if (value === null || before === null || before === 0 || value === before) return '';
      const share = (value - before) / Math.abs(before);
      return `${share > 0 ? '▲' : '▼'} ${whole.format(Math.abs(share))}`;
    },
    days: ({ from, to }) => day.formatRange(new Date(from), new Date(Date.parse(to) - DAY_MS)),
    day: (text) => day.format(new Date(text)),
    moment: (instant) => moment.format(instant),
  };
}
