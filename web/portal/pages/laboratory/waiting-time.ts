import { locale } from '../../../kit/i18n/i18n.ts';

/** How long something takes, in its largest unit: `42 min`, `5 hr`, `3 days`. @param ms not negative. */
export function showDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const [count, unit] =
    minutes < 120 ? [minutes, 'minute'] : minutes < 2_880 ? [minutes / 60, 'hour'] : [minutes / 1_440, 'day'];
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'short' }).format(Math.floor(count));
}
