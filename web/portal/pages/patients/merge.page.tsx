/** Two records of one person side by side, before one is merged into the other. */
import { Alert, Anchor, Badge, Button, Group, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { usePhones } from '../../../kit/phones/phones.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { type ComparedRecord, comparedFields, differenceOf } from './compared-fields.ts';
import { nameOf } from './identity.ts';
import { PatientPicker } from './patient-picker.tsx';
import { countsQuery, familyQuery, type Patient, patientKeys, patientQuery } from './patients.queries.ts';

const route = getRouteApi('/patients/$id/merge');

export function MergePage() {
  const { t } = useTranslation();
  const { id } = route.useParams();
  const { with: otherId } = route.useSearch();
  const navigate = route.useNavigate();
  const one = useRecord(id);
  const other = useRecord(otherId);
  const [isSame, setIsSame] = useState(false);
  return (
    <Stack gap="md">
      <PageHead title={t('merge.title')} />
      <ErrorPanel error={one.error ?? other.error} />
      <Stack className="hms-panel" p="lg" gap="md">
        {one.record && (
          <Text>
            {t('merge.this')} <PersonLink patient={one.record.patient} />
          </Text>
        )}
        <PatientPicker
          key={otherId ?? ''}
          label={t(otherId ? 'merge.another' : 'merge.find')}
          placeholder={t('patients.search')}
          isFirst={otherId === undefined}
          error={isSame ? t('merge.same') : undefined}
          onPick={(picked) => {
            setIsSame(picked.id === id);
            if (picked.id !== id) void navigate({ search: { with: picked.id } });
          }}
        />
      </Stack>
      {otherId !== undefined &&
        otherId !== id &&
        (one.record && other.record ? (
          <Comparison key={otherId} one={one.record} other={other.record} />
        ) : (
          !(one.error ?? other.error) && <Skeleton height={240} animate={false} aria-busy />
        ))}
    </Stack>
  );
}

interface ComparisonProps {
  readonly one: ComparedRecord;
  readonly other: ComparedRecord;
}

function Comparison({ one, other }: ComparisonProps) {
  const { t, i18n } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const phones = usePhones();
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  const { isBusy, error, run } = useRun();
  // The older record has been printed on more papers.
  const [older, newer] = one.patient.createdAt <= other.patient.createdAt ? [one, other] : [other, one];
  const [keptId, setKeptId] = useState(older.patient.id);
  const kept = (keptId === one.patient.id ? one : other).patient;
  const merged = (keptId === one.patient.id ? other : one).patient;
  const fields = comparedFields(one, other, {
    ...{ t, language: i18n.language },
    showPhone: (phone) => phones.show(phone),
    showMoment: (iso) => showMoment(iso, zone),
  });
  const merge = run(async () => {
    const params = { path: { id: merged.id }, header: { 'Idempotency-Key': crypto.randomUUID() } };
    const body = { intoId: kept.id, version: merged.version };
    await dataOf(api.POST('/api/hms/patients/{id}/merge', { params, body }));
    await queries.invalidateQueries({ queryKey: [patientKeys.all] });
    await navigate({ to: '/patients/$id', params: { id: kept.id }, search: { tab: 'duplicates' } });
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void merge();
  };
  const isMerged = [one, other].some(({ patient }) => patient.survivorId !== null);
  const column = ({ patient }: ComparedRecord, at: 0 | 1) => ({
    key: patient.id,
    title: patient.patientCode,
    render: ({ values }: (typeof fields)[number]) => <Value text={values[at]} />,
  });
  return (
    <>
      <div className="hms-panel">
        <DataTable
          label={t('merge.compared')}
          rows={fields}
          rowKey={({ key }) => key}
          columns={[
            {
              key: 'field',
              title: t('merge.field'),
              render: (field) => <FieldName label={field.label} difference={differenceOf(field)} />,
            },
            column(one, 0),
            column(other, 1),
          ]}
        />
      </div>
      {isMerged ? (
        <Alert role="alert" variant="outline" color="warning" title={t('duplicates.isMerged')}>
          {t('error.code.PATIENT_ALREADY_MERGED')}
        </Alert>
      ) : (
        <Stack className="hms-panel" p="lg" gap="md" component="form" onSubmit={submit}>
          <Radio.Group value={keptId} onChange={setKeptId} label={t('merge.which')}>
            <Stack gap="xs" mt="xs">
              {[older, newer].map(({ patient }, index) => (
                <Radio
                  key={patient.id}
                  value={patient.id}
                  autoFocus={index === 0}
                  label={
                    <>
                      <span className="hms-number">{patient.patientCode}</span> · <bdi>{nameOf(patient)}</bdi> ·{' '}
                      {t('merge.registered', { at: showMoment(patient.createdAt, zone) })}
                    </>
                  }
                />
              ))}
            </Stack>
          </Radio.Group>
          <Text size="sm" aria-live="polite">
            {t('merge.how', { merged: merged.patientCode, survivor: kept.patientCode })}
          </Text>
          <ErrorPanel error={error} />
          <Group>
            <Button
              type="submit"
              loading={isBusy}
              h="auto"
              mih={36}
              py={6}
              styles={{ label: { whiteSpace: 'normal' } }}
            >
              {t('merge.into', { merged: merged.patientCode, survivor: kept.patientCode })}
            </Button>
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/patients/$id" params={{ id: one.patient.id }} search={{ tab: 'duplicates' }} {...props} />
              )}
            >
              {t('form.cancel')}
            </Button>
          </Group>
        </Stack>
      )}
    </>
  );
}

