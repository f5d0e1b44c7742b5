/** What reports, groups and their keys are called in the language of the page. */
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../kit/api/api.ts';
import { locale } from '../../../kit/i18n/i18n.ts';
import { showDay } from '../../../kit/time/time.ts';
import type { Report } from './reports.queries.ts';

/** The key of a parameter for what has none. */
export const NO_KEY = 'none';

export interface Names {
  of(words: Schemas['Words']): string;
  /** @param label that the module knows, such as the name of a person. */
  ofKey(report: Report, group: string, key: string | null, label: string | null): string;
}

export function useNames(): Names {
  const { t, i18n } = useTranslation();
  const language = i18n.language === 'ar' ? 'ar' : 'en';
  const ofTime = (group: string, key: string): string | undefined => {
    if (group === 'day') return showDay(key);
    if (group === 'week') return t('reports.week', { day: showDay(key) });
    if (group === 'month') return monthName(key);
    return group === 'hour' ? t('reports.hour', { hour: key }) : undefined;
  };
  return {
    of: (words) => words[language],
    ofKey: (report, group, key, label) => {
      if (key === null || key === NO_KEY) return t('reports.none');
      const declared = report.groups.find(({ name }) => name === group)?.labels?.[key];
      return declared?.[language] ?? ofTime(group, key) ?? label ?? key;
    },
  };
}

function monthName(first: string): string {
  return new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(first));
}
