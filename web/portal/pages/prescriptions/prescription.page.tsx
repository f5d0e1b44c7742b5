/** One prescription: what was prescribed, what is dispensed of it, and what came back. */
import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { roleName } from '../../../kit/roles/role-name.ts';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showDay, showMoment, todayIn } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { MissingCharacters } from '../../../kit/ui/missing-characters.tsx';
import { soon } from '../../../kit/ui/soon.tsx';
import { PatientWarnings } from '../patients/patient-warnings.tsx';
import { patientQuery } from '../patients/patients.queries.ts';
import { type CompletedDispense, DispenseResult } from './dispense-result.tsx';
import { Dispenses } from './dispenses.tsx';
import { itemLabel, RxLink, StatusBadge, useHowTo, Validity } from './prescription-parts.tsx';
import { openPdfOf, type Prescription, prescriptionKeys, prescriptionQuery } from './prescriptions.queries.ts';
import { RepeatLink } from './repeat.tsx';

const DispenseForm = soon(async () => (await import('./dispense.form.tsx')).DispenseForm);
const route = getRouteApi('/prescriptions/$id');

export function PrescriptionPage() {
  const { id } = route.useParams();
  const found = useQuery(prescriptionQuery(id));
  useChanges('/api/hms/prescriptions/changes', prescriptionKeys.all);
  if (found.data) return <Shown key={id} prescription={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={240} animate={false} aria-busy />
  );
}

function Shown({ prescription }: { readonly prescription: Prescription }) {
  const may = useMay();
  const queries = useQueryClient();
  const today = todayIn(usePerson().hospital?.timezone);
  const patient = useQuery(patientQuery(prescription.patientId));
  const [given, setGiven] = useState<CompletedDispense>();
  const { id, rxNo, status, validUntil } = prescription;
  const isOpen = (status === 'active' || status === 'partially_dispensed') && validUntil.slice(0, 10) >= today;
  const changed = () => void queries.invalidateQueries({ queryKey: [prescriptionKeys.all] });
  return (
    <Stack gap="md">
      <Head
        prescription={prescription}
        patientId={patient.data?.survivorId ?? prescription.patientId}
        isOpen={isOpen}
        onChanged={changed}
      />
      {patient.data && <PatientWarnings patient={patient.data} />}
      <Items prescription={prescription} />
      {given && <DispenseResult key={given.id} given={given} prescription={prescription} />}
      {isOpen && may('dispensePrescription') && (
        <DispenseForm
          // What others have dispensed meanwhile changes what is left.
          key={`${id}-${prescription.items.map(({ dispensed }) => dispensed).join('-')}`}
          prescription={prescription}
          // After that, the cursor is where the labels are printed.
          isFirst={given === undefined}
          onDispensed={(completed) => {
            setGiven(completed);
            changed();
          }}
        />
      )}
      <Can operation="listDispenses">
        <Dispenses prescriptionId={id} rxNo={rxNo} />
      </Can>
    </Stack>
  );
}

interface HeadProps {
  readonly prescription: Prescription;
  /** Who gets what is prescribed from now on. */
  readonly patientId: string;
  readonly isOpen: boolean;
  onChanged(): void;
}