function FieldName({
  label,
  difference,
}: {
  readonly label: string;
  readonly difference: 'differs' | 'onlyOne' | undefined;
}) {
  const { t } = useTranslation();
  return (
    <Group style={{ gap: '0.25rem 0.5rem' }}>
      <span>{label}</span>
      {difference && (
        <Badge variant="outline" color={difference === 'differs' ? 'warning' : 'quiet'} tt="none">
          {t(`merge.${difference}`)}
        </Badge>
      )}
    </Group>
  );
}

/** Each line by itself. */
function Value({ text }: { readonly text: string }) {
  if (text === '') return '–';
  return text.split('\n').map((line) => (
    <div key={line}>
      <bdi>{line}</bdi>
    </div>
  ));
}

function PersonLink({ patient }: { readonly patient: Patient }) {
  return (
    <Anchor renderRoot={(props) => <Link to="/patients/$id" params={{ id: patient.id }} {...props} />}>
      <span className="hms-number">{patient.patientCode}</span> · <bdi>{nameOf(patient)}</bdi>
    </Anchor>
  );
}

/** A patient with what belongs to them. It waits for what is compared, and goes on without what cannot be read. */
function useRecord(id: string | undefined): { readonly record?: ComparedRecord; readonly error: unknown } {
  const may = useMay();
  const isAsked = id !== undefined;
  const patient = useQuery({ ...patientQuery(id ?? ''), enabled: isAsked });
  const familyId = patient.data?.familyId ?? null;
  const family = useQuery({ ...familyQuery(id ?? '', familyId), enabled: familyId !== null && may('readFamily') });
  const appointments = useQuery({ ...countsQuery.appointments(id ?? ''), enabled: isAsked && may('listAppointments') });
  const invoices = useQuery({ ...countsQuery.invoices(id ?? ''), enabled: isAsked && may('listInvoices') });
  const documents = useQuery({ ...countsQuery.documents(id ?? ''), enabled: isAsked && may('listPatientDocuments') });
  if (!patient.data || [family, appointments, invoices, documents].some((query) => query.isLoading)) {
    return { error: patient.error };
  }
  const counts = { appointments: appointments.data, invoices: invoices.data, documents: documents.data };
  return { record: { patient: patient.data, family: family.data, ...counts }, error: undefined };
}
