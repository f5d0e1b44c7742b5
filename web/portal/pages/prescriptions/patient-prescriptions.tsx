/** The prescriptions of a patient, also of those who were merged into the patient. */
import { Button, Group } from '@mantine/core';
import { IconFileText, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { MissingCharacters } from '../../../kit/ui/missing-characters.tsx';
import { ItemList, RxLink, StatusBadge, Validity } from './prescription-parts.tsx';
import { openPdfOf, prescriptionKeys, readOfPatient } from './prescriptions.queries.ts';
import { RepeatLink } from './repeat.tsx';

interface Props {
  readonly id: string;
  readonly page: number | undefined;
  /** Whether new entries belong to another record. */
  readonly isMerged: boolean;
  onPage(page: number | undefined): void;
}

export function PatientPrescriptions({ id, page, isMerged, onPage }: Props) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const { error, run } = useRun();
  useChanges('/api/hms/prescriptions/changes', prescriptionKeys.all);
  return (
    <>
      {!isMerged && (
        <Can operation="createPrescription">
          <Group mb="md">
            <Button
              leftSection={<IconPlus size={18} aria-hidden />}
              renderRoot={(props) => <Link to="/prescriptions/new" search={{ patient: id }} {...props} />}
            >
              {t('prescriptions.prescribe')}
            </Button>
          </Group>
        </Can>
      )}
      <ErrorPanel error={error} />
      <ListPage
        isPart
        title={t('patients.tab.prescriptions')}
        search={{ page }}
        onSearch={(changes) => onPage(changes.page)}
        queryKey={prescriptionKeys.ofPatient(id, page)}
        read={(signal) => readOfPatient(id, page, signal)}
        rowKey={(one) => one.id}
        empty={t('prescriptions.empty')}
        columns={[
          { key: 'rxNo', title: t('prescriptions.rxNo'), render: (one) => <RxLink prescription={one} /> },
          { key: 'drugs', title: t('prescriptions.drugs'), render: ({ items }) => <ItemList items={items} /> },
          {
            key: 'doctor',
            title: t('prescriptions.doctor'),
            render: ({ doctorName }) => <bdi>{doctorName ?? '–'}</bdi>,
          },
          {
            key: 'createdAt',
            title: t('prescriptions.written'),
            render: ({ createdAt }) => showMoment(createdAt, zone),
          },
          { key: 'validUntil', title: t('prescriptions.validUntil'), render: (one) => <Validity prescription={one} /> },
          { key: 'status', title: t('prescriptions.status'), render: ({ status }) => <StatusBadge status={status} /> },
          {
            key: 'pdf',
            title: t('list.actions'),
            render: (one) => (
              <Group gap="xs">
                {!isMerged && <RepeatLink of={one} patientId={id} />}
                <Can operation="readPrescriptionPdfUrl">
                  <MissingCharacters codes={one.pdf?.missingCharacters ?? []} />
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    leftSection={<IconFileText size={16} aria-hidden />}
                    aria-label={t('prescriptions.pdfOf', { rxNo: one.rxNo })}
                    onClick={run(() => openPdfOf(one.id))}
                  >
                    {t('prescriptions.pdf')}
                  </Button>
                </Can>
              </Group>
            ),
          },
        ]}
      />
    </>
  );
}
