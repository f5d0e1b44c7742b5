/** The record of a patient. */

import { Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Phone } from '../../../kit/phones/phone.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { later } from '../../../kit/ui/later.ts';
import { kitPages } from '../../../kit/words/pages.ts';
import { VipBadge } from '../vip/vip-badge.tsx';
import { portalPages } from '../words.ts';
import { bornText, nameOf } from './identity.ts';
import { MissingNote } from './missing-note.tsx';
import { PatientDetails } from './patient-details.tsx';
import { PatientPhoto } from './patient-photo.tsx';
import { PatientWarnings } from './patient-warnings.tsx';
import { type Patient, patientKeys, patientQuery } from './patients.queries.ts';

const route = getRouteApi('/patients/$id');
// The record itself comes first. What is behind other tabs than the first one is loaded when somebody opens them.
const PatientActions = later(() => import('./patient-actions.tsx'), 'PatientActions');
const MergedNote = later(() => import('./merged-note.tsx'), 'MergedNote');
const WarningsForm = later(() => import('./warnings.form.tsx'), 'WarningsForm');
const PatientOrders = later(() => import('../laboratory/patient-orders.tsx'), 'PatientOrders');
const PatientAppointments = later(() => import('../appointments/patient-appointments.tsx'), 'PatientAppointments');
const PatientTimeline = later(() => import('./patient-timeline.tsx'), 'PatientTimeline');
const PatientDocuments = later(() => import('./patient-documents.tsx'), 'PatientDocuments');
const PatientPrescriptions = later(() => import('../prescriptions/patient-prescriptions.tsx'), 'PatientPrescriptions');
const PatientFamily = later(() => import('./patient-family.tsx'), 'PatientFamily');
const PatientInvoices = later(() => import('../invoices/patient-invoices.tsx'), 'PatientInvoices');
const PatientVip = later(() => import('../vip/patient-vip.tsx'), 'PatientVip');
const PatientDuplicates = later(() => import('./patient-duplicates.tsx'), 'PatientDuplicates');
const PatientHistory = later(
  () => import('./patient-history.tsx'),
  'PatientHistory',
  portalPages.auditEvents,
  kitPages.permissions,
  kitPages.errors,
);

type Tab =
  | 'details'
  | 'warnings'
  | 'appointments'
  | 'laboratory'
  | 'timeline'
  | 'prescriptions'
  | 'documents'
  | 'family'
  | 'invoices'
  | 'vip'
  | 'duplicates'
  | 'history';

export function PatientPage() {
  const { id } = route.useParams();
  const found = useQuery(patientQuery(id));
  useChanges('/api/hms/patients/changes', patientKeys.all);
  if (found.data) return <Record key={id} patient={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={240} animate={false} aria-busy />
  );
}

function Record({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const may = useMay();
  const { tab = 'details', page, subject } = route.useSearch();
  const navigate = route.useNavigate();
  const { patientCode, dateOfBirth, timeOfBirth, gender, phone } = patient;
  const today = todayIn(usePerson().hospital?.timezone);
  const isMerged = patient.survivorId !== null;
  const onSearch = (changes: { readonly page?: number | undefined; readonly subject?: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...changes }) });
  const paging = { page, onPage: (next: number | undefined) => onSearch({ page: next }) };
  const tabs = {
    details: <PatientDetails patient={patient} />,
    warnings: <WarningsForm patient={patient} />,
    ...(may('listAppointments')
      ? { appointments: <PatientAppointments id={patient.id} isMerged={isMerged} {...paging} /> }
      : {}),
    ...(may('listLabOrders') ? { laboratory: <PatientOrders id={patient.id} {...paging} /> } : {}),
    ...(may('readPatientTimeline')
      ? { timeline: <PatientTimeline id={patient.id} page={page} subject={subject} onSearch={onSearch} /> }
      : {}),
    ...(may('listPrescriptions')
      ? { prescriptions: <PatientPrescriptions id={patient.id} isMerged={isMerged} {...paging} /> }
      : {}),
    ...(may('listPatientDocuments') ? { documents: <PatientDocuments patient={patient} /> } : {}),
    ...(may('readFamily') ? { family: <PatientFamily patient={patient} /> } : {}),
    ...(may('listInvoices') ? { invoices: <PatientInvoices id={patient.id} {...paging} /> } : {}),
    ...(may('listVipMemberships') ? { vip: <PatientVip patient={patient} /> } : {}),
    ...(may('listPatientDuplicates') && !isMerged ? { duplicates: <PatientDuplicates patient={patient} /> } : {}),
    ...(may('listPatientAccess') ? { history: <PatientHistory id={patient.id} {...paging} /> } : {}),
  } satisfies Partial<{ readonly [Name in Tab]: unknown }>;
  return (
    <Stack gap="md">
      <Group gap="md" wrap="nowrap" align="flex-start">
        <PatientPhoto patient={patient} />
        <Stack gap={4} flex={1} miw={0}>
          <PageHead title={nameOf(patient)} />
          <Group style={{ gap: '0.25rem 1.5rem' }}>
            <Text size="sm" className="hms-number" fw={600}>
              {patientCode}
            </Text>
            <Text size="sm">{bornText(t, dateOfBirth, today, timeOfBirth)}</Text>
            {gender && <Text size="sm">{t(`patients.genders.${gender}`)}</Text>}
            <Text size="sm">
              <Phone kept={phone} />
            </Text>
            <VipBadge patientId={patient.id} />
          </Group>
          <MissingNote patient={patient} />
          <PatientWarnings patient={patient} />
        </Stack>
      </Group>
      <Suspense fallback={<Skeleton height={30} animate={false} aria-busy />}>
        {isMerged ? <MergedNote patient={patient} /> : <PatientActions patient={patient} />}
      </Suspense>
      <Tabs
        value={tab in tabs ? tab : 'details'}
        onChange={(next) =>
          void navigate({ search: { tab: next === 'details' ? undefined : (next as Exclude<Tab, 'details'>) } })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {Object.keys(tabs).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`patients.tab.${name as Tab}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(tabs).map(([name, content]) => (
          <Tabs.Panel key={name} value={name}>
            <Suspense fallback={<Skeleton height={120} animate={false} aria-busy />}>{content}</Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