function Head({ prescription, patientId, isOpen, onChanged }: HeadProps) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const [isCancelling, setCancelling] = useState(false);
  const { isBusy, error, run } = useRun();
  const { id, rxNo, patientName, patientCode, doctorName, createdAt, status, version } = prescription;
  const { weightKg, weighedOn } = prescription;
  return (
    <Stack gap={4}>
      <PageHead title={rxNo}>
        <Can operation="readPrescriptionPdfUrl">
          <Button
            size="compact-md"
            variant="default"
            loading={isBusy}
            leftSection={<IconFileText size={16} aria-hidden />}
            onClick={run(() => openPdfOf(id))}
          >
            {t('prescriptions.pdf')}
          </Button>
        </Can>
        <RepeatLink of={prescription} patientId={patientId} />
        {isOpen && (
          <Can operation="cancelPrescription">
            <Button size="compact-md" variant="default" c="bad" onClick={() => setCancelling(true)}>
              {t('prescriptions.cancel')}
            </Button>
          </Can>
        )}
      </PageHead>
      <ErrorPanel error={error} />
      <MissingCharacters codes={prescription.pdf?.missingCharacters ?? []} />
      <Group gap="lg">
        <Text size="sm">
          <Anchor
            renderRoot={(props) => <Link to="/patients/$id" params={{ id: prescription.patientId }} {...props} />}
            fw={600}
          >
            <bdi>{patientName}</bdi>
          </Anchor>{' '}
          <span className="hms-number">{patientCode}</span>
        </Text>
        <StatusBadge status={status} />
        <Text size="sm">
          {doctorName === null
            ? showMoment(createdAt, zone)
            : t('prescriptions.by', { name: doctorName, time: showMoment(createdAt, zone) })}
        </Text>
        <Text size="sm" component="div">
          {t('prescriptions.validUntil')}: <Validity prescription={prescription} />
        </Text>
        {weightKg !== null && weighedOn !== null && (
          <Text size="sm">{t('prescriptions.weighed', { weight: weightKg, day: showDay(weighedOn) })}</Text>
        )}
      </Group>
      {prescription.repeatOfId && prescription.repeatOfNo && (
        <Text size="sm">
          {t('prescriptions.repeatOf')}:{' '}
          <RxLink prescription={{ id: prescription.repeatOfId, rxNo: prescription.repeatOfNo }} />
        </Text>
      )}
      {prescription.notes && (
        <Text size="sm">
          {t('prescriptions.notes')}: <bdi>{prescription.notes}</bdi>
        </Text>
      )}
      {prescription.cancelReason && (
        <Text size="sm">
          {t('prescriptions.cancelledBecause')}: <bdi>{prescription.cancelReason}</bdi>
        </Text>
      )}
      {isCancelling && (
        <Stack className="hms-panel" p="md">
          <ReasonForm
            label={t('prescriptions.whyCancel')}
            submitLabel={t('prescriptions.cancel')}
            save={(reason, key) => {
              const params = { path: { id }, header: { 'Idempotency-Key': key } };
              return dataOf(api.POST('/api/hms/prescriptions/{id}/cancel', { params, body: { reason, version } }));
            }}
            onSaved={() => {
              setCancelling(false);
              onChanged();
            }}
            onCancel={() => setCancelling(false)}
          />
        </Stack>
      )}
    </Stack>
  );
}

/** What was prescribed, and which warnings the doctor has accepted. */
function Items({ prescription: { items, overrides } }: { readonly prescription: Prescription }) {
  const { t } = useTranslation();
  const howTo = useHowTo();
  const zone = usePerson().hospital?.timezone;
  return (
    <div className="hms-panel">
      <DataTable
        label={t('prescriptions.drugs')}
        rows={items}
        rowKey={(item) => item.id}
        columns={[
          {
            key: 'drug',
            title: t('prescriptions.drug'),
            render: (item) => (
              <>
                <Text size="sm" fw={500}>
                  <bdi>{itemLabel(item)}</bdi>
                </Text>
                <Text size="xs" c="dimmed" className="hms-number">
                  {item.drugCode}
                </Text>
              </>
            ),
          },
          {
            key: 'howTo',
            title: t('prescriptions.howTo'),
            render: (item) => (
              <>
                <Text size="sm">{howTo(item)}</Text>
                {item.instructions && (
                  <Text size="xs" c="dimmed">
                    <bdi>{item.instructions}</bdi>
                  </Text>
                )}
                {!item.maySubstitute && (
                  <Text size="xs" c="warning">
                    {t('prescriptions.noSubstitute')}
                  </Text>
                )}
              </>
            ),
          },
          {
            key: 'quantity',
            title: t('prescriptions.dispensed'),
            render: ({ dispensed, quantity, unit }) => (
              <span className="hms-number">
                {t('prescriptions.givenOf', { given: dispensed, quantity })} {unit}
              </span>
            ),
          },
        ]}
      />
      {overrides.length > 0 && (
        <Stack p="md" gap={4} component="section" aria-label={t('prescriptions.accepted')}>
          <Text size="sm" fw={600}>
            {t('prescriptions.accepted')}
          </Text>
          {overrides.map(({ finding, message, reason, overriddenByName, role, overriddenAt }) => (
            <Text key={finding} size="sm">
              <bdi>{message}</bdi>:{' '}
              <Text span fw={500}>
                <bdi>{reason}</bdi>
              </Text>{' '}
              <Text span c="dimmed" size="xs">
                {overriddenByName ?? roleName(role)} · {showMoment(overriddenAt, zone)}
              </Text>
            </Text>
          ))}
        </Stack>
      )}
    </div>
  );
}
