/** What the list of reports by mail and the page of one of them show alike. */
import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import type { Plan } from './mail.queries.ts';
import { useNames } from './names.ts';
import { catalogueQuery } from './reports.queries.ts';

interface Props {
  readonly plan: Plan;
}

/** The report, and by what it is counted. Of a report that this person may not see, it is the plain name. */
export function ReportOf({ plan: { report: name, groupBy } }: Props) {
  const names = useNames();
  const { reports = [] } = useQuery(catalogueQuery).data ?? {};
  const report = reports.find((one) => one.name === name);
  const group = report?.groups.find((one) => one.name === groupBy);
  return report ? [report, ...(group ? [group] : [])].map(({ title }) => names.of(title)).join(' · ') : name;
}

/** Whether this person may see the report of a plan. Who may not can't change, pause or delete it either. */
export function useMaySee({ report }: Plan): boolean {
  const { reports = [] } = useQuery(catalogueQuery).data ?? {};
  return reports.some(({ name }) => name === report);
}

/** Such as “Every month, 07:00”. */
export function HowOften({ plan: { period, sendAt } }: Props) {
  const { t } = useTranslation();
  return t('reports.mail.at', { often: t(`reports.mail.every.${period}`), time: sendAt });
}

/** When the next mail goes, or that none does. */
export function NextMail({ plan: { nextSendAt } }: Props) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  if (nextSendAt !== null) return <span className="hms-number">{showMoment(nextSendAt, zone)}</span>;
  return (
    <Badge color="gray.7" variant="outline" tt="none">
      {t('reports.mail.paused')}
    </Badge>
  );
}

export function Recipients({ plan: { recipients } }: Props) {
  return <bdi>{recipients.map(({ name }) => name).join(', ')}</bdi>;
}
