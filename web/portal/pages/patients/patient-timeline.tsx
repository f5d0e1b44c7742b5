/** What happened to a patient, latest first. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { patientKeys, readTimeline, type TimelineEvent } from './patients.queries.ts';

interface Props {
  readonly id: string;
  readonly page: number | undefined;
  onPage(page: number | undefined): void;
}

export function PatientTimeline({ id, page, onPage }: Props) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  return (
    <ListPage
      isPart
      title={t('patients.tab.timeline')}
      search={{ page }}
      onSearch={(changes) => onPage(changes.page)}
      queryKey={patientKeys.timeline(id, page)}
      read={(signal) => readTimeline(id, page, signal)}
      rowKey={({ kind, recordId }) => kind + recordId}
      empty={t('timeline.empty')}
      columns={[
        { key: 'at', title: t('timeline.at'), render: ({ at }) => showMoment(at, zone) },
        { key: 'what', title: t('timeline.what'), render: (event) => <What event={event} of={id} /> },
      ]}
    />
  );
}

/** One sentence. What a merged patient brought along refers to that patient. */
function What({ event: { kind, details, patientId }, of }: { readonly event: TimelineEvent; readonly of: string }) {
  // The page is drawn again in another language.
  useTranslation();
  // A document is called by its title, if it has one.
  const sentence = wordOf(`timeline.kinds.${kind}`, { name: details.title ?? details.fileName, ...details }) ?? kind;
  if (patientId === of) return sentence;
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/patients/$id" params={{ id: patientId }} {...props} />}>
      {sentence}
    </Anchor>
  );
}
