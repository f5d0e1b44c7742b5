/** The record of a patient. */
import { Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { ageOn, showDay, todayIn } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { PatientDetails } from './patient-details.tsx';
import { PatientDocuments } from './patient-documents.tsx';
import { PatientFamily } from './patient-family.tsx';
import { PatientHistory } from './patient-history.tsx';
import { PatientWarnings } from './patient-warnings.tsx';
import { type Patient, patientKeys, patientQuery } from './patients.queries.ts';
import { WarningsForm } from './warnings.form.tsx';

const route = getRouteApi('/patients/$id');
type Tab = 'details' | 'warnings' | 'documents' | 'family' | 'history';

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
  const { tab = 'details', page } = route.useSearch();
  const navigate = route.useNavigate();
  const { firstName, lastName, patientCode, dateOfBirth, phone } = patient;
  const age = ageOn(dateOfBirth, todayIn(usePerson().hospital?.timezone));
  const tabs = {
    details: <PatientDetails patient={patient} />,
    warnings: <WarningsForm patient={patient} />,
    ...(may('listPatientDocuments') ? { documents: <PatientDocuments patient={patient} /> } : {}),
    ...(may('readFamily') ? { family: <PatientFamily patient={patient} /> } : {}),
    ...(may('listPatientAccess')
      ? {
          history: (
            <PatientHistory
              id={patient.id}
              page={page}
              onPage={(next) => void navigate({ search: (now) => ({ ...now, page: next }) })}
            />
          ),
        }
      : {}),
  } satisfies Partial<{ readonly [Name in Tab]: unknown }>;
  return (
    <Stack gap="md">
      <Stack gap={2}>
        <PageHead title={`${firstName} ${lastName}`} />
        <Group gap="lg">
          <Text size="sm" className="hms-number" fw={600}>
            {patientCode}
          </Text>
          <Text size="sm">
            {showDay(dateOfBirth)} ({t('patients.age', { count: age })})
          </Text>
          <Text size="sm" dir="ltr">
            {phone}
          </Text>
        </Group>
        <PatientWarnings patient={patient} />
      </Stack>
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
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
