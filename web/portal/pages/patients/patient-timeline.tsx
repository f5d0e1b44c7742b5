/** What happened to a patient, latest first, with the records that it is about. */
import { Anchor, Group, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import { FilterSelect } from '../../../kit/lists/filter-select.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useMoney } from '../../../kit/money/money.tsx';
import { type Operation, useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { clockIn, showMoment } from '../../../kit/time/time.ts';
import { patientKeys, readTimeline, type TimelineEvent, type TimelineSubject } from './patients.queries.ts';

/** What one can choose, and what shows that its events are shown to this person. */
const SUBJECTS: Readonly<Record<TimelineSubject, Operation>> = {
  appointment: 'listAppointments',
  queue: 'readQueue',
  waiting: 'listWaitingList',
  lab: 'listLabOrders',
  prescription: 'listPrescriptions',
  document: 'listPatientDocuments',
  invoice: 'listInvoices',
  family: 'readFamily',
  vip: 'listVipMemberships',
  visitor: 'readPatientTimeline',
  patient: 'readPatientTimeline',
};

interface Props {
  readonly id: string;
  readonly page: number | undefined;
  /** As in the address. */
  readonly subject: string | undefined;
  onSearch(changes: { readonly page?: number | undefined; readonly subject?: string | undefined }): void;
}

export function PatientTimeline({ id, page, subject: asked, onSearch }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const zone = usePerson().hospital?.timezone;
  const choices = (Object.keys(SUBJECTS) as TimelineSubject[]).filter((one) => may(SUBJECTS[one]));
  const subject = choices.find((one) => one === asked);
  return (
    <ListPage
      isPart
      title={t('patients.tab.timeline')}
      search={{ page }}
      onSearch={onSearch}
      queryKey={patientKeys.timeline(id, page, subject)}
      read={(signal) => readTimeline(id, page, subject, signal)}
      rowKey={({ at, kind, recordId }) => at + kind + recordId}
      empty={t(subject ? 'timeline.emptyOf' : 'timeline.empty')}
      filters={
        <FilterSelect
          label={t('timeline.about')}
          value={subject}
          data={choices.map((value) => ({ value, label: t(`timeline.subjects.${value}`) }))}
          onChange={(chosen) => onSearch({ subject: chosen, page: undefined })}
        />
      }
      columns={[
        {
          key: 'at',
          title: t('timeline.at'),
          render: ({ at }) => <span className="hms-number">{showMoment(at, zone)}</span>,
        },
        { key: 'what', title: t('timeline.what'), render: (event) => <What event={event} of={id} /> },
      ]}
    />
  );
}

/** One sentence, with why it happened if somebody said so. */
function What({ event, of }: { readonly event: TimelineEvent; readonly of: string }) {
  // The page is drawn again in another language.
  useTranslation();
  const money = useMoney();
  const may = useMay();
  const zone = usePerson().hospital?.timezone;
  const { kind, details } = event;
  const { startsAt, amount, title, fileName, reason } = details;
  const sentence =
    wordOf(`timeline.kinds.${kind}`, {
      ...details,
      // A document is called by its title, if it has one.
      name: title ?? fileName,
      amount: amount && money.show(Number(amount)),
      startsAt: startsAt && showMoment(startsAt, zone),
      place: details.doctorName ?? details.clinicName,
    }) ?? kind;
  const link = linkOf(event, of, may, zone);
  return (
    <Group style={{ gap: '0 0.75rem' }}>
      {link ? (
        <Anchor size="sm" renderRoot={(props) => <Link {...link} {...props} />}>
          {sentence}
        </Anchor>
      ) : (
        <span>{sentence}</span>
      )}
      {reason && (
        <Text size="sm" c="dimmed">
          <bdi>{reason}</bdi>
        </Text>
      )}
    </Group>
  );
}

/** Where the record is, or undefined. */
function linkOf(
  { kind, recordId, patientId, details }: TimelineEvent,
  of: string,
  may: (operation: Operation) => boolean,
  zone: string | undefined,
): LinkProps | undefined {
  const [subject] = kind.split('.') as [TimelineSubject];
  const tab = (name: 'documents' | 'family' | 'vip') =>
    ({ to: '/patients/$id', params: { id: of }, search: { tab: name } }) as const;
  switch (subject) {
    case 'appointment':
      return { to: '/appointments', search: { doctor: details.doctorId, date: dayOf(details.startsAt, zone) } };
    case 'waiting':
      return { to: '/waiting-list', search: kind === 'waiting.joined' ? {} : { over: true } };
    case 'lab':
      return { to: '/laboratory/$id', params: { id: recordId } };
    case 'prescription':
      return { to: '/prescriptions/$id', params: { id: details.prescriptionId ?? recordId } };
    case 'invoice':
      if (kind === 'invoice.prepaid') return { to: '/patients/$id', params: { id: of }, search: { tab: 'invoices' } };
      return { to: '/invoices/$id', params: { id: details.invoiceId ?? recordId } };
    case 'document':
      return tab('documents');
    case 'family':
      return tab('family');
    case 'vip':
      return tab('vip');
    case 'visitor':
      return may('listVisitors') ? { to: '/visitors', search: { q: details.passNo } } : undefined;
    default:
      // What a merged patient brought along.
      return patientId === of ? undefined : { to: '/patients/$id', params: { id: patientId } };
  }
}

function dayOf(iso: string | undefined, zone: string | undefined): string | undefined {
  return iso && clockIn(zone, iso).slice(0, 10);
}
